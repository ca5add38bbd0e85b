import type { VNode } from 'preact';
import { plural } from '../../../text/text.ts';
import { groupBy } from '../../../text/group-by.ts';
import { formatDuration } from '../../model/labels.ts';
import type { LoadCourse, LoadResult } from '../../model/load-results.ts';
import { areWindowsCounted, countedIn, formatMs, formatRate } from '../../model/load.ts';
import { generatorWords, requestWords, sampledWords, worstFirst } from '../../model/load.ts';
import { Windows } from '../view/timeline.tsx';
import { OUTCOMES, type Results } from '../../model/results.ts';
import { listed, message, RequirementLink, Table, text, type OfCauses } from '../view/parts.tsx';
import { anchor, Badge, clock, Command, Facts, Fold, grouped, List } from '../view/parts.tsx';

interface OfLoad {
  readonly load: LoadResult;
}

type OfFound = OfLoad & Pick<OfCauses, 'causes'>;

function Found({ load: { requirements }, causes }: OfFound): VNode | null {
  const rank = ['warned', 'failed'];
  const sorted = requirements.toSorted(
    (a, b) => rank.indexOf(b.outcome) - rank.indexOf(a.outcome) || b.total - a.total,
  );
  const items = sorted.flatMap(({ id, title, outcome, findings: [first], total, judged }) => {
    if (first === undefined) return [];
    const cause = causes.find(({ requirements: own }) => own.some((one) => one.id === id));
    const times = `${plural(total, 'finding')} in ${plural(judged, 'judgement')}`;
    return [
      [
        <Badge outcome={outcome} />,
        ' ',
        <RequirementLink id={id} />,
        ' ',
        <a href={`#${anchor('f', cause?.id ?? '')}`}>{message(first.message, 300)}</a>,
        <small>{`${message(title, 200)} · ${times}`}</small>,
      ],
    ];
  });
  return <List name="found" items={items} />;
}

/** What was judged without a finding, in one line per outcome. */
const Quiet = ({ load: { requirements } }: OfLoad): VNode => (
  <>
    {OUTCOMES.map((outcome) => {
      const own = requirements.filter((one) => one.outcome === outcome && one.total === 0);
      return (
        own.length > 0 && (
          <p class="ids">
            <Badge outcome={outcome} />{' '}
            {`${own.length}${outcome === 'untested' ? '' : ', with the number of judgements'}: `}
            {listed(
              own.map(({ id, judged }) => [
                <RequirementLink id={id} />,
                judged > 0 && ` ${grouped(judged)}`,
              ]),
            )}
          </p>
        )
      );
    })}
  </>
);

type Values = readonly (number | null)[];

interface ChartProps {
  readonly title: string;
  readonly unit: string;
  readonly course: LoadCourse;
  /** The lines, drawn in the class `line-NAME`. */
  readonly names: readonly ('sent' | 'answered' | 'p50' | 'p95' | 'p99')[];
  readonly format: (value: number) => string;
}

const WIDTH = 380;
const HEIGHT = 120;

/** Larger values are clamped: anyone may write a results file. */
const MOST = 1e12;

const biggest = (values: Values): number =>
  values.reduce<number>((most, value) => Math.min(MOST, Math.max(most, value ?? 0)), 0);

