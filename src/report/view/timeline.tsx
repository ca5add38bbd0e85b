import type { VNode } from 'preact';
import { RATE_LIMIT } from '../../contract/limits.ts';
import { plural } from '../../text/text.ts';
import { rateTimeline, windowStart } from '../rate-windows.ts';
import type { RateWindow } from '../rate-windows.ts';
import type { OfResults } from './page.ts';
import { clock, List, Table, text } from './parts.tsx';
import { LEFT, Plot, TOP } from './plot.tsx';

/** Windows drawn for one key, and keys drawn: what a person can take in. The table has more. */
const WINDOWS = 24;
const KEYS = 8;
const ROWS = 200;
const HEIGHT = 96;

interface BandProps {
  readonly window: RateWindow;
  readonly index: number;
  readonly limit: number;
  readonly wide: number;
}

function Band({ window, index, limit, wide }: BandProps): VNode {
  const start = windowStart(window);
  const length = Math.max(1, window.reset - start);
  const x = (at: number): number =>
    LEFT + index * wide + Math.min(1, Math.max(0, (at - start) / length)) * (wide - 6) + 3;
  const y = (remaining: number): string => {
    const share = Math.min(1, Math.max(0, remaining / Math.max(1, limit)));
    return (TOP + (1 - share) * HEIGHT).toFixed(1);
  };
  const points = window.points.slice(0, 60);
  const line = points.flatMap(({ at, remaining }) =>
    remaining === null ? [] : [`${x(at).toFixed(1)},${y(remaining)}`],
  );
  const edge = (LEFT + (index + 1) * wide).toFixed(0);
  const time = new Date(Math.min(8.64e15, Math.max(0, window.reset))).toISOString().slice(11, 19);
  return (
    <>
      <line class="edge" x1={edge} x2={edge} y1={TOP} y2={TOP + HEIGHT} />
      {wide >= 60 && (
        <text x={edge} y={TOP + HEIGHT + 12} text-anchor="end">
          {time}
        </text>
      )}
      <polyline class="left" points={line.join(' ')} />
      {points.map(({ at, status, remaining }) =>
        status === 429 ? (
          <path
            class="refused"
            d={`M${(x(at) - 3).toFixed(1)} ${TOP + HEIGHT - 7}l6 6m0 -6l-6 6`}
          />
        ) : (
          <circle class="sent" cx={x(at).toFixed(1)} cy={y(remaining ?? 0)} r="1.8" />
        ),
      )}
    </>
  );
}

function Chart({ name, windows }: { name: string; windows: readonly RateWindow[] }): VNode {
  const drawn = windows.slice(0, WINDOWS);
  const limit = Math.max(
    RATE_LIMIT,
    ...drawn.flatMap(({ points }) => points.map((point) => Math.min(10_000, point.limit ?? 0))),
  );
  const wide = Math.max(60, Math.min(260, Math.floor(300 / Math.max(1, drawn.length))));
  const sent = windows.reduce((sum, { points }) => sum + points.length, 0);
  const refused = windows.reduce((sum, one) => sum + one.refused, 0);
  const words = `Key ${name}: ${plural(windows.length, 'window')}, ${plural(sent, 'request')}, ${refused} refused`;
  const more = windows.length - drawn.length;
  return (
    <Plot
      name="timeline"
      title={`Chart of key ${name}`}
      words={words}
      caption={more > 0 ? `${words}, the first ${drawn.length} windows are drawn` : words}
      width={LEFT + drawn.length * wide + 8}
      height={HEIGHT}
      fixed
      most={limit}
    >
      <line class="edge" x1={LEFT} x2={LEFT} y1={TOP} y2={TOP + HEIGHT} />
      {drawn.map((window, index) => (
        <Band window={window} index={index} limit={limit} wide={wide} />
      ))}
    </Plot>
  );
}

const COLUMNS = ['key', 'reset (UTC)', 'answers', 'remaining, first to last', 'refused'];

function Windows({ windows }: { windows: readonly RateWindow[] }): VNode {
  const byKey = new Map<string, RateWindow[]>();
  for (const window of windows) {
    byKey.set(window.key, [...(byKey.get(window.key) ?? []), window]);
  }
  return (
    <>
      <h3>Windows</h3>
      <div class="charts">
        {[...byKey].slice(0, KEYS).map(([key, own]) => (
          <Chart name={text(key, 40)} windows={own} />
        ))}
      </div>
      {byKey.size > KEYS && (
        <p class="note">{`${byKey.size - KEYS} more keys are in the table.`}</p>
      )}
      <details>
        <summary>The same as a table</summary>
        <Table
          name="windows"
          columns={COLUMNS}
          head={-1}
          items={windows}
          limit={ROWS}
          row={({ key, reset, points, refused }) => {
            const left = points.flatMap(({ remaining }) => remaining ?? []);
            return [
              <code>{text(key, 40)}</code>,
              clock(reset),
              points.length,
              `${left[0] ?? '–'} to ${left.at(-1) ?? '–'}`,
              refused,
            ];
          }}
        />
      </details>
    </>
  );
}

/** Rate-limit windows by key: what was left, what was refused, what does not fit together. */
export function Timeline({ results }: OfResults): VNode {
  const { windows, anomalies, withHeaders, withoutHeaders } = rateTimeline(results.exchanges);
  if (windows.length === 0) {
    return (
      <>
        <h2>Rate limit</h2>
        <p>
          No answer carried <code>X-RateLimit-Reset</code>, so there are no windows to draw.
          {withoutHeaders > 0 &&
            ` ${plural(withoutHeaders, 'successful answer')} came without it; the headers are only required on refusals.`}
        </p>
      </>
    );
  }
  return (
    <>
      <h2>Rate limit</h2>
      <p class="note">
        Each band is one window up to the reset that the target announced, drawn equally wide; the
        line is what <code>X-RateLimit-Remaining</code> said was left, dots are answers, crosses are
        refusals. The time under a band is its reset, UTC.
      </p>
      <h3>Anomalies</h3>
      {anomalies.length === 0 && (
        <p>{`None: the headers of ${plural(withHeaders, 'answer')} fit together.`}</p>
      )}
      <List items={anomalies.map((one) => [<span class="warned">{one}</span>])} />
      <Windows windows={windows} />
    </>
  );
}
