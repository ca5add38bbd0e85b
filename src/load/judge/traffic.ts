import type { RunSummary } from '../plan.ts';
import type { Ledger } from './ledger.ts';

/** Keys below their limit are never refused, and nothing fails, under any traffic (§8, ruling 20). */
export function judgeTraffic(summary: RunSummary, ledger: Ledger): void {
  const count = (status: number): number => summary.byStatus[String(status)] ?? 0;
  const refused = count(429);
  ledger.expect('8/limit-not-early', null, refused === 0, () => ({
    kind: 'refused-below-limit',
    expected: 'no status 429',
    actual: `${refused} of ${summary.sent}`,
  }));
  judgeServerErrors(summary, ledger);
}

/** No status of 500 or above, under any load. */
export function judgeServerErrors(summary: RunSummary, ledger: Ledger): void {
  const errors = Object.entries(summary.byStatus).filter(([status]) => Number(status) >= 500);
  const total = errors.reduce((sum, [, count]) => sum + count, 0);
  ledger.expect('4/no-5xx', null, total === 0, () => ({
    kind: 'server-errors-under-load',
    expected: 'no status of 500 or above',
    actual: errors.map(([status, count]) => `status ${status}, ${count} times`).join(', '),
  }));
}
