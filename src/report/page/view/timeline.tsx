import type { ComponentChildren, VNode } from 'preact';
import type { Exchange } from '../../../spec/exchange.ts';
import { LIMIT_ENFORCED } from '../../../requirements/catalogue.ts';
import { plural } from '../../../text/text.ts';
import { limitsOf, rateWindows, sentAt } from '../../analysis/rate-windows.ts';
import { Badge, Bar, clock, ExchangeLink, message, RequirementLink, Table } from './parts.tsx';
import { text, type OfResults } from './parts.tsx';
import { isViolated, shownBy, statusOf } from '../../model/status.ts';
import { clocksDiffer } from '../evidence/exchange.tsx';

const ROWS = 200;

function Admitted({
  admitted,
  limit,
  isWrong,
  isWhole = true,
}: WindowRow & { limit: number }): VNode {
  const over = Math.max(0, admitted - limit);
  return (
    <>
      <span class={isWrong ? 'failed' : undefined}>
        {`${isWrong ? '✗ ' : ''}${isWhole ? '' : 'at least '}${admitted} of ${limit}`}
      </span>
      {isWhole && (
        <Bar
          label={over > 0 ? `${over} over the limit` : `${limit - admitted} left`}
          parts={[
            ['observed', isWrong ? admitted - over : admitted],
            ['failed', isWrong ? over : 0],
            ['open', Math.max(0, limit - admitted)],
          ]}
        />
      )}
    </>
  );
}

interface WindowRow {
  readonly key: string;
  readonly first: ComponentChildren;
  readonly last: ComponentChildren;
  readonly admitted: number;
  readonly isWhole?: boolean;
  readonly refused: number;
  readonly byQuota?: number;
  readonly isWrong: boolean;
}

interface WindowsProps {
  readonly rows: readonly WindowRow[];
  readonly limit: number;
  readonly caption?: string;
  /** What the end of a window is the time of. */
  readonly last: string;
  readonly most: number;
}

/** Rate-limit windows of a run or of a load scenario, the wrong ones first. */
export function Windows({ rows, limit, caption, last, most }: WindowsProps): VNode {
  return (
    <Table
      name="windows"
      labelled
      caption={caption}
      columns={['key', 'first request', last, 'admitted', 'refused']}
      items={rows.toSorted((a, b) => Number(b.isWrong) - Number(a.isWrong))}
      limit={most}
      row={(one) => [
        <code>{text(one.key, 40)}</code>,
        one.first,
        one.last,
        <Admitted {...one} limit={limit} />,
        refusedWords(one),
      ]}
    />
  );
}

function refusedWords({ refused, byQuota = 0 }: WindowRow): string {
  const ofQuota = byQuota === 0 ? '' : `${byQuota} (monthly quota)`;
  return refused === 0 && ofQuota !== '' ? ofQuota : `${refused}${ofQuota && `, ${ofQuota}`}`;
}

/** When a request was sent, with a link to it. */
const sent = (exchange: Exchange | undefined): ComponentChildren =>
  exchange && <ExchangeLink id={exchange.id}>{clock(sentAt(exchange))}</ExchangeLink>;

/** Rate-limit windows by key. */
export function Timeline({ results }: OfResults): VNode {
  const { requests: limit } = limitsOf(results);
  const limiter = results.requirements.find(({ id }) => id === LIMIT_ENFORCED);
  const against = new Set(
    limiter !== undefined && isViolated(limiter) ? shownBy({ ...limiter, exchanges: [] }) : [],
  );
  // A permitted kind of limiter may admit more in what looks like one window.
  const rows = rateWindows(results).map((one) => ({
    ...one,
    isWrong: one.admitted > limit && one.exchanges.some(({ id }) => against.has(id)),
    first: sent(one.exchanges[0]),
    last: sent(one.exchanges.at(-1)),
  }));
  const over = rows.filter(
    ({ admitted, isWhole, isWrong }) => isWrong || (isWhole && admitted > limit),
  );
  const right = over.filter(({ isWrong }) => !isWrong).length;
  return (
    <>
      <h2>Rate limit</h2>
      {limiter !== undefined && (
        <p>
          <Badge outcome={limiter.outcome} /> <RequirementLink id={limiter.id} />
          {`: ${message(statusOf(limiter, results).words, 300)}.`}
        </p>
      )}
      {rows.some(({ isWhole }) => !isWhole) && (
        <p class="note">
          At least: some of what was admitted has no <code>X-RateLimit-Reset</code>, or one that
          moves.
        </p>
      )}
      {rows.length > 0 && results.exchanges.some(clocksDiffer) && (
        <p class="note">
          Times are by the target’s clock, which differs from the clock of this machine.
        </p>
      )}
      {rows.length === 0 ? (
        <p>
          No windows: no response contained <code>X-RateLimit-Reset</code>.
        </p>
      ) : (
        <Windows
          rows={rows}
          limit={limit}
          last="last request"
          most={ROWS}
          caption={`${plural(rows.length, 'window')} by key; ${over.length} with more than ${limit} admitted${right === 0 ? '' : `, ${right} of them without a finding`}`}
        />
      )}
    </>
  );
}
