import type { Row } from '../plan.ts';

/** A recorded answer to a request with a key. */
export type KeyedRow = Row & { readonly key: number };

/** The answers to requests with a key, in the order sent. */
export function keyedRows(rows: readonly Row[]): KeyedRow[] {
  return rows.filter((row): row is KeyedRow => row.key !== null && row.status !== 0);
}

export const isAdmitted = ({ status }: Row): boolean => status >= 200 && status < 300;
export const isRefused = ({ status }: Row): boolean => status === 429;

/** The time that `share` (0 to 1) of the answers do not exceed, ms; `sorted` by time, null without answers. */
export function quantile(
  sorted: readonly { readonly ms: number; readonly weight?: number }[],
  share: number,
): number | null {
  const total = sorted.reduce((sum, { weight = 1 }) => sum + weight, 0);
  let seen = 0;
  for (const { ms, weight = 1 } of sorted) {
    seen += weight;
    if (seen >= share * total) return ms;
  }
  return sorted.at(-1)?.ms ?? null;
}
