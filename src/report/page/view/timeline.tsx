import type { ComponentChildren, VNode } from 'preact';
import type { Exchange } from '../../../spec/exchange.ts';
import { knownAbout, LIMIT_ENFORCED } from '../../../requirements/catalogue.ts';
import { isOfCount } from '../../../requirements/definition.ts';
import { groupBy } from '../../../text/group-by.ts';
import { plural } from '../../../text/text.ts';
import { limitsOf, rateWindows, sentAt } from '../../analysis/rate-windows.ts';
import { Badge, Bar, clock, ExchangeLink, message, requirementLinks, Table } from './parts.tsx';
import { text, type OfResults, type TableProps } from './parts.tsx';
import type { LoadWindow } from '../../model/load-results.ts';
import { STATUS } from '../../../spec/finding.ts';
import { LIMITS } from '../../model/labels.ts';
import type { RequirementResult } from '../../model/results.ts';
import { foundOf, isViolated, shownBy, statusOf } from '../../model/status.ts';
import { clocksDiffer } from '../evidence/exchange.tsx';

const ROWS = 200;

function Admitted(props: WindowRow & { limit: number }): VNode {
  const { admitted, limit, isWrong, isWhole = true } = props;
  const over = Math.max(0, admitted - limit);
  const count = `${isWhole ? '' : 'at least '}${admitted} of ${limit}`;
  return (
    <>
      <span class={isWrong ? 'failed' : undefined}>
        {`${isWrong ? '✗ ' : ''}${isWhole || admitted > 0 ? count : 'not counted'}`}
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

interface WindowRow extends Pick<LoadWindow, 'key' | 'admitted' | 'refused'> {
  readonly first: ComponentChildren;
  readonly last: ComponentChildren;
  readonly isWhole?: boolean;
  readonly byQuota?: number;
  readonly isWrong: boolean;
  /** The requirements that requests of the window violate. */
  readonly against?: readonly string[];
}

interface WindowsProps extends Pick<TableProps<WindowRow>, 'empty' | 'caption'> {
  readonly rows: readonly WindowRow[];
  readonly limit: number;
  /** What the end of a window is the time of. */
  readonly last: string;
  readonly most: number;
}

/** Rate-limit windows of a run or of a load scenario, the wrong ones first, and of these the ones beyond the limit. */
export function Windows({ rows, limit, last, most, ...others }: WindowsProps): VNode {
  const rank = ({ isWrong, admitted, against = [] }: WindowRow): number =>
    against.includes(LIMIT_ENFORCED) ? Infinity : isWrong ? 1 + Math.max(0, admitted - limit) : 0;
  const columns = ['key', 'first request', last, 'admitted', 'refused'];
  const isNamed = rows.some(({ against }) => against !== undefined && against.length > 0);
  return (
    <Table
      {...others}
      name="windows"
      labelled
      columns={isNamed ? [...columns, 'violated'] : columns}
      items={rows.toSorted((a, b) => rank(b) - rank(a))}
      limit={most}
      row={({ against = [], ...one }) => [
        <code>{text(one.key, 40)}</code>,
        one.first,
        one.last,
        <Admitted {...one} limit={limit} />,
        one.byQuota ? `${one.byQuota} (monthly quota)` : one.refused,
        // Where the number is right, the mark is at what is wrong.
        ...(isNamed ? [[!one.isWrong && against[0] && '✗ ', requirementLinks(against, ROWS)]] : []),
      ]}
    />
  );
}

const sent = (exchange: Exchange | undefined): ComponentChildren =>
  exchange && <ExchangeLink id={exchange.id}>{clock(sentAt(exchange))}</ExchangeLink>;

/** Whether a requirement is about the number of requests in a window, or is violated by headers that announce windows. */
const isAboutWindows = ({ id, section, findings }: RequirementResult): boolean =>
  isOfCount(knownAbout(id)) ||
  (section === LIMITS && findings.some(({ header = STATUS }) => header !== STATUS));

/** Rate-limit windows by key, below what was found about them. */
export function Timeline({ results }: OfResults): VNode {
  const { requests: limit } = limitsOf(results);
  const stated = results.requirements
    .filter(
      (one) =>
        one.id === LIMIT_ENFORCED ||
        (isOfCount(knownAbout(one.id)) && foundOf(one) === 'inconclusive') ||
        (isViolated(one) && isAboutWindows(one)),
    )
    .toSorted((a, b) => Number(isViolated(b)) - Number(isViolated(a)));
  const violated = stated
    .filter(isViolated)
    .map((one) => ({ id: one.id, at: shownBy({ ...one, exchanges: [] }) }));
  const rows = rateWindows(results).map((one) => {
    const against = violated.filter(({ at }) => one.exchanges.some(({ id }) => at.includes(id)));
    return {
      ...one,
      // What is wrong with a header or a refusal says nothing about the number.
      isWrong: against.some(({ id }) => isOfCount(knownAbout(id))),
      against: against.map(({ id }) => id),
      first: sent(one.exchanges[0]),
      last: sent(one.exchanges.at(-1)),
    };
  });
  const isCounted = rows.every(({ isWhole }) => isWhole);
  const over = rows.filter(({ admitted, isWhole }) => isWhole && admitted > limit);
  // A permitted kind of limiter may admit more in what looks like one window.
  const right = over.filter(({ isWrong }) => !isWrong).length;
  return (
    <>
      {[...groupBy(stated, (one) => statusOf(one, results).words)].map(([words, own]) => (
        <p>
          <Badge outcome={own[0].outcome} /> {requirementLinks(own, own.length)}
          {`: ${message(words, 300)}.`}
        </p>
      ))}
      {!isCounted && (
        <p class="note">
          Some of what was admitted may not be counted: it has no <code>X-RateLimit-Reset</code>, or
          one that moves or is wrong.
        </p>
      )}
      {rows.length > 0 && results.exchanges.some(clocksDiffer) && (
        <p class="note">
          Times are by the target’s clock, which differs from the clock of this machine.
        </p>
      )}
      <Windows
        rows={rows}
        empty="No windows: no response contained X-RateLimit-Reset."
        limit={limit}
        last="last request"
        most={ROWS}
        caption={`${plural(rows.length, 'window')} by key${isCounted || over.length > 0 ? `; ${over.length} with more than ${limit} admitted` : ''}${right === 0 ? '' : `, ${right} of them without a finding`}`}
      />
    </>
  );
}
