import type { ComponentChildren, VNode } from 'preact';
import { plural } from '../../../text/text.ts';
import { budgetOf, percent } from '../../analysis/budget.ts';
import type { RoleBudget } from '../../analysis/budget.ts';
import { roleWords } from './facts.tsx';
import { reachedVerdict } from '../../model/gate.ts';
import { headOf } from '../../model/head.ts';
import type { OfResults } from './page.ts';
import { Facts } from './parts.tsx';
import type { FactRow } from './parts.tsx';

/** `100,000` */
const grouped = (count: number): string => count.toLocaleString('en-US');

/** Requests of one role, and their share of the quota. */
function roleWordsOf({ requests, keys, busiest, share, left }: RoleBudget): ComponentChildren {
  const several = keys > 1 ? ` with ${keys} keys, at most ${busiest} per key` : '';
  return [
    <strong class="num">{grouped(requests)}</strong>,
    `${several}: ${percent(share)} of the monthly quota`,
    left !== null && `, with ${plural(left, 'request')} left`,
  ];
}

/** Requests by key role, with their share of the monthly quota (§8). */
export function Budget({ results }: OfResults): VNode {
  const { quota, told, roles, free } = budgetOf(results);
  const others = Object.entries(free);
  const [busiest] = roles;
  const sum = others.reduce((total, [, count]) => total + count, 0);
  const rows: readonly FactRow[] = [
    ...roles.map((one): FactRow => [roleWords(one.role), roleWordsOf(one)]),
    [
      'not counted',
      others.length > 0 && [
        <strong class="num">{grouped(sum)}</strong>,
        `: ${others.map(([role, count]) => `${count} ${roleWords(role)}`).join(', ')}`,
      ],
    ],
  ];
  // An incomplete run says nothing about the cost of the next.
  const isWhole = headOf(results).kind === 'suite' && reachedVerdict(results.verdict);
  const fit =
    busiest === undefined || !isWhole ? 0 : Math.floor(quota / Math.max(1, busiest.busiest));
  return (
    <>
      {results.replayed !== undefined && (
        <p class="note">Nothing was sent: this is a replay of a recording.</p>
      )}
      {rows.every(([, content]) => content === false) ? (
        <p>No request was sent.</p>
      ) : (
        <Facts rows={rows} />
      )}
      <p class="note">
        {`Quota per key: ${grouped(quota)} requests a month (${told ? 'target file' : '§8'})`}
        {fit > 0 ? `, enough for ${grouped(fit)} such ${fit === 1 ? 'run' : 'runs'}.` : '.'}
      </p>
    </>
  );
}
