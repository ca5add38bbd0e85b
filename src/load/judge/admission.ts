import type { Answer } from './answers.ts';
import { groupBy } from './answers.ts';
import type { JudgeContext } from './context.ts';
import { fixedWindowOf } from './context.ts';
import type { Ledger } from './ledger.ts';

const name = (key: number): string => `key ${key + 1}`;

/**
 * Admission in each window as the answers announce it (§8, ruling 13): at most the limit, and no value of
 * `X-RateLimit-Remaining` given twice. Windows are told apart by the reset that an answer carries and not by a clock,
 * so a request on the edge counts where the target says. Holds for sliding windows too: as long as the announced reset
 * stands still no admission has run out.
 */
export function judgeAnnouncedWindows(
  answers: readonly Answer[],
  context: JudgeContext,
  ledger: Ledger,
): void {
  const { limit, complete } = context;
  const admitted = answers.filter((answer) => answer.admitted && answer.reset !== null);
  for (const window of groupBy(admitted, ({ key, reset }) => `${key} ${reset ?? ''}`).values()) {
    const [first] = window;
    if (first === undefined) continue;
    ledger.expect('8/limit-enforced', window.length <= limit, () => ({
      message: `${name(first.key)} got more admissions in one announced window than the limit`,
      expected: `at most ${limit} until ${first.reset ?? ''}`,
      actual: String(window.length),
    }));
    const values = window.flatMap(({ remaining }) => (remaining === null ? [] : [remaining]));
    const twice = [...groupBy(values, (value) => value)]
      .filter(([, group]) => group.length > 1)
      .map(([value, group]) => `${value} (${group.length} times)`);
    ledger.expect('8/remaining-decrements', twice.length === 0, () => ({
      message: `${name(first.key)} got the same X-RateLimit-Remaining for several requests of one window`,
      expected: 'a value of its own for each admitted request',
      actual: `given more than once: ${twice.join(', ')}`,
    }));
    if (!complete || twice.length > 0 || values.length < window.length) continue;
    const holes = Math.max(...values) - Math.min(...values) + 1 - values.length;
    ledger.expect('8/remaining-decrements', holes === 0, () => ({
      message: `${name(first.key)} skipped values of X-RateLimit-Remaining within one window`,
      expected: 'one less with each admitted request',
      actual: values.toSorted((a, b) => b - a).join(', '),
    }));
  }
}

/** The requests of one key that were due at the same moment. */
export interface Burst {
  readonly key: number;
  readonly step: number;
  readonly answers: readonly Answer[];
}

/** The bursts of a scenario. */
export function burstsOf(answers: readonly Answer[]): Burst[] {
  const due = answers.filter(({ row }) => row.phase === 'burst');
  return [...groupBy(due, ({ key, row }) => `${key} ${row.step}`).values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ key: first.key, step: first.row.step, answers: group }];
  });
}

/** True when some of the burst may have fallen behind an edge of fixed windows: then its count says nothing. */
export function straddles({ answers }: Burst, context: JudgeContext): boolean {
  const from = Math.min(...answers.map(({ t0 }) => t0)) - context.toleranceMs;
  const to = Math.max(...answers.map(({ t1 }) => t1)) + context.toleranceMs;
  return (
    fixedWindowOf(context, from) !== fixedWindowOf(context, to) || to - from > context.windowMs
  );
}

/** A burst into a fresh window: exactly the limit is admitted when at least that many come (§8, ruling 13). */
export function judgeBursts(
  bursts: readonly Burst[],
  context: JudgeContext,
  ledger: Ledger,
): void {
  const { limit } = context;
  const several = new Set(bursts.map(({ key }) => key)).size > 1;
  let left = 0;
  for (const burst of bursts) {
    const sent = burst.answers.length;
    const admitted = burst.answers.filter((answer) => answer.admitted).length;
    const where = `${name(burst.key)}, burst ${burst.step + 1}`;
    const expected = `exactly ${Math.min(limit, sent)} of ${sent}`;
    const actual = `${admitted} admitted`;
    if (admitted > limit) {
      // More than the limit is too much on either side of an edge only beyond twice the limit.
      if (straddles(burst, context) && admitted <= 2 * limit) left += 1;
      else {
        const message = `${where}: more requests were admitted than the limit`;
        ledger.found('8/limit-enforced', { message, expected, actual });
      }
      continue;
    }
    if (straddles(burst, context)) {
      left += 1;
      continue;
    }
    if (sent > limit) ledger.judged('8/limit-enforced');
    const early = admitted < Math.min(limit, sent);
    ledger.expect('8/limit-not-early', !early, () => ({
      message: `${where}: requests within the limit were refused`,
      expected,
      actual,
    }));
    if (!several) continue;
    ledger.expect('8/per-key', !early, () => ({
      message: `${where}: fewer requests were admitted than the key has a right to while other keys were used`,
      expected,
      actual,
    }));
  }
  if (left > 0) {
    ledger.notes.push(`${left} of ${bursts.length} bursts touched the edge of a window and were left out.`);
  }
}

/** No refusal before the limit is spent: a refusal needs that many admissions in its window (§8). */
export function judgeEarlyRefusals(
  answers: readonly Answer[],
  context: JudgeContext,
  ledger: Ledger,
): void {
  if (!context.complete) return;
  const { limit, windowMs, toleranceMs, skewMs } = context;
  for (const ofKey of groupBy(answers, ({ key }) => key).values()) {
    const admitted = ofKey.filter((answer) => answer.admitted);
    const first = ofKey[0];
    if (first === undefined) continue;
    for (const refusal of ofKey) {
      if (!refusal.refused || refusal.reset === null) continue;
      const from = refusal.reset - skewMs - windowMs - toleranceMs;
      // Before the first request of the recording the key may have been used.
      if (from + 2 * toleranceMs < first.t0 - windowMs) continue;
      const inWindow = admitted.filter(({ t0, t1 }) => t1 >= from && t0 <= refusal.t1).length;
      ledger.expect('8/limit-not-early', inWindow >= limit, () => ({
        message: `${name(refusal.key)} was refused before its limit was spent`,
        expected: `${limit} admissions in the window before a refusal`,
        actual: `${inWindow} admissions`,
      }));
    }
  }
}

/** After the announced reset of a refusal, the next request is admitted; hammering in between does not matter (§8). */
export function judgeRecovery(
  answers: readonly Answer[],
  context: JudgeContext,
  ledger: Ledger,
): void {
  const { skewMs, toleranceMs } = context;
  for (const ofKey of groupBy(answers, ({ key }) => key).values()) {
    const resets = new Set(
      ofKey.flatMap(({ refused, reset }) => (refused && reset !== null ? [reset] : [])),
    );
    for (const reset of resets) {
      const at = reset - skewMs + toleranceMs;
      const next = ofKey.find(({ t0 }) => t0 >= at);
      // A long pause says nothing about this reset.
      if (next === undefined || next.t0 > at + context.windowMs) continue;
      // Requests under way at the same time may have taken the place.
      const rivals = ofKey.filter(({ t0, t1 }) => t1 >= at - 2 * toleranceMs && t0 <= next.t1);
      ledger.expect(
        '8/reset',
        rivals.some((answer) => answer.admitted),
        () => ({
          message: `${name(next.key)} was still refused after the announced reset`,
          expected: `admitted from ${reset} on`,
          actual: `refused ${Math.round(next.t0 + skewMs - reset)} ms later`,
        }),
      );
    }
  }
}
