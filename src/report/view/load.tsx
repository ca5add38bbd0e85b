import type { VNode } from 'preact';
import { plural } from '../../text/text.ts';
import { formatDuration } from '../labels.ts';
import type { LoadResult, LoadWindow } from '../load-results.ts';
import { readLoad } from '../load-view.ts';
import type { OfResults } from './page.ts';
import { Badge, Bar, clock, Command, Facts, List, message, Table, text } from './parts.tsx';
import type { BarPart } from './parts.tsx';
import { LEFT, Plot, TOP } from './plot.tsx';

const WIDTH = 720;
const HEIGHT = 110;
/** Columns of the chart that can be told from each other. */
const COLUMNS = 60;
const ROWS = 60;

interface OfLoad {
  readonly load: LoadResult;
}

interface Column {
  readonly from: number;
  readonly windows: number;
  readonly admitted: number;
  readonly refused: number;
}

/** One column for each window of a key; when there are more than fit, neighbours in time are put together. */
function columnsOf(windows: readonly LoadWindow[]): readonly Column[] {
  const sorted = windows.toSorted((a, b) => a.from - b.from || (a.key < b.key ? -1 : 1));
  const each = Math.ceil(sorted.length / COLUMNS);
  const list: Column[] = [];
  for (let start = 0; start < sorted.length; start += each) {
    const part = sorted.slice(start, start + each);
    list.push({
      from: Math.min(...part.map(({ from }) => from)),
      windows: part.length,
      admitted: part.reduce((sum, one) => sum + one.admitted, 0),
      refused: part.reduce((sum, one) => sum + one.refused, 0),
    });
  }
  return list;
}

interface PillarProps {
  readonly name: string;
  readonly x: string;
  readonly wide: number;
  readonly top: number;
  readonly height: number;
}

function Pillar({ name, x, wide, top, height }: PillarProps): VNode {
  const size = { width: wide.toFixed(1), height: height.toFixed(1) };
  return <rect class={name} x={x} y={top.toFixed(1)} {...size} />;
}

function Chart({ load }: OfLoad): VNode {
  const columns = columnsOf(load.windows);
  const start = columns[0]?.from ?? 0;
  const each = columns[0]?.windows ?? 1;
  const most = Math.max(1, ...columns.map(({ admitted, refused }) => admitted + refused));
  const step = (WIDTH - LEFT) / Math.max(1, columns.length);
  const wide = Math.min(40, Math.max(1, step * 0.7));
  const height = (count: number): number => (count / most) * HEIGHT;
  const limit = each === 1 ? load.limits.requests : null;
  const line = limit === null || limit > most ? null : (TOP + HEIGHT - height(limit)).toFixed(1);
  const foot = TOP + HEIGHT;
  // As many labels as do not touch each other.
  const every = Math.ceil(columns.length / 12);
  return (
    <Plot
      name="chart"
      title={`Chart of ${text(load.scenario, 60)}`}
      words={`${plural(load.windows.length, 'window')}, ${load.requests.admitted} requests admitted, ${load.requests.refused} refused`}
      caption={[
        `Requests in ${each === 1 ? 'each window' : `each ${each} windows`}, by the time of the first one: `,
        <b class="passed">admitted</b>,
        ' below, ',
        <b class="warned">refused</b>,
        ` above${line === null ? '' : `; the line is the limit of ${limit ?? ''}`}`,
      ]}
      width={WIDTH}
      height={HEIGHT}
      most={most}
    >
      {columns.map(({ from, admitted, refused }, index) => {
        const after = `+${((from - start) / 1000).toFixed(1)} s`;
        const middle = LEFT + (index + 0.5) * step;
        const x = (middle - wide / 2).toFixed(1);
        const low = height(admitted);
        const high = height(refused);
        return (
          <g>
            <title>{`${after}: ${admitted} admitted, ${refused} refused`}</title>
            <Pillar name="passed" x={x} wide={wide} top={foot - low} height={low} />
            <Pillar name="warned" x={x} wide={wide} top={foot - low - high} height={high} />
            {index % every === 0 && (
              <text x={middle.toFixed(1)} y={foot + 14} text-anchor="middle">
                {after}
              </text>
            )}
          </g>
        );
      })}
      {line !== null && <line class="limit" x1={LEFT} x2={WIDTH} y1={line} y2={line} />}
    </Plot>
  );
}

