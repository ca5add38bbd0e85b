import type { VNode } from 'preact';
import { RATE_LIMIT } from '../../contract/limits.ts';
import { plural } from '../../text/text.ts';
import { rateTimeline } from '../rate-windows.ts';
import type { RateWindow } from '../rate-windows.ts';
import type { OfResults } from './page.ts';
import { clock, List, Table, text } from './parts.tsx';
import { RequestLanes } from './request-lanes.tsx';

/** Windows in the table: what a person can take in. */
const ROWS = 200;

const COLUMNS = ['key', 'reset (UTC)', 'answers', 'remaining, first to last', 'refused'];

function Windows({ windows }: { windows: readonly RateWindow[] }): VNode {
  return (
    <details>
      <summary>{`All ${plural(windows.length, 'window')} as a table`}</summary>
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
  );
}

/** Rate-limit windows by key: what was left, what was refused, what does not fit together. */
export function Timeline({ results }: OfResults): VNode {
  const limit = results.settings?.limits.requests ?? RATE_LIMIT;
  const { windows, anomalies, withHeaders, withoutHeaders } = rateTimeline(
    results.exchanges,
    limit,
  );
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
        {`One lane for each key, with time to scale. A shaded box is a window, which ends at the reset that the target announced. Each answered request stands one step higher in it. The dashed line is the limit of ${limit}: requests above it should have been refused.`}
      </p>
      <RequestLanes results={results} />
      <h3>Anomalies</h3>
      {anomalies.length === 0 && (
        <p>{`None: the headers of ${plural(withHeaders, 'answer')} fit together.`}</p>
      )}
      <List items={anomalies.map((one) => [<span class="warned">{one}</span>])} />
      <Windows windows={windows} />
    </>
  );
}
