import type { Answer } from './answers.ts';
import { groupBy } from './answers.ts';
import type { JudgeContext } from './context.ts';
import { fixedWindowOf } from './context.ts';
import { refusalsCount } from './headers.ts';
import type { Ledger } from './ledger.ts';
import { moment } from '../../text/moment.ts';

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
      expected: `at most ${limit} until ${moment(first.reset)}`,
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

/** When the first request of a burst was sent and its last answer was there. */
const spanOf = ({ answers }: Burst): { from: number; to: number } => ({
  from: Math.min(...answers.map(({ t0 }) => t0)),
  to: Math.max(...answers.map(({ t1 }) => t1)),
});

/** True when some of the burst may have fallen behind an edge of fixed windows: then its count says nothing. */
export function straddles({ answers }: Burst, context: JudgeContext): boolean {
  const from = Math.min(...answers.map(({ t0 }) => t0)) - context.toleranceMs;
  const to = Math.max(...answers.map(({ t1 }) => t1)) + context.toleranceMs;
  return (
    fixedWindowOf(context, from) !== fixedWindowOf(context, to) || to - from > context.windowMs
  );
}

/** A burst into a fresh window: exactly the limit is admitted when at least that many come (§8, ruling 13). */
export function judgeBursts(bursts: readonly Burst[], context: JudgeContext, ledger: Ledger): void {
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
    const previous = bursts.find(({ key, step }) => key === burst.key && step === burst.step - 1);
    const free =
      previous === undefined ||
      spanOf(previous).to + context.windowMs + context.toleranceMs < spanOf(burst).from;
    // A sliding window still holds requests of a burst that came less than a window before.
    if (straddles(burst, context) || (!free && admitted < Math.min(limit, sent))) {
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
    ledger.notes.push(
      `${left} of ${bursts.length} bursts were not surely inside one fresh window and were left out.`,
    );
  }
}

/**
 * Admission in the windows that refusals announce: at most the limit in the window before the reset, whether or not
 * admitted answers carry headers (§8). Only admissions that were surely inside are counted.
 */
export function judgeRefusedWindows(
  answers: readonly Answer[],
  context: JudgeContext,
  ledger: Ledger,
): void {
  const { limit, windowMs, toleranceMs, skewMs } = context;
  for (const ofKey of groupBy(answers, ({ key }) => key).values()) {
    const admitted = ofKey.filter((answer) => answer.admitted);
    const resets = new Set(
      ofKey.flatMap(({ refused, reset }) => (refused && reset !== null ? [reset] : [])),
    );
    for (const reset of [...resets].slice(0, RESETS_JUDGED)) {
      const to = reset - skewMs - toleranceMs;
      const from = reset - skewMs - windowMs + toleranceMs;
      const inside = admitted.filter(({ t0, t1 }) => t0 >= from && t1 <= to).length;
      ledger.expect('8/limit-enforced', inside <= limit, () => ({
        message: `${name(ofKey[0]?.key ?? 0)} got more admissions in the window before an announced reset than the limit`,
        expected: `at most ${limit} in the ${windowMs} ms before ${moment(reset)}`,
        actual: String(inside),
      }));
    }
  }
}

/** A sliding window announces a reset of its own with each refusal; more of them show nothing new. */
const RESETS_JUDGED = 200;

/** Bursts on both sides of an edge: at most the limit on either side (§8, ruling 13). */
export function judgeEdges(
  answers: readonly Answer[],
  { limit }: JudgeContext,
  ledger: Ledger,
): void {
  const edges = groupBy(
    answers.filter(({ row }) => row.phase === 'edge'),
    ({ row }) => row.step,
  );
  for (const [step, group] of edges) {
    const admitted = group.filter((answer) => answer.admitted).length;
    ledger.expect('8/limit-enforced', admitted <= 2 * limit, () => ({
      message: `Edge ${step + 1}: more requests were admitted than two windows allow`,
      expected: `at most ${2 * limit} of ${group.length}`,
      actual: `${admitted} admitted`,
    }));
    ledger.expect('8/limit-not-early', admitted >= limit, () => ({
      message: `Edge ${step + 1}: requests within the limit were refused`,
      expected: `at least ${limit} of ${group.length}`,
      actual: `${admitted} admitted`,
    }));
  }
}