/** What a scenario found against the target, and what it judged beyond that. */
function Judgements({ load: { requirements } }: OfLoad): VNode {
  const against = requirements.filter(({ findings }) => findings.length > 0);
  const rest = requirements.filter(({ findings }) => findings.length === 0);
  return (
    <>
      {against.length > 0 && (
        <Table
          name="matrix against"
          caption="Found against the target"
          columns={['outcome', 'requirement', 'finding', 'expected', 'actual']}
          head={1}
          items={against}
          limit={ROWS}
          row={({ id, title, outcome, findings: [first], total, judged }) => [
            <Badge outcome={outcome} />,
            [<code>{text(id, 100)}</code>, <small>{message(title, 200)}</small>],
            [
              message(first?.message ?? '', 300),
              <small>{`${plural(total, 'finding')}, judged on ${judged}`}</small>,
            ],
            text(first?.expected ?? '', 200),
            text(first?.actual ?? '', 200),
          ]}
        />
      )}
      {rest.length > 0 && (
        <details>
          <summary>
            {`${plural(rest.length, 'requirement')} judged without a finding, with the number of answers, windows or bursts looked at`}
          </summary>
          <Table
            name="matrix"
            columns={['outcome', 'requirement', 'statement', 'judged on']}
            head={1}
            items={rest}
            limit={ROWS}
            row={({ id, title, outcome, judged }) => [
              <Badge outcome={outcome} />,
              <code>{text(id, 100)}</code>,
              message(title, 200),
              judged,
            ]}
          />
        </details>
      )}
    </>
  );
}

function Latency({ load: { latency } }: OfLoad): VNode | null {
  if (latency.length === 0) return null;
  return (
    <Table
      name="latency"
      caption="Latency by endpoint and status"
      columns={['endpoint', 'status', 'answers', 'median', '95 %', '99 %', 'slowest']}
      items={latency}
      limit={ROWS}
      row={({ endpoint, status, count, p50, p95, p99, max }) => [
        <code>{text(endpoint, 120)}</code>,
        `${text(status, 20)}${status === '429' ? ' (by design)' : ''}`,
        count,
        ...[p50, p95, p99, max].map(formatDuration),
      ]}
    />
  );
}

/** Id of the place of a scenario, by its number. */
export function loadAnchor(index: number): string {
  return `load-${index + 1}`;
}

function Scenario({ load, index }: OfLoad & { index: number }): VNode {
  const { requests, health, windows, readings, notes } = load;
  const { admitted, refused, other, failed } = requests;
  const sent = `${requests.sent} sent: ${admitted} admitted, ${refused} refused by the limiter, ${other} other answers, ${failed} without an answer`;
  const parts: readonly BarPart[] = [
    ['passed', admitted],
    ['warned', refused],
    ['observed', other],
    ['failed', failed],
  ];
  const spread =
    health.spreadMs === null ? '' : `, bursts start within ${formatDuration(health.spreadMs)}`;
  return (
    <>
      <h3 id={loadAnchor(index)}>{`${text(load.scenario, 60)}: ${text(load.title, 200)}`}</h3>
      <p>
        <Badge outcome={load.outcome} /> {text(load.reason)}
      </p>
      <Facts
        rows={[
          ['Requests', [sent, <Bar label="Requests by what became of them" parts={parts} />]],
          [
            'Generator',
            `k6 ${text(load.k6.version, 40)}, ${health.vus} virtual users, ${health.iterations} iterations, ${health.dropped} dropped${spread}`,
          ],
          ['Time', `${clock(load.startedAt)} to ${clock(load.endedAt)}`],
          ['Run it again', <Command label="Run it again" value={text(load.command)} />],
        ]}
      />
      {windows.length > 1 ? (
        <Chart load={load} />
      ) : (
        <p class="note">
          {`No chart: the run had ${plural(windows.length, 'window')}, too few to show a course.`}
        </p>
      )}
      <Judgements load={load} />
      <Latency load={load} />
      <List
        items={[
          ...readings.map(({ question, answer }) => `${text(question, 300)}: ${text(answer, 300)}`),
          ...notes.map((note) => <span class="note">{text(note, 400)}</span>),
        ]}
      />
    </>
  );
}

/** Load scenarios: what was sent, what came back, what it means for the requirements. */
export function Load({ results }: OfResults): VNode {
  const { results: load, unreadable } = readLoad(results.load);
  return (
    <>
      <h2>Load</h2>
      {load.map((one, index) => (
        <Scenario load={one} index={index} />
      ))}
      {unreadable > 0 && (
        <p class="note">
          {`${plural(unreadable, 'load result')} in a form that this version cannot read; see results.json.`}
        </p>
      )}
    </>
  );
}
