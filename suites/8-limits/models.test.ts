import { describe, expect, it } from 'vitest';
import {
  anchoredWindow,
  fixedWindow,
  slidingWindow,
  type Limiter,
  type LimiterSettings,
} from '../../src/reference/limiter.ts';
import { loggingAll, tokenBucket, weightedCounter } from '../../src/reference/other-limiters.ts';
import {
  findings,
  recording,
  START,
  WINDOW,
  type Recording,
} from '../../test/judge/rate-exchanges.ts';
import { kindOf, MODELS, unexplained, type Counted } from './models.ts';

const LIMITS = { requests: 20, windowMs: WINDOW };

/** Send times in ms: bursts and pauses, also across window boundaries. */
const SCHEDULE = [0, 30_000, 59_900, 60_750, 75_000, 119_500, 120_500, 235_000, 241_000].flatMap(
  (at) => Array.from({ length: 21 }, (_, index) => at + index * 40),
);
const EVENLY = Array.from({ length: 120 }, (_, index) => index * 2900);

type Kind = (settings: LimiterSettings) => Limiter;

function play(kind: Kind, schedule: readonly number[], silent = false): Recording {
  const limiter = kind({ limit: 20, windowMs: WINDOW });
  const recorded = recording();
  for (const at of schedule) {
    const { admitted, remaining, resetAt } = limiter.take('k:1', START + at);
    const quiet = silent && admitted;
    recorded.add({
      at,
      took: 5,
      status: admitted ? 200 : 429,
      limit: quiet ? null : 20,
      remaining: quiet ? null : remaining,
      reset: quiet ? null : resetAt,
    });
  }
  return recorded;
}

function countedOf({ exchanges }: Recording): readonly Counted[] {
  return exchanges.map(({ response, sentAt, receivedAt }) => {
    const figure = (name: string): number | null => {
      const text = response?.headers[name];
      return text === undefined ? null : Number(text);
    };
    const reset = figure('x-ratelimit-reset');
    return {
      sentAt,
      receivedAt,
      doubtMs: 0,
      kind: response?.status === 200 ? 'served' : 'limited',
      remaining: figure('x-ratelimit-remaining'),
      reset,
      window: reset,
    };
  });
}

const admittedIn = (recorded: Recording): readonly Counted[] =>
  countedOf(recorded).filter(({ kind }) => kind === 'served');

describe('an honest limiter', () => {
  it.each([
    ['fixed', 'fixed', fixedWindow],
    ['fixed from the first request', 'fixed', anchoredWindow],
    ['a log', 'log', slidingWindow],
    ['a log of refused requests, too', 'log', loggingAll],
    ['a bucket', 'refilled', tokenBucket],
    ['a weighted counter', 'refilled', weightedCounter],
  ] as const)('that is %s is explained by the model %s', (_name, model, kind) => {
    for (const schedule of [SCHEDULE, EVENLY]) {
      for (const silent of [false, true]) {
        const counted = admittedIn(play(kind, schedule, silent));
        expect(Math.min(...MODELS[model](counted, LIMITS))).toBeGreaterThanOrEqual(1);
        expect(unexplained(counted, LIMITS)).toEqual([]);
      }
    }
  });

  it('is identified by kind if conclusive', () => {
    const kinds = [fixedWindow, slidingWindow, tokenBucket].map((kind, index) =>
      kindOf(
        countedOf(play(kind, index === 0 ? SCHEDULE : EVENLY)),
        (a, b) => a.receivedAt <= b.sentAt,
        LIMITS,
      ),
    );
    expect(kinds).toEqual(['fixed', 'sliding', 'sliding']);
  });

  it('may be used by another client, and be restarted', () => {
    let requests = 0;
    const anew: Kind = (settings) => {
      let limiter = anchoredWindow(settings);
      return {
        ...limiter,
        take(bucket, now) {
          requests += 1;
          if (requests === 15) limiter = anchoredWindow(settings);
          if (requests % 7 === 0) limiter.take(bucket, now);
          return limiter.take(bucket, now);
        },
      };
    };
    expect(findings(play(anew, SCHEDULE)).filter((one) => one.includes('enforced'))).toEqual([]);
  });
});

/** Two independent counters used in turn. */
const twoMachines: Kind = (settings) => {
  const machines = [fixedWindow(settings), fixedWindow(settings)] as const;
  let calls = 0;
  return {
    ...machines[0],
    take: (bucket, now) => machines[(calls += 1) % 2 === 0 ? 0 : 1].take(bucket, now),
  };
};

const admitting =
  (limit: number): Kind =>
  ({ windowMs }) =>
    fixedWindow({ limit, windowMs });

/** Counts in windows of another length than announced. */
const lasting =
  (share: number, aheadMs = 0): Kind =>
  ({ limit, windowMs }) => {
    const inner = fixedWindow({ limit, windowMs: windowMs * share });
    return {
      ...inner,
      take: (bucket, now) => ({
        ...inner.take(bucket, now + aheadMs),
        resetAt: (Math.floor(now / windowMs) + 1) * windowMs,
      }),
    };
  };

describe('a dishonest limiter', () => {
  it.each([
    ['admits 25', admitting(25), '8/limit-enforced'],
    ['admits one more', admitting(21), '8/limit-enforced'],
    ['admits one more slowly', admitting(21), '8/limit-enforced', EVENLY.map((at) => at * 0.98)],
    ['counts on two machines', twoMachines, '8/limit-enforced'],
    ['starts anew after half of the window', lasting(0.5), '8/limit-enforced'],
    ['starts anew before the reset', lasting(1, 1000), '8/limit-enforced'],
    ['is not reset when it says so', lasting(2), '8/reset'],
    ['never resets', lasting(1000), '8/reset'],
  ] as const)('that %s is explained by no model', (_name, kind, id, schedule = SCHEDULE) => {
    expect(findings(play(kind, schedule)).some((one) => one.startsWith(id))).toBe(true);
  });

  it('that silently admits 25 is explained by no model', () => {
    const silent = play(
      admitting(25),
      SCHEDULE.map((at) => at * 1.2),
      true,
    );
    expect(findings(silent, { clockTold: true }).some((one) => one.includes('enforced'))).toBe(
      true,
    );
  });
});
