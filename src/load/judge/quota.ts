import { QUOTA_ANSWER, answerTo, wrongShape } from '../../../suites/8-limits/quota.ts';
import { hasErrorShape } from '../../judge/errors.ts';
import type { View } from '../../judge/view.ts';
import { isAdmitted, type KeyedRow } from './keyed.ts';
import type { Ledger } from './ledger.ts';

/**
 * Answers up to the last admission of the quota, whose refusals come from the limiter, and answers to requests sent
 * after it was used up.
 */
export function splitAtQuota(
  rows: readonly KeyedRow[],
  quotaLeft: number,
): { before: readonly KeyedRow[]; after: readonly KeyedRow[] } {
  const last = rows.filter(isAdmitted)[quotaLeft - 1];
  if (last === undefined) return { before: rows, after: [] };
  const { step } = last;
  return {
    // In the burst that uses it up, refusals may be of either kind.
    before: rows.filter((row) => row.step < step || isAdmitted(row)),
    after: rows.filter((row) => !isAdmitted(row) && row.step > step),
  };
}

/** The monthly quota up to its last request, under concurrency (§8, ruling 15). */
export function judgeQuota(
  rows: readonly KeyedRow[],
  refusals: readonly View[],
  quotaLeft: number,
  ledger: Ledger,
): void {
  const admitted = rows.filter(isAdmitted).length;
  const expected = `exactly ${quotaLeft} of ${rows.length} requests admitted`;
  const actual = `${admitted} admitted`;
  if (admitted > quotaLeft) {
    ledger.found('8/quota', null, {
      kind: 'quota-exceeded',
      expected,
      actual,
    });
  }
  ledger.expect('8/quota-not-early', null, admitted >= quotaLeft, () => ({
    kind: 'quota-not-reached',
    expected,
    actual,
  }));
  for (const refusal of refusals) {
    ledger.expect('8/quota', refusal, hasErrorShape(refusal), wrongShape(refusal));
    ledger.read(QUOTA_ANSWER, answerTo(refusal), refusal, '8/quota-answer');
    const { status } = refusal;
    ledger.expect('8/quota', refusal, status >= 400 && status < 500, () => ({
      kind: 'quota-refusal-status',
      expected: 'a status of 400 to 499',
      actual: `status ${status}`,
    }));
  }
}
