import { RESET_TOLERANCE_MS } from '../../src/contract/limits.ts';
import type { Context } from '../../src/rules/context.ts';
import type { Rule } from '../../src/rules/judgement.ts';
import {
  failuresCount,
  gap,
  isBefore,
  pairs,
  refusalsCount,
  span,
  trafficOf,
  type RateAnswer,
} from './traffic.ts';
import { criteria } from '../../src/rules/criterion.ts';

/** What this file decides. */
export const LIMIT_WINDOW_KIND = criteria('windowKind', 'refusedCounted');

/** A reset that moves by this share of the window length or more is that of another window. */
export const NEXT_WINDOW = 0.9;

/**
 * Whether the windows of a key are fixed or slide (ruling 13), as its figures show it; `unknown` when both would look
 * the same. Fixed: a window starts anew although more requests are younger than one window than a bucket could have
 * given back since. Sliding, a bucket being one kind of it: the reset moves forward by less than a window, which the end
 * of a fixed window never does.
 */
export function windowKind(
  answers: readonly RateAnswer[],
  { requests, windowMs }: Pick<Context['limits'], 'requests' | 'windowMs'>,
): 'fixed' | 'sliding' | 'unknown' {
  for (const [index, b] of answers.entries()) {
    if (b.remaining !== requests - 1 || b.reset === null || b.kind !== 'served') continue;
    let younger = 0;
    for (let at = index - 1; ; at -= 1) {
      const a = answers[at];
      if (a === undefined || gap(a, b) >= windowMs) break;
      if (a.kind !== 'served' || !isBefore(a, b)) continue;
      younger += 1;
      const age = span(a, b);
      if (age < windowMs * YOUNG && younger > 1 + Math.ceil((age * requests) / windowMs)) {
        return 'fixed';
      }
    }
  }
  // By more than announcements of one window may differ, and by less than the next window.
  const slides = pairs(answers).some(([a, b]) => {
    const move = (b.reset ?? 0) - (a.reset ?? 0);
    return (
      a.reset !== null &&
      b.reset !== null &&
      move > Math.min(RESET_TOLERANCE_MS, windowMs / 4) &&
      move < windowMs * NEXT_WINDOW
    );
  });
  return slides ? 'sliding' : 'unknown';
}

/** Ages are known from clocks that are compared better and better: only what is clearly younger than a window counts. */
const YOUNG = 0.95;

const QUESTION = 'Kind of window';

/** §8, ruling 13: which kind of window the target has. */
const kind: Rule = {
  name: 'window-kind',
  judges: [LIMIT_WINDOW_KIND.windowKind],
  all(views, context, into) {
    // Under load, probes of its own tell it better.
    if (context.load !== undefined) return;
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
      into.read(QUESTION, answer, last.view, LIMIT_WINDOW_KIND.windowKind);
    }
    if (!told && undecided !== undefined) {
      into.read(QUESTION, 'not told apart', undecided.view, LIMIT_WINDOW_KIND.windowKind);
    }
  },
};

/** §8: whether errors count against the limit. */
const counted: Rule = {
  name: 'refused-counted',
  judges: [LIMIT_WINDOW_KIND.refusedCounted],
  all(views, context, into) {
    for (const traffic of trafficOf(views, context)) {
      const { answers, complete } = traffic;
      const refused = complete ? refusalsCount(answers, context.limits.requests) : null;
      const refusal = answers.find(({ kind: one }) => one === 'limited');
      if (refused !== null && refusal !== undefined) {
        const text = refused ? 'yes' : 'no';
        into.read('Refused requests count', text, refusal.view, LIMIT_WINDOW_KIND.refusedCounted);
      }
      const answer = failuresCount([traffic]);
      const failed = traffic.answers.find(({ kind: one }) => one === 'failed');
      if (answer === null || failed === undefined) continue;
      into.read(
        'Requests refused with 4xx count against the limit',
        answer ? 'yes' : 'no',
        failed.view,
        LIMIT_WINDOW_KIND.refusedCounted,
      );
    }
  },
};

export const WINDOW_KIND_RULES: readonly Rule[] = [kind, counted];
