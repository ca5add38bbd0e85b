import { STATUS } from '../../src/contract/finding.ts';
import type { Context } from '../../src/rules/context.ts';
import type { Criterion } from '../../src/rules/criterion.ts';
import type { Judgement } from '../../src/rules/judgement.ts';
import { isBefore, span, type KeyTraffic, type RateAnswer } from './traffic.ts';

/** What may be wrong with announced times, and whether the clock of the target is known to the millisecond. */
interface Announced {
  readonly wobbleMs: number;
  readonly clockTold: boolean;
}

/**
 * §8, ruling 13: counts what was admitted from one refusal to the next, so that a target that announces its windows with
 * refusals only is judged, too. Two resets less than two windows apart leave room for a single fixed window between them.
 * True when more was admitted than any honest limiter allows.
 */
export function judgeBetweenRefusals(
  { answers }: KeyTraffic,
  announced: Announced,
  { limits }: Pick<Context, 'limits'>,
  criterion: Criterion,
  into: Judgement,
): boolean {
  let before: RateAnswer | undefined;
  let admitted: RateAnswer[] = [];
  let excess = false;
  for (const answer of answers) {
    if (answer.kind === 'served') admitted.push(answer);
    if (answer.kind !== 'limited') continue;
    const own = inOneWindow({ before, admitted, refusal: answer }, announced, limits.windowMs);
    const extra = firstBeyond(own, limits);
    if (extra !== undefined) {
      excess = true;
      into.found(criterion, extra.view, {
        message: `${own.length} requests of one key were admitted in the window that ${answer.view.exchange.id} refuses`,
        expected: `429 for the request after the ${limits.requests} that the window admits`,
        actual: `status ${extra.view.status} on one that comes after them`,
        header: STATUS,
      });
    }
    before = answer;
    admitted = [];
  }
  return excess;
}

/** Requests that were admitted after one refusal, if there was one, and before another. */
interface Round {
  readonly before: RateAnswer | undefined;
  readonly admitted: readonly RateAnswer[];
  readonly refusal: RateAnswer;
}

/** Those of a round that surely fall into one window, if windows are fixed. */
function inOneWindow(
  { before, admitted, refusal }: Round,
  { wobbleMs, clockTold }: Announced,
  windowMs: number,
): readonly RateAnswer[] {
  const { reset } = refusal;
  if (reset === null) return [];
  const own = admitted.filter(
    (answer) => isBefore(answer, refusal) && (before === undefined || isBefore(before, answer)),
  );
  const apart = reset - (before?.reset ?? Number.NEGATIVE_INFINITY);
  if (apart >= windowMs - 2 * wobbleMs && apart < 2 * (windowMs - wobbleMs)) return own;
  if (!clockTold || reset < refusal.earliest) return [];
  return own.filter(({ earliest }) => earliest >= reset - windowMs + wobbleMs);
}

/**
 * The first request beyond what any honest limiter admits within one window: the limit, and as much again as a bucket
 * gives back, or a weighted counter forgets, in the meantime.
 */
function firstBeyond(
  own: readonly RateAnswer[],
  { requests, windowMs }: Context['limits'],
): RateAnswer | undefined {
  const last = own.at(-1);
  const begin = own.findIndex((first, index) => {
    const passed = last === undefined ? 0 : span(first, last) + last.doubtMs;
    return own.length - index > requests * (1 + passed / windowMs);
  });
  return begin === -1 ? undefined : own[begin + requests];
}
