import type { VNode } from 'preact';
import { ENDPOINT_PATHS } from '../../../spec/endpoints.ts';
import { KEY_ROLES, type KeyRole } from '../../../spec/exchange.ts';
import { MONTHLY_QUOTA } from '../../../spec/limits.ts';
import { accessOf } from '../../../requirements/access.ts';
import { groupBy } from '../../../text/group-by.ts';
import type { OfResults } from './page.ts';
import { Facts, grouped, roleWords, type FactRow } from './parts.tsx';

/** `0.14 %`, with a non-breaking space; `under 0.01 %` for anything smaller. */
export function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 0.01) return 'under 0.01\u00a0%';
  return `${value === 0 || value >= 10 ? Math.round(value) : Number(value.toPrecision(2))}\u00a0%`;
}

/** A key that is refused everywhere has no quota. */
const hasQuota = (role: KeyRole): boolean =>
  ENDPOINT_PATHS.some((path) => accessOf(role, path, []).allowed);

/** Requests by key role, and the share of the monthly quota (§8) of the most used key of each. */
export function Budget({ results }: OfResults): VNode {
  const { requests, exchanges, settings, replayed } = results;
  const quota = settings?.limits.monthlyQuota || MONTHLY_QUOTA;
  const rows = KEY_ROLES.flatMap((role): FactRow[] => {
    const count = requests.byRole[role] ?? 0;
    if (count === 0) return [];
    const keys = groupBy(
      exchanges.filter((one) => one.role === role && one.key !== null),
      ({ key }) => key,
    );
    const busiest = Math.max(...[...keys.values()].map(({ length }) => length), 0) || count;
    const several = keys.size > 1 ? ` with ${keys.size} keys, at most ${busiest} per key` : '';
    const share = hasQuota(role)
      ? `${percent(busiest / quota)} of the monthly quota`
      : 'not counted against a quota';
    return [[roleWords(role), [<strong>{grouped(count)}</strong>, `${several}: ${share}`]]];
  });
  return (
    <>
      {replayed !== undefined && (
        <p class="note">Nothing was sent: this is a replay of a recording.</p>
      )}
      {rows.length === 0 ? <p>No request was sent.</p> : <Facts rows={rows} />}
      <p class="note">
        {`Quota per key: ${grouped(quota)} requests a month (${quota === MONTHLY_QUOTA ? '§8' : 'target file'}).`}
      </p>
    </>
  );
}
