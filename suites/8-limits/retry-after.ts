import { RATE_WINDOW_MS, RESET_TOLERANCE_MS } from '../../src/spec/limits.ts';
import type { Context } from '../../src/judge/context.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import { isObject, type View } from '../../src/judge/view.ts';
import { dateOf } from './clock.ts';
import { kindOf } from './models.ts';
import { isBefore, trafficOf, type RateAnswer } from './traffic.ts';

/** What a unit makes of a number: whole seconds are rounded, down or up, and some add one to be safe. */
const UNITS = {
  seconds: { ms: 1000, less: 1000, more: 2000 },
  milliseconds: { ms: 1, less: 0, more: 0 },
} as const;

type Unit = keyof typeof UNITS;

/** A refusal with a number in retry_after, and what is to be made of it. */
interface Wait {
  readonly answer: RateAnswer;
  readonly number: number;
  /** Least and most time that the wait may take, ms. */
  readonly least: number;
  readonly most: number;
  /** The unit in which the number is such a time; undefined when there is none. */
  readonly unit: Unit | undefined;
}

/**
 * Ruling 14: retry_after is a wait whose unit the announced reset tells. It has to lead to the reset, or before it where
 * older requests are given back one by one: a request may be admitted there long before the whole limit is.
 */
function waitsOf(views: readonly View[], context: Context): readonly Wait[] {
  const { requests, windowMs } = context.limits;
  return trafficOf(views, context).flatMap(({ answers }) => {
    const slides = kindOf(answers, isBefore, context.limits) === 'sliding';
    return answers.flatMap((answer) => {
      const number = answer.kind === 'limited' ? retryAfterOf(answer) : null;
      // Without a reset in milliseconds there is nothing to fit it to; that is judged where it belongs.
      if (number === null || answer.reset === null) return [];
      // Scripts in a page see the headers that they are allowed to see; `Date` is not among them.
      if (context.partial === true && dateOf(answer.view) === null) return [];
      // A weighted counter admits the next one a place's share of a window later than others.
      const bounds = boundsOf(answer, windowMs * (1 + 1 / requests));
      // The wait and the reset may be announced from two readings of a clock.
      const tolerance = context.load === undefined ? RESET_TOLERANCE_MS : 0;
      const most = Math.max(0, bounds.most + tolerance);
      const least = slides ? 0 : Math.max(0, bounds.least - tolerance);
      const unit = (Object.keys(UNITS) as Unit[]).find((name) => {
        const { ms, less, more } = UNITS[name];
        return number * ms >= Math.max(0, least - less) && number * ms <= most + more;
      });
      // A target that is scaled may go on speaking of the minute that the text names.
      const isOfMinute =
        windowMs < RATE_WINDOW_MS && number >= 0 && number * 1000 <= RATE_WINDOW_MS;
      return isOfMinute && unit !== 'seconds' ? [] : [{ answer, number, least, most, unit }];
    });
  });
}

/** `8/retry-after-fits`. */
export const retryAfterFits = judgeAll((views, context, it) => {
  for (const { answer, number, least, most, unit } of waitsOf(views, context)) {
    it.expect(answer.view, unit !== undefined, () => ({
      kind: 'retry-after-differs',
      expected: `${Math.floor(least / 1000)} to ${Math.ceil(most / 1000)} in seconds, or a thousand times that in milliseconds`,
      actual: show(number),
      pointer: '/details/retry_after',
    }));
  }
});

/** `8/retry-after-unit`. */
export const retryAfterUnit = judgeAll((views, context, it) => {
  for (const { answer, unit } of waitsOf(views, context)) {
    if (unit === undefined) it.judged(answer.view);
    else it.read('Unit of retry_after', unit, answer.view);
  }
});

function retryAfterOf({ view }: RateAnswer): number | null {
  const details = isObject(view.body) ? view.body['details'] : undefined;
  const value = isObject(details) ? details['retry_after'] : undefined;
  return typeof value === 'number' ? value : null;
}

/** Least and most time that the wait may take, ms. Where no clock tells when the refusal came, it is anything up to a window. */
function boundsOf(
  { reset, earliest, latest }: RateAnswer,
  windowMs: number,
): { readonly least: number; readonly most: number } {
  if (reset === null || !Number.isFinite(latest)) return { least: 0, most: windowMs };
  return { least: reset - latest, most: Math.min(windowMs, reset - earliest) };
}
