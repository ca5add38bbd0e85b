import { ERRORS } from '../../spec/error-codes.ts';
import { bits, stream, unit } from '../data/prng.ts';
import type { Admission, Limiter, LimiterSettings } from '../limiter.ts';
import { onAdmission, onError } from '../vocabulary.ts';
import type { FurtherAnswers } from './allowed.ts';
import { changing, dimension, type ChoiceMaker, type Dimension } from './dimension.ts';

/** Tokens that come back one by one; the announced reset is the moment when all of them are back. */
function bucket({ limit, windowMs }: LimiterSettings): Limiter {
  const each = windowMs / limit;
  /** When each bucket is full again. */
  const fullAt = new Map<string, number>();
  const say = (name: string, now: number, admitted: boolean): Admission => {
    const full = Math.max(now, fullAt.get(name) ?? now);
    const missing = (full - now) / each;
    return {
      admitted,
      limit,
      remaining: Math.max(0, Math.floor(limit - missing)),
      // A full bucket has nothing to wait for; it names the moment when one more request would be forgotten.
      resetAt: Math.ceil(Math.max(full, now + each)),
    };
  };
  return {
    take(name, now) {
      const full = Math.max(now, fullAt.get(name) ?? now);
      const admitted = (full - now) / each <= limit - 1;
      if (admitted) fullAt.set(name, full + each);
      return say(name, now, admitted);
    },
    refund(name, now) {
      fullAt.set(name, (fullAt.get(name) ?? now) - each);
      return say(name, now, true);
    },
  };
}

/** Windows of equal length that begin at another moment for each key. */
function staggered({ limit, windowMs }: LimiterSettings): Limiter {
  const counts = new Map<string, { window: number; count: number }>();
  const offsetOf = (name: string): number => stream(7, 'stagger', name) % windowMs;
  return {
    take(name, now) {
      const offset = offsetOf(name);
      const window = Math.floor((now - offset) / windowMs);
      const resetAt = (window + 1) * windowMs + offset;
      const known = counts.get(name);
      const count = known?.window === window ? known.count : 0;
      const admitted = count < limit;
      if (admitted) counts.set(name, { window, count: count + 1 });
      return { admitted, limit, remaining: admitted ? limit - count - 1 : 0, resetAt };
    },
    refund(name, _now, admission) {
      const known = counts.get(name);
      if (known === undefined) return admission;
      counts.set(name, { ...known, count: Math.max(0, known.count - 1) });
      return { ...admission, remaining: admission.remaining + 1 };
    },
  };
}

/** Announces the reset as `say` has it; the window itself ends when it ends. */
const announced =
  (say: (resetAt: number, now: number, random: () => number) => number): ChoiceMaker =>
  (seed) => {
    const source = stream(seed, 'announcement');
    let count = 0;
    const random = (): number => unit(source, (count += 1));
    return changing({
      hooks: onAdmission((admission, { now }) => ({
        ...admission,
        resetAt: say(admission.resetAt, now, random),
      })),
    });
  };

/** Other ways to count, by the question of variants. */
export const LIMITER_ANSWERS: FurtherAnswers = {
  'kind of window': {
    bucket: changing({ hooks: { limiter: bucket } }),
    'other-for-each-key': changing({ hooks: { limiter: staggered } }),
  },
};

/** What the limiter says, and who else it counts. */
export const LIMITER_DIMENSIONS: readonly Dimension[] = [
  dimension('announced-reset', 'exact', {
    'some-ms-off': announced((resetAt, _now, random) => resetAt + Math.floor(random() * 7)),
    'of-instances-with-other-clocks': announced(
      (resetAt, _now, random) => resetAt + 12 * Math.floor(random() * 3),
    ),
    'in-whole-seconds': announced((resetAt) => Math.ceil(resetAt / 1000) * 1000),
    'nearest-second': announced((resetAt) => Math.round(resetAt / 1000) * 1000),
    'seconds-left-added-to-the-clock': announced(
      (resetAt, now) => now + Math.ceil((resetAt - now) / 1000) * 1000,
    ),
    'ms-left-added-to-a-clock': announced(
      (resetAt, now, random) => now + (resetAt - now) + Math.floor(random() * 3),
    ),
  }),
  dimension('code-of-refusals', 'six-digits', {
    // The body that the text shows, while everything else follows its table.
    'as-in-the-example': changing({
      hooks: onError('tooManyRequests', (body) => ({ ...body, code: ERRORS.tooManyRequests.twin })),
    }),
  }),
  dimension('other-users-of-the-key', 'none', {
    one: (seed) => {
      const source = stream(seed, 'other-user');
      let count = 0;
      return changing({
        hooks: {
          limiter: (_settings, limiter) => ({
            ...limiter,
            take(name, now) {
              count += 1;
              // A request of somebody else, now and then: it takes a place of the window that nobody here sees.
              if (bits(source, count) % 15 === 0) limiter.take(name, now);
              return limiter.take(name, now);
            },
          }),
        },
      });
    },
  }),
];
