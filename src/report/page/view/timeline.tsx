import type { VNode } from 'preact';
import type { Exchange } from '../../../spec/exchange.ts';
import { plural } from '../../../text/text.ts';
import { limitsOf, rateWindows, sentAt } from '../../analysis/rate-windows.ts';
import type { RateWindow } from '../../analysis/rate-windows.ts';
import type { OfResults } from './page.ts';
import { anchor, Bar, clock, Table, text } from './parts.tsx';

/** Maximum windows in the table. */
const ROWS = 200;

/** When a request was sent, with a link to it. */
function Sent({ exchange }: { exchange: Exchange | undefined }): VNode | null {
  if (exchange === undefined) return null;
  return <a href={`#${anchor('x', exchange.id)}`}>{clock(sentAt(exchange))}</a>;
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

/** Rate-limit windows by key. */
export function Timeline({ results }: OfResults): VNode {
  const { requests: limit } = limitsOf(results);
  const windows = rateWindows(results);
  const isOver = ({ admitted }: RateWindow): boolean => admitted > limit;
  const over = windows.filter(isOver);
  return (
    <>
      <h2>Rate limit</h2>
      {windows.length === 0 ? (
        <p>
          No windows: no response contained <code>X-RateLimit-Reset</code>.
        </p>
      ) : (
        <Table
          name="windows"
          labelled
          caption={`${plural(windows.length, 'window')} by key; ${over.length} with more than ${limit} admitted`}
          columns={['key', 'first request', 'last request', 'admitted', 'refused']}
          items={[...over, ...windows.filter((one) => !isOver(one))]}
          limit={ROWS}
          row={({ key, exchanges, admitted, refused }) => [
            <code>{text(key, 40)}</code>,
            <Sent exchange={exchanges[0]} />,
            <Sent exchange={exchanges.at(-1)} />,
            <Admitted admitted={admitted} limit={limit} />,
            refused,
          ]}
        />
      )}
    </>
  );
}
