import type { VNode } from 'preact';
import { RATE_LIMIT } from '../../../spec/limits.ts';
import { plural } from '../../../text/text.ts';
import { rateTimeline } from '../../analysis/rate-windows.ts';
import type { RateWindow, WindowPoint } from '../../analysis/rate-windows.ts';
import type { OfResults } from './page.ts';
import { anchor, Bar, clock, List, Table, text } from './parts.tsx';

/** Maximum windows in the table. */
const ROWS = 200;

const COLUMNS = ['key', 'first request', 'last request', 'admitted', 'refused'];

/** When a request was sent, with a link to it. */
function Sent({ point }: { point: WindowPoint | undefined }): VNode | null {
  if (point === undefined) return null;
  return <a href={`#${anchor('x', point.exchange)}`}>{clock(point.at)}</a>;
}

/** Admitted requests of a window against the limit. */
function Admitted({ admitted, limit }: { admitted: number; limit: number }): VNode {
  const over = Math.max(0, admitted - limit);
  const words = `${over > 0 ? '✗ ' : ''}${admitted} of ${limit}`;
  return (
    <>
      <span class={over > 0 ? 'failed' : undefined}>{words}</span>
      <Bar
        label={over > 0 ? `${over} over the limit` : `${limit - admitted} left`}
        parts={[
          ['observed', admitted - over],
          ['failed', over],
          ['open', Math.max(0, limit - admitted)],
        ]}
      />
    </>
  );
}

/** Rate-limit windows by key, and inconsistencies. */
export function Timeline({ results }: OfResults): VNode {
  const limit = results.settings?.limits.requests ?? RATE_LIMIT;
  const { windows, anomalies, withHeaders, withoutHeaders } = rateTimeline(
    results.exchanges,
    results.settings?.limits,
  );
  if (windows.length === 0) {
    return (
      <>
        <h2>Rate limit</h2>
        <p>
          No windows: no response contained <code>X-RateLimit-Reset</code>.
          {withoutHeaders > 0 &&
            ` ${plural(withoutHeaders, 'successful response')} came without it; the header is only required on refusals.`}
        </p>
      </>
    );
  }
  const isOver = ({ admitted }: RateWindow): boolean => admitted > limit;
  const over = windows.filter(isOver);
  return (
    <>
      <h2>Rate limit</h2>
      <Table
        name="windows"
        labelled
        caption={`${plural(windows.length, 'window')} by key; ${over.length} with more than ${limit} admitted`}
        columns={COLUMNS}
        items={[...over, ...windows.filter((one) => !isOver(one))]}
        limit={ROWS}
        row={({ key, points, admitted, refused }) => {
          const sent = points.toSorted((a, b) => a.at - b.at);
          return [
            <code>{text(key, 40)}</code>,
            <Sent point={sent[0]} />,
            <Sent point={sent.at(-1)} />,
            <Admitted admitted={admitted} limit={limit} />,
            refused,
          ];
        }}
      />
      <h3>Anomalies</h3>
      {anomalies.length === 0 && (
        <p>{`None: the headers of ${plural(withHeaders, 'response')} are consistent.`}</p>
      )}
      <List items={anomalies.map((one) => [<span class="warned">{one}</span>])} />
    </>
  );
}
