import type { VNode } from 'preact';
import { plural } from '../../../text/text.ts';
import { groupBy } from '../../model/group-by.ts';
import { formatDuration } from '../../model/labels.ts';
import type { LoadResult } from '../../model/load-results.ts';
import { formatMs, formatRate, worstFirst } from '../../model/load-words.ts';
import { Charts } from './load-charts.tsx';
import type { OfResults } from '../view/page.ts';
import {
  Badge,
  clock,
  Command,
  Facts,
  List,
  message,
  more,
  RequirementLink,
  Table,
  text,
} from '../view/parts.tsx';

const ROWS = 60;
/** Violations shown at the top of a scenario. */
const CAUSES = 5;

interface OfLoad {
  readonly load: LoadResult;
}

/** The violations found by a scenario. */
function Causes({ load: { requirements } }: OfLoad): VNode | null {
  const against = requirements
    .filter(({ findings }) => findings.length > 0)
    .toSorted((a, b) => Number(b.outcome === 'failed') - Number(a.outcome === 'failed'));
  if (against.length === 0) return null;
  return (
    <>
      <ul class="plainlist causes">
        {against
          .slice(0, CAUSES)
          .map(({ id, title, outcome, findings: [first], total, judged }) => (
            <li>
              <p>
                <Badge outcome={outcome} /> <RequirementLink id={text(id, 100)} />{' '}
                <b>{message(first?.message ?? '', 300)}</b>
              </p>
              <p class="note">
                {`${message(title, 200)} · ${plural(total, 'finding')} in ${plural(judged, 'judgement')}`}
              </p>
              <div class="compare">
                <p>
                  <span class="note">expected</span> <code>{text(first?.expected ?? '', 200)}</code>
                </p>
                <p class="actual">
                  <span class="note">actual</span> <code>{text(first?.actual ?? '', 200)}</code>
                </p>
              </div>
            </li>
          ))}
      </ul>
      {more(against.length - CAUSES)}
    </>
  );
}

/** Requirements without a finding. */
function Rest({ load: { requirements } }: OfLoad): VNode | null {
  const rest = requirements.filter(({ findings }) => findings.length === 0);
  if (rest.length === 0) return null;
  return (
    <details>
      <summary>{`${plural(rest.length, 'requirement')} without findings`}</summary>
      <Table
        name="matrix"
        columns={['outcome', 'requirement', 'statement', 'judged']}
        head={1}
        items={rest}
        limit={ROWS}
        row={({ id, title, outcome, judged }) => [
          <Badge outcome={outcome} />,
          <RequirementLink id={text(id, 100)} />,
          message(title, 200),
          judged,
        ]}
      />
    </details>
  );
}

function Latency({ load: { latency } }: OfLoad): VNode | null {
  if (latency.length === 0) return null;
  return (
    <Table
      name="latency"
      labelled
      caption="Latency by endpoint and status"
      columns={['endpoint', 'status', 'responses', 'median', '95 %', '99 %', 'slowest']}
      items={latency}
      limit={ROWS}
      row={({ endpoint, status, count, p50, p95, p99, max }) => [
        <code>{text(endpoint, 120)}</code>,
        `${text(status, 20)}${status === '429' ? ' (by design)' : ''}`,
        count,
        ...[p50, p95, p99, max].map((ms) =>
          ms < 1000 ? `${formatMs(ms)} ms` : formatDuration(ms),
        ),
      ]}
    />
  );
}

/** The HTML id of a scenario. */
export function loadAnchor(index: number): string {
  return `load-${index + 1}`;
}

/** Duration, load and responses in one line. */
function inShort({ course, startedAt, endedAt, requests }: LoadResult): string {
  const whole = Date.parse(endedAt) - Date.parse(startedAt);
  const ms = course === undefined ? whole : course.sent.length * course.stepMs;
  const { sent, admitted, refused, other, failed } = requests;
  const counts = `${sent} sent: ${admitted} admitted, ${refused} refused`;
  return `${counts}${other > 0 ? `, ${other} other responses` : ''}${failed > 0 ? `, ${failed} unanswered` : ''} · ${formatDuration(ms)} · ${formatRate((sent * 1000) / ms)}/s`;
}

function Body({ load }: OfLoad): VNode {
  const { health, readings, notes } = load;
  const spread =
    health.spreadMs === null ? '' : `, bursts sent within ${formatDuration(health.spreadMs)}`;
  return (
    <>
      <Charts load={load} />
      <Latency load={load} />
      <Rest load={load} />
      <details>
        <summary>Details of the run</summary>
        <Facts
          rows={[
            [
              'Generator',
              `k6 ${text(load.k6.version, 40)}, ${health.vus} virtual users, ${health.iterations} iterations, ${health.dropped} dropped${spread}`,
            ],
            ['Time', `${clock(load.startedAt)} to ${clock(load.endedAt)}`],
          ]}
        />
        <List
          items={[
            ...readings.map(
              ({ question, answer }) => `${text(question, 300)}: ${text(answer, 300)}`,
            ),
            ...notes.map((note) => <span class="note">{text(note, 400)}</span>),
          ]}
        />
      </details>
      <Command label="rerun" value={text(load.command)} />
    </>
  );
}

function Head({ load, index }: OfLoad & { index: number }): VNode {
  return (
    <>
      <h3 id={loadAnchor(index)}>
        <Badge outcome={load.outcome} /> <code>{text(load.scenario, 60)}</code>{' '}
        <span>{text(load.title, 200)}</span>
      </h3>
      <span class="note">{inShort(load)}</span>
    </>
  );
}

/** One scenario; passed ones are folded. */
function Scenario({ load, index }: OfLoad & { index: number }): VNode {
  if (load.outcome === 'passed') {
    return (
      <details class="scenario quiet">
        <summary>
          <Head load={load} index={index} />
        </summary>
        <Body load={load} />
      </details>
    );
  }
  const found = load.requirements.some(({ findings }) => findings.length > 0);
  return (
    <article class={`scenario to-${load.outcome}`} aria-labelledby={loadAnchor(index)}>
      <Head load={load} index={index} />
      {/* Findings say more than the reason, which names the first of them. */}
      {(!found || load.outcome === 'inconclusive') && <p>{text(load.reason)}</p>}
      <Causes load={load} />
      <Body load={load} />
    </article>
  );
}

/** Scenarios by outcome, the worst first. */
const tally = (load: readonly { readonly load: LoadResult }[]): string =>
  [...groupBy(load, (one) => one.load.outcome)]
    .map(([outcome, own]) => `${own.length} ${outcome}`)
    .join(', ');

export function Load({ results }: OfResults): VNode {
  return (
    <>
      <h2>Load</h2>
      <LoadScenarios results={results} />
    </>
  );
}

/** The scenarios, the worst first. */
export function LoadScenarios({ results }: OfResults): VNode {
  const sorted = worstFirst(results.load);
  return (
    <>
      {sorted.length > 0 && <p>{`${plural(sorted.length, 'scenario')}: ${tally(sorted)}.`}</p>}
      {sorted.map((one) => (
        <Scenario {...one} />
      ))}
    </>
  );
}
