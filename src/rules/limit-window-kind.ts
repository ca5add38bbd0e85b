import type { Context } from './context.ts';
import type { Rule } from './judgement.ts';
import { failuresCount, isBefore, pairs, trafficOf, type RateAnswer } from './limit-traffic.ts';

/**
 * Whether the windows of a key are fixed or slide (ruling 13), as its figures show it; `unknown` when both would look
 * the same. Fixed: a window starts anew although several requests are younger than one window. Sliding: the reset moves
 * forward by less than a window, which the end of a fixed window never does.
 */
export function windowKind(
  answers: readonly RateAnswer[],
  { requests, windowMs }: Context['limits'],
): 'fixed' | 'sliding' | 'unknown' {
  let slides = 0;
  for (const [index, b] of answers.entries()) {
    if (b.remaining !== requests - 1 || b.reset === null || b.kind !== 'served') continue;
    const young = answers
      .slice(0, index)
      .filter((a) => a.kind === 'served' && isBefore(a, b) && b.latest - a.earliest < windowMs);
    if (young.length > 1) return 'fixed';
  }
  for (const [a, b] of pairs(answers)) {
    if (a.reset === null || b.reset === null) continue;
    const move = b.reset - a.reset;
    if (move > 0 && move < windowMs * 0.9) slides += 1;
  }
  return slides > 0 ? 'sliding' : 'unknown';
}

const QUESTION = 'Kind of window';

/** §8, ruling 13: which kind of window the target has. */
const kind: Rule = {
  name: 'window-kind',
  requirements: ['8/window-kind'],
  all(views, context, into) {
    let undecided: RateAnswer | undefined;
    let told = false;
    for (const { answers } of trafficOf(views, context)) {
      const announced = answers.filter(({ reset }) => reset !== null);
      const last = announced.at(-1);
      if (last === undefined || announced.length < 2) continue;
      const seen = windowKind(answers, context.limits);
      undecided ??= last;
      if (seen === 'unknown') continue;
      told = true;
      const aligned = announced.every(({ reset }) => (reset ?? 0) % context.limits.windowMs === 0);
      const start = aligned ? 'with the clock' : "with a key's first request";
      const answer = seen === 'fixed' ? `fixed, starting ${start}` : 'sliding';
      into.read(QUESTION, answer, last.view, '8/window-kind');
    }
    if (!told && undecided !== undefined) {
      into.read(QUESTION, 'not told apart', undecided.view, '8/window-kind');
    }
  },
};

/** §8: whether errors count against the limit. */
const counted: Rule = {
  name: 'refused-counted',
  requirements: ['8/refused-counted'],
  all(views, context, into) {
    for (const traffic of trafficOf(views, context)) {
      const answer = failuresCount([traffic]);
      const failed = traffic.answers.find(({ kind: one }) => one === 'failed');
      if (answer === null || failed === undefined) continue;
      into.read(
        'Requests refused with 4xx count against the limit',
        answer ? 'yes' : 'no',
        failed.view,
        '8/refused-counted',
      );
    }
  },
};

export const WINDOW_KIND_RULES: readonly Rule[] = [kind, counted];
