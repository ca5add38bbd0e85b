import type { Answer } from './answers.ts';
import { objectOf } from './answers.ts';
import type { JudgeContext } from './context.ts';
import type { Ledger } from './ledger.ts';

/**
 * Answers up to the last admission of the quota, where refusals are those of the limiter, and the ones that were sent
 * after it was used up.
 */
export function splitAtQuota(
  answers: readonly Answer[],
  quotaLeft: number,
): { before: Answer[]; after: Answer[] } {
  const last = answers.filter(({ admitted }) => admitted)[quotaLeft - 1];
  if (last === undefined) return { before: [...answers], after: [] };
  const step = last.row.step;
  return {
    // Of the burst in which it runs out, refusals may be of either kind.
    before: answers.filter((answer) => answer.row.step < step || answer.admitted),
    after: answers.filter((answer) => !answer.admitted && answer.row.step > step),
  };
}

/** The monthly quota to the last request, under concurrency (§8, ruling 15). */
export function judgeQuota(
  answers: readonly Answer[],
  context: JudgeContext,
  ledger: Ledger,
): void {
  const { quotaLeft } = context;
  const admitted = answers.filter((answer) => answer.admitted).length;
  const expected = `exactly ${quotaLeft} of ${answers.length} requests`;
  const actual = `${admitted} admitted`;
  if (admitted > quotaLeft) {
    ledger.found('8/quota', {
      message: 'More requests were admitted than the monthly quota had left',
      expected,
      actual,
    });
  }
  ledger.expect('8/quota-not-early', admitted >= quotaLeft, () => ({
    message: 'Fewer requests were admitted than the monthly quota had left',
    expected,
    actual,
  }));
  const { after } = splitAtQuota(answers, quotaLeft);
  for (const { row, body } of after) {
    const { code, message, details } = objectOf(body);
    const shaped =
      typeof code === 'number' &&
      typeof message === 'string' &&
      typeof details === 'object' &&
      details !== null &&
      !Array.isArray(details);
    ledger.expect('8/quota', shaped && row.status >= 400 && row.status < 500, () => ({
      message: 'The refusal of a used-up quota is not in the error shape',
      expected: 'a status of 400 to 499 and an object with code, message and details',
      actual: `status ${row.status} ${(row.body ?? '').slice(0, 120)}`,
    }));
    ledger.read(
      'Answer when the monthly quota is used up',
      `status ${row.status}, code ${typeof code === 'number' ? code : 'none'}`,
      '8/quota-answer',
    );
  }
}