/** A good key that asks for a plain list is admitted or refused with 429; no other refusal is stated (§8). */
export function judgeStatuses(answers: readonly Answer[], ledger: Ledger): void {
  for (const { row, admitted, refused } of answers) {
    if (admitted || refused || row.status >= 500) continue;
    ledger.found('8/limit-enforced', {
      message: 'A request of a good key was refused with another status than 429',
      expected: 'status 200 or 429',
      actual: `status ${row.status}`,
    });
  }
}

/**
 * No refusal before the limit is spent: a refusal needs that many admissions in its window (§8). Where refused requests
 * count, they stand beside the admissions.
 */
export function judgeEarlyRefusals(
  answers: readonly Answer[],
  context: JudgeContext,
  ledger: Ledger,
): void {
  if (!context.complete) return;
  const { limit, windowMs, toleranceMs, skewMs } = context;
  // Refusals of one burst overlap and may not tell; then nothing is held against the target that might be allowed.
  const counted = refusalsCount(answers, context) !== false;
  for (const ofKey of groupBy(answers, ({ key }) => key).values()) {
    const [first] = ofKey;
    if (first === undefined) continue;
    for (const refusal of ofKey) {
      if (!refusal.refused || refusal.reset === null) continue;
      // A sliding window may announce a whole window from now: what counts for it is the window before the refusal.
      const ends = Math.min(refusal.reset - skewMs, refusal.t0);
      const from = ends - windowMs - toleranceMs;
      // Before the first request of the recording the key may have been used.
      if (from < first.t0 - windowMs) continue;
      const inWindow = ofKey.filter(
        (other) =>
          // Where refused requests count, the reset is that of a window which holds this one too.
          (other.admitted || counted) && other.t1 >= from && other.t0 <= refusal.t1,
      ).length;
      ledger.expect('8/limit-not-early', inWindow >= limit, () => ({
        message: `${name(refusal.key)} was refused before its limit was spent`,
        expected: `${limit} admissions in the window before a refusal`,
        actual: `${inWindow} admissions`,
      }));
    }
  }
}

/**
 * After the announced reset a refused request is admitted (§8). Judged on each request that follows a refusal whose
 * reset has passed by then; what an earlier refusal announced does not matter, since refused requests may count.
 */
export function judgeRecovery(
  answers: readonly Answer[],
  context: JudgeContext,
  ledger: Ledger,
): void {
  const { skewMs, toleranceMs, windowMs } = context;
  for (const ofKey of groupBy(answers, ({ key }) => key).values()) {
    const judged = new Set<number>();
    const byEnd = ofKey.toSorted((a, b) => a.t1 - b.t1);
    let done = 0;
    let last: Answer | undefined;
    let refusal: Answer | undefined;
    for (const answer of ofKey) {
      for (let next = byEnd[done]; next !== undefined && next.t1 < answer.t0; next = byEnd[done]) {
        last = next;
        if (next.refused) refusal = next;
        done += 1;
      }
      if (last === undefined || refusal === undefined || refusal.reset === null) continue;
      const { reset } = refusal;
      const at = reset - skewMs + toleranceMs;
      // A pause of more than a window says nothing about this reset.
      if (answer.t0 < at || answer.t0 > at + windowMs || judged.has(reset)) continue;
      // Admissions since then may have spent the key again: a refusal proves nothing any more.
      if (!last.refused && !answer.admitted) continue;
      judged.add(reset);
      // Requests under way at the same time may have taken the place.
      const rivals = ofKey.filter(({ t0, t1 }) => t1 >= at - 2 * toleranceMs && t0 <= answer.t1);
      ledger.expect(
        '8/reset',
        rivals.some(({ admitted }) => admitted),
        () => ({
          message: `${name(answer.key)} was still refused after the announced reset`,
          expected: `admitted from ${moment(reset)} on`,
          actual: `refused ${Math.round(answer.t0 + skewMs - reset)} ms later`,
        }),
      );
    }
  }
}
