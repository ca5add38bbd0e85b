import type { VNode } from 'preact';
import { plural } from '../../text/text.ts';
import { formatDuration } from '../labels.ts';
import type { LoadResult, LoadWindow } from '../load-results.ts';
import { readLoad } from '../load-view.ts';
import type { Results } from '../results.ts';
import { Badge, Bar, clock, Command, Fact, message, Table, text } from './parts.tsx';

const WIDTH = 720;
const HEIGHT = 110;
const LEFT = 34;
const TOP = 6;
const BOTTOM = 20;
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
  readonly middle: number;
  readonly wide: number;
  readonly top: number;
  readonly height: number;
}

function Pillar({ name, middle, wide, top, height }: PillarProps): VNode {
  return (
    <rect
      class={name}
      x={(middle - wide / 2).toFixed(1)}
      y={top.toFixed(1)}
      width={wide.toFixed(1)}
      height={height.toFixed(1)}
    />
  );
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
    <figure>
      <figcaption>
        {`Requests in ${each === 1 ? 'each window' : `each ${each} windows`}, by the time of the first one: `}
        <b class="passed">admitted</b> below, <b class="warned">refused</b> above
        {line !== null && `; the line is the limit of ${limit ?? ''}`}
      </figcaption>
      <div
        class="scroll"
        tabIndex={0}
        role="group"
        aria-label={`Chart of ${text(load.scenario, 60)}`}
      >
        <svg
          class="chart"
          viewBox={`0 0 ${WIDTH} ${foot + BOTTOM}`}
          role="img"
          aria-label={`${plural(load.windows.length, 'window')}, ${load.requests.admitted} requests admitted, ${load.requests.refused} refused`}
        >
          <text x={LEFT - 6} y={TOP + 9} text-anchor="end">
            {most}
          </text>
          <text x={LEFT - 6} y={foot} text-anchor="end">
            0
          </text>
          {columns.map(({ from, admitted, refused }, index) => {
            const after = `+${((from - start) / 1000).toFixed(1)} s`;
            const place = { middle: LEFT + (index + 0.5) * step, wide };
            const low = height(admitted);
            const high = height(refused);
            return (
              <g>
                <title>{`${after}: ${admitted} admitted, ${refused} refused`}</title>
                <Pillar name="passed" {...place} top={foot - low} height={low} />
                <Pillar name="warned" {...place} top={foot - low - high} height={high} />
                {index % every === 0 && (
                  <text x={place.middle.toFixed(1)} y={foot + 14} text-anchor="middle">
                    {after}
                  </text>
                )}
              </g>
            );
          })}
          <line class="axis" x1={LEFT} x2={WIDTH} y1={foot} y2={foot} />
          {line !== null && <line class="limit" x1={LEFT} x2={WIDTH} y1={line} y2={line} />}
        </svg>
      </div>
    </figure>
  );
}

/** What a scenario found against the target, and what it judged beyond that. */
function Judgements({ load: { requirements } }: OfLoad): VNode {
  const against = requirements.filter(({ findings }) => findings.length > 0).slice(0, ROWS);
  const rest = requirements.filter(({ findings }) => findings.length === 0).slice(0, ROWS);
  return (
    <>
      {against.length > 0 && (
        <Table
          name="matrix against"
          caption="Found against the target"
          columns={['outcome', 'requirement', 'finding', 'expected', 'actual']}
        >
          {against.map(({ id, title, outcome, findings: [first], total, judged }) => (
            <tr>
              <td>
                <Badge outcome={outcome} />
              </td>
              <th scope="row">
                <code>{text(id, 100)}</code>
                <small>{message(title, 200)}</small>
              </th>
              <td>
                {message(first?.message ?? '', 300)}
                <small>{`${plural(total, 'finding')}, judged on ${judged}`}</small>
              </td>
              <td>{text(first?.expected ?? '', 200)}</td>
              <td>{text(first?.actual ?? '', 200)}</td>
            </tr>
          ))}
        </Table>
      )}
      {rest.length > 0 && (
        <details>
          <summary>
            {`${plural(rest.length, 'requirement')} judged without a finding, with the number of answers, windows or bursts looked at`}
          </summary>
          <Table name="matrix" columns={['outcome', 'requirement', 'statement', 'judged on']}>
            {rest.map(({ id, title, outcome, judged }) => (
              <tr>
                <td>
                  <Badge outcome={outcome} />
                </td>
                <th scope="row">
                  <code>{text(id, 100)}</code>
                </th>
                <td>{message(title, 200)}</td>
                <td>{judged}</td>
              </tr>
            ))}
          </Table>
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
    >
      {latency.slice(0, ROWS).map(({ endpoint, status, count, p50, p95, p99, max }) => (
        <tr>
          <th scope="row">
            <code>{text(endpoint, 120)}</code>
          </th>
          <td>
            {text(status, 20)}
            {status === '429' && ' (by design)'}
          </td>
          <td>{count}</td>
          {[p50, p95, p99, max].map((ms) => (
            <td>{formatDuration(ms)}</td>
          ))}
        </tr>
      ))}
    </Table>
  );
}

/** Id of the place of a scenario, by its number. */
export function loadAnchor(index: number): string {
  return `load-${index + 1}`;
}

function Scenario({ load, index }: OfLoad & { readonly index: number }): VNode {
  const { requests, health, windows, readings, notes } = load;
  const spread =
    health.spreadMs === null ? '' : `, bursts start within ${formatDuration(health.spreadMs)}`;
  return (
    <>
      <h3 id={loadAnchor(index)}>{`${text(load.scenario, 60)}: ${text(load.title, 200)}`}</h3>
      <p>
        <Badge outcome={load.outcome} /> {text(load.reason)}
      </p>
      <dl class="facts">
        <Fact name="Requests">
          {`${requests.sent} sent: ${requests.admitted} admitted, ${requests.refused} refused by the limiter, ${requests.other} other answers, ${requests.failed} without an answer`}
          <Bar
            label="Requests by what became of them"
            parts={[
              ['passed', requests.admitted],
              ['warned', requests.refused],
              ['observed', requests.other],
              ['failed', requests.failed],
            ]}
          />
        </Fact>
        <Fact name="Generator">
          {`k6 ${text(load.k6.version, 40)}, ${health.vus} virtual users, ${health.iterations} iterations, ${health.dropped} dropped${spread}`}
        </Fact>
        <Fact name="Time">{`${clock(load.startedAt)} to ${clock(load.endedAt)}`}</Fact>
        <Fact name="Run it again">
          <Command label="Run it again" value={text(load.command)} />
        </Fact>
      </dl>
      {windows.length > 1 ? (
        <Chart load={load} />
      ) : (
        <p class="note">
          {`No chart: the run had ${plural(windows.length, 'window')}, too few to show a course.`}
        </p>
      )}
      <Judgements load={load} />
      <Latency load={load} />
      {readings.length + notes.length > 0 && (
        <ul>
          {readings.map(({ question, answer }) => (
            <li>{`${text(question, 300)}: ${text(answer, 300)}`}</li>
          ))}
          {notes.map((note) => (
            <li class="note">{text(note, 400)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Load scenarios: what was sent, what came back, what it means for the requirements. */
export function Load({ results }: { readonly results: Results }): VNode {
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
