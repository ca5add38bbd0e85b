import type { Answer } from './answers.ts';
import { groupBy } from './answers.ts';
import type { JudgeContext } from './context.ts';
import type { Ledger } from './ledger.ts';
import { moment } from '../../text/moment.ts';

const shown = (text: string | null): string => (text === null ? 'missing' : JSON.stringify(text));

/** The rate-limit headers of each answer by itself (§8, ruling 12). */
export function judgeHeaders(
  answers: readonly Answer[],
  context: JudgeContext,
  ledger: Ledger,
): void {
  for (const answer of answers) {
    const { row } = answer;
    if (row.limit !== null) {
      ledger.expect('8/header-limit', answer.limit === context.limit, () => ({
        message: 'X-RateLimit-Limit is not the limit',
        expected: String(context.limit),
        actual: shown(row.limit),
      }));
    }
    if (row.remaining !== null) {
      const { remaining } = answer;
      const highest = answer.refused ? 0 : context.limit - 1;
      const holds = remaining !== null && remaining >= 0 && remaining <= highest;
      ledger.expect('8/header-remaining', holds, () => ({
        message: `X-RateLimit-Remaining of ${answer.refused ? 'a refusal' : 'an admitted request'} is out of range`,
        expected: answer.refused ? '0' : `an integer from 0 to ${highest}`,
        actual: shown(row.remaining),
      }));
    }
    if (row.reset !== null) judgeReset(answer, context, ledger);
  }
  judgePresence(answers, ledger);
}

function judgeReset(answer: Answer, context: JudgeContext, ledger: Ledger): void {
  const { row, reset } = answer;
  const tolerance = context.toleranceMs;
  const earliest = answer.t0 + context.skewMs - tolerance;
  const latest = answer.t1 + context.skewMs + context.windowMs + tolerance;
  const holds = reset !== null && reset >= earliest && reset <= latest;
  ledger.expect('8/header-reset', holds, () => ({
    message: 'X-RateLimit-Reset is not a time in milliseconds at most one window ahead',
    expected: `Unix time in ms from ${moment(Math.round(earliest))} to ${moment(Math.round(latest))}`,
    actual: shown(row.reset),
  }));
}

function judgePresence(answers: readonly Answer[], ledger: Ledger): void {
  const admitted = answers.filter((answer) => answer.admitted);
  if (admitted.length === 0) return;
  const missing = admitted.filter(
    ({ row }) => row.limit === null || row.remaining === null || row.reset === null,
  ).length;
  const answer =
    missing === 0
      ? 'on every admitted answer'
      : missing === admitted.length
        ? 'on refusals only'
        : `mixed: missing on ${missing} of ${admitted.length} admitted answers`;
  ledger.read('Rate-limit headers', answer, '8/headers-present');
  if (missing > 0 && missing < admitted.length) {
    ledger.notes.push(
      `Some admitted answers carry no rate-limit headers (${missing} of ${admitted.length}); a client cannot rely on them.`,
    );
  }
}

/**
 * `X-RateLimit-Reset` from answer to answer of one key never moves back (§8). Admitted requests and refusals are compared
 * each among themselves: a sliding window may announce the end of the minute to the one and the next free place to the
 * other.
 */
export function judgeSteadiness(answers: readonly Answer[], ledger: Ledger): void {
  const announcing = answers.filter(({ reset }) => reset !== null);
  const groups = groupBy(announcing, ({ key, admitted }) => `${key} ${String(admitted)}`);
  for (const group of groups.values()) judgeOrder(group, ledger);
}

/** Real-time order: an answer that was complete before another request was sent. */
function judgeOrder(answers: readonly Answer[], ledger: Ledger): void {
  const byEnd = answers.toSorted((a, b) => a.t1 - b.t1);
  let done = 0;
  let highest = Number.NEGATIVE_INFINITY;
  for (const answer of answers) {
    for (let next = byEnd[done]; next !== undefined && next.t1 < answer.t0; next = byEnd[done]) {
      highest = Math.max(highest, next.reset ?? highest);
      done += 1;
    }
    const reset = answer.reset ?? 0;
    ledger.expect('8/reset-steady', reset >= highest, () => ({
      message: 'X-RateLimit-Reset moved back from one answer to a later one',
      expected: `${moment(highest)} or later`,
      actual: moment(reset),
    }));
  }
}

/**
 * Whether refused requests count (ruling 13), as far as it shows: a refusal that follows another one, with nothing
 * admitted in between and before anything has run out, announces a later reset. Null when no two refusals tell.
 */
export function refusalsCount(
  answers: readonly Answer[],
  { limit, toleranceMs, skewMs }: JudgeContext,
): boolean | null {
  let told: boolean | null = null;
  for (const ofKey of groupBy(answers, ({ key }) => key).values()) {
    // If refused requests counted, the reset would be that of the request which is `limit - 1` before.
    const freeing = (index: number): Answer | undefined => ofKey[index - limit + 1];
    let before: number | undefined;
    for (const [index, answer] of ofKey.entries()) {
      if (answer.admitted) before = undefined;
      if (!answer.refused || answer.reset === null) continue;
      const earlier = before;
      before = index;
      const previous = earlier === undefined ? undefined : ofKey[earlier];
      if (earlier === undefined || previous === undefined || previous.reset === null) continue;
      if (answer.t0 <= previous.t1) continue;
      if (answer.t1 + skewMs + toleranceMs >= previous.reset) continue;
      if (answer.reset > previous.reset) return true;
      const [one, other] = [freeing(earlier), freeing(index)];
      // Requests of the same moment free their places at the same moment, so equal resets tell nothing then.
      if (one !== undefined && other !== undefined && other.t0 > one.t1) told = false;
    }
  }
  return told;
}