/** Series over time, from 0 to their largest value. Steps without a measurement are gaps. */
function Chart({ title, unit, course, names, format }: ChartProps): VNode {
  const series = names.map((name) => [name, course[name]] as const);
  const most = Math.max(...series.map(([, values]) => biggest(values)));
  const pathOf = (values: Values): string =>
    values
      .map((value, step) => {
        if (value === null) return '';
        const x = ((step + 0.5) / values.length) * WIDTH;
        const y = HEIGHT * (1 - Math.min(MOST, value) / (most || 1));
        // Two pixels are a dot, for a measurement between two gaps.
        const isFirst = (values[step - 1] ?? null) === null;
        return `${isFirst ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}${isFirst ? 'h2' : ''}`;
      })
      .join('');
  const lines = series.map(([name, values]) => [
    <svg width="18" height="4" viewBox="0 0 18 4" aria-hidden="true">
      <path class={`line-${name}`} d="M0 2h18" />
    </svg>,
    ` ${name} at most ${format(biggest(values))} ${unit}`,
  ]);
  return (
    <figure>
      <svg class="course" viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`} role="img" aria-label={title}>
        {series.map(([name, values]) => (
          <path class={`line-${name}`} d={pathOf(values)} />
        ))}
      </svg>
      <figcaption>
        <b>{title}</b>{' '}
        {`over ${formatDuration(course.sent.length * course.stepMs)}, by ${formatDuration(course.stepMs)}`}
        <List name="key" items={lines} />
      </figcaption>
    </figure>
  );
}

const RATE = { title: 'Rate', names: ['sent', 'answered'], format: formatRate } as const;
const LATENCY = {
  unit: 'ms',
  names: ['p50', 'p95', 'p99'],
  format: formatMs,
} as const;

/** Windows against the limit, the wrong ones first, and rate and latency over time. */
function Course({ load }: OfLoad): VNode {
  const { windows, course, limits, windowsInAll = windows.length } = load;
  const isCounted = areWindowsCounted(load);
  // The table of latencies is about all of them.
  const latency = sampledWords(load) === '' ? 'Latency' : 'Latency of the recorded responses';
  const rows = (isCounted ? windows : []).map((one) => ({
    ...one,
    isWrong: one.wrong !== undefined,
    first: clock(one.from),
    last: clock(one.to),
  }));
  const most = Math.max(8, rows.filter(({ isWrong }) => isWrong).length);
  const notes = [
    windows.length === 0 && 'No windows: no request with a key was admitted or refused.',
    sampledWords(load),
    isCounted &&
      windowsInAll > windows.length &&
      `results.json contains ${windows.length} of ${windowsInAll} windows, including the wrong ones.`,
    course === undefined && 'These results contain no time series.',
  ];
  return (
    <>
      {rows.length > 0 && (
        <Windows rows={rows} limit={limits.requests} last="last response" most={most} />
      )}
      {/* A single step is no course. */}
      {course !== undefined && course.sent.length > 1 && (
        <div class="courses">
          <Chart {...RATE} unit={`in ${formatDuration(course.stepMs)}`} course={course} />
          {course.p50.some((value) => value !== null) && (
            <Chart {...LATENCY} title={latency} course={course} />
          )}
        </div>
      )}
      {notes.map((note) => note && <p class="note">{note}</p>)}
    </>
  );
}

function Latency({ load: { latency } }: OfLoad): VNode | null {
  return latency.length === 0 ? null : (
    <Table
      name="latency"
      labelled
      caption="Latency by endpoint and status"
      columns={['endpoint', 'status', 'responses', 'median', '95 %', '99 %', 'slowest']}
      items={latency}
      limit={60}
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

const loadAnchor = (index: number): string => `load-${index + 1}`;

export const ScenarioLink = ({ load, index }: Pick<Results, 'load'> & { index: number }): VNode => (
  <a href={`#${loadAnchor(index)}`}>{`Load ${text(load[index]?.scenario ?? '', 60)}`}</a>
);

function inShort(load: LoadResult): string {
  const { course, startedAt, endedAt, requests, windows, health } = load;
  const whole = Date.parse(endedAt) - Date.parse(startedAt);
  const steps = course === undefined ? whole : course.sent.length * course.stepMs;
  // Bursts have no rate, and the step of a chart, which a single one has not, is longer than a burst.
  const isSingle = windows.length > 0 && course?.sent.length === 1;
  const isBurst = isSingle || (windows.length > 0 && health.spreadMs !== null);
  const ms = isSingle
    ? Math.max(...windows.map(({ to }) => to)) - Math.min(...windows.map(({ from }) => from))
    : steps;
  const rate = ((course === undefined ? requests.sent : countedIn(course)) * 1000) / ms;
  return `${requestWords(load)} · ${formatDuration(ms)}${isBurst ? '' : ` · ${formatRate(rate)}/s`}`;
}

/** One scenario, with the limiter first; passed ones among others are folded. */
function Scenario(props: OfFound & { index: number; isOnly: boolean }): VNode {
  const { load, index, causes, isOnly } = props;
  const { outcome, requirements, readings, notes } = load;
  const found = requirements.some(({ findings }) => findings.length > 0);
  const answers = readings.map(
    ({ question, answer }) => `${text(question, 300)}: ${text(answer, 300)}`,
  );
  return (
    <details class={`card scenario ${outcome}`} open={isOnly || outcome !== 'passed'}>
      <summary>
        <h3 id={loadAnchor(index)}>
          <Badge outcome={outcome} /> <code>{text(load.scenario, 60)}</code>{' '}
          <span>{text(load.title, 200)}</span>
        </h3>
        <small>{inShort(load)}</small>
      </summary>
      {/* Findings say more than the reason, which names the first of them. */}
      {outcome !== 'passed' && (!found || outcome === 'inconclusive') && <p>{text(load.reason)}</p>}
      <Found load={load} causes={causes} />
      <Course load={load} />
      <Latency load={load} />
      <p class="note">{`Generator: ${generatorWords(load)}`}</p>
      <Quiet load={load} />
      <Fold title="Details of the run">
        <Facts rows={[['Time', `${clock(load.startedAt)} to ${clock(load.endedAt)}`]]} />
        <List items={[...answers, ...notes.map((note) => text(note, 400))]} />
      </Fold>
      <Command label="rerun" value={text(load.command)} />
    </details>
  );
}

/** The scenarios, the worst first. */
export function LoadScenarios({ results, causes }: OfCauses): VNode {
  const sorted = worstFirst(results.load);
  const outcomes = [...groupBy(sorted, ({ load }) => load.outcome)];
  const tally = outcomes.map(([outcome, own]) => `${own.length} ${outcome}`).join(', ');
  return (
    <>
      {sorted.length > 0 && <p>{`${plural(sorted.length, 'scenario')}: ${tally}.`}</p>}
      {sorted.map((one) => (
        <Scenario {...one} causes={causes} isOnly={sorted.length === 1} />
      ))}
    </>
  );
}
