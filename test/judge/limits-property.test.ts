import {
  array,
  assert,
  boolean,
  constant,
  constantFrom,
  double,
  integer,
  oneof,
  property,
  record,
  type Arbitrary,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anchoredWindow,
  fixedWindow,
  slidingWindow,
  type Limiter,
  type LimiterSettings,
} from '../../src/reference/limiter.ts';
import {
  announcingWindow,
  loggingAll,
  tokenBucket,
  weightedCounter,
} from '../../src/reference/other-limiters.ts';
import { findings, recording, REFUSAL, START, WINDOW, type Recording } from './rate-exchanges.ts';

interface Step {
  /** Pause since the step before, ms. */
  readonly pause: number;
  readonly key: number;
  /** Time from sending to the answer; what is sent meanwhile is under way together with it. */
  readonly took: number;
  /** Where in that time the target deals with the request, from 0 to 1. */
  readonly when: number;
  /** Requests that somebody else sends with the same key before it. */
  readonly foreign: number;
  readonly failed: boolean;
}

const LIMITERS: Readonly<Record<string, (settings: LimiterSettings) => Limiter>> = {
  fixed: fixedWindow,
  anchored: anchoredWindow,
  sliding: slidingWindow,
  announcing: announcingWindow,
  logging: loggingAll,
  bucket: tokenBucket,
  weighted: weightedCounter,
};

/** What an honest service makes of the end of a window when it announces it. */
const ANNOUNCED = {
  exactly: (resetAt: number) => resetAt,
  'by another clock': (resetAt: number, _now: number, order: number) => resetAt + ((order * 7) % 4),
  'by instances': (resetAt: number, _now: number, order: number) => resetAt + ((order * 31) % 60),
  'as a rest in seconds': (resetAt: number, now: number) =>
    now + Math.round((resetAt - now) / 1000) * 1000,
  'in whole seconds': (resetAt: number) => Math.ceil(resetAt / 1000) * 1000,
} as const;

interface Scenario {
  readonly kind: string;
  readonly announced: keyof typeof ANNOUNCED;
  /** `Date` compared with the clock of the limiter, ms; null for none. */
  readonly dated: number | null;
  readonly silent: boolean;
  readonly failuresCount: boolean;
  readonly skew: number;
  readonly phase: number;
  readonly steps: readonly Step[];
}

const step = record({
  pause: oneof(
    { weight: 12, arbitrary: integer({ min: 1, max: 400 }) },
    { weight: 1, arbitrary: integer({ min: 1, max: 70_000 }) },
  ),
  key: integer({ min: 0, max: 2 }),
  took: oneof(integer({ min: 0, max: 30 }), integer({ min: 0, max: 3000 })),
  when: double({ min: 0, max: 1, noNaN: true }),
  foreign: oneof({ weight: 12, arbitrary: constant(0) }, integer({ min: 0, max: 4 })),
  failed: boolean(),
});

const scenario: Arbitrary<Scenario> = record({
  kind: constantFrom(...Object.keys(LIMITERS)),
  announced: constantFrom(...(Object.keys(ANNOUNCED) as (keyof typeof ANNOUNCED)[])),
  dated: oneof(constantFrom(0, null), integer({ min: -60_000, max: 60_000 })),
  silent: boolean(),
  failuresCount: boolean(),
  skew: constantFrom(0, 400, -1500, 3_600_000),
  phase: integer({ min: 0, max: WINDOW }),
  steps: array(step, { minLength: 1, maxLength: 90 }),
});

/** What a conforming target answers, in the order in which it deals with the requests. */
function play(drawn: Scenario): Recording {
  const { kind, announced, dated, silent, failuresCount, skew, phase, steps } = drawn;
  const limiter = (LIMITERS[kind] ?? fixedWindow)({ limit: 20, windowMs: WINDOW });
  let sent = phase;
  const requests = steps
    .map((one, order) => {
      sent += one.pause;
      return { ...one, order, sent, at: sent + Math.floor(one.when * one.took) };
    })
    .toSorted((a, b) => a.at - b.at);
  const answered = requests.map((request) => {
    const { at, foreign, failed } = request;
    const key = `k:${request.key}`;
    for (let count = 0; count < foreign; count += 1) limiter.take(key, START + at);
    const taken = limiter.take(key, START + at);
    const uncounted = taken.admitted && failed && !failuresCount;
    const { admitted, remaining, resetAt } = uncounted
      ? { ...limiter.refund(key, START + at, taken), admitted: true }
      : taken;
    return { ...request, key, admitted, remaining, resetAt };
  });
  const recorded = recording();
  for (const one of answered.toSorted((a, b) => a.order - b.order)) {
    const { key, took, admitted, remaining, resetAt, failed, at } = one;
    const quiet = silent && admitted;
    const wait = Math.max(1, Math.ceil((resetAt - START - at) / 1000));
    const details = { ...REFUSAL.details, retry_after: wait };
    recorded.add({
      key,
      at: one.sent,
      took,
      skew,
      ...(dated === null ? { dated: false } : { dateOff: dated }),
      status: admitted ? (failed ? 400 : 200) : 429,
      limit: quiet ? null : 20,
      remaining: quiet ? null : remaining,
      reset: quiet ? null : ANNOUNCED[announced](resetAt, START + at, one.order),
      ...(admitted ? {} : { body: { ...REFUSAL, details } }),
    });
  }
  return recorded;
}

const quick = { pause: 1, key: 0, took: 0, when: 0, foreign: 0, failed: false };
/** A bucket that was used by somebody else, and does not count errors: it fills up, and announces the same end. */
const FILLING: Scenario = {
  kind: 'bucket',
  announced: 'exactly',
  dated: 0,
  silent: false,
  failuresCount: false,
  skew: 0,
  phase: 0,
  steps: [
    { ...quick, foreign: 2 },
    { ...quick, pause: 3086, failed: true },
    { ...quick, failed: true },
  ],
};

/** Three keys within ten milliseconds, whose window is announced a little differently with every answer. */
const AT_ONCE: Scenario = {
  ...FILLING,
  kind: 'fixed',
  announced: 'by another clock',
  steps: [
    { ...quick, key: 2, took: 3 },
    { ...quick, took: 8 },
    quick,
    { ...quick, key: 1, took: 2 },
    { ...quick, key: 2 },
    { ...quick, failed: true },
    { ...quick, failed: true },
    { ...quick, failed: true },
    quick,
    { ...quick, key: 1 },
    { ...quick, key: 2 },
  ],
};

/** A log of three keys that announces whole seconds: each second looks like a window of its own. */
const LOG_IN_SECONDS: Scenario = {
  ...FILLING,
  kind: 'announcing',
  announced: 'in whole seconds',
  phase: 10_206,
  steps: [
    { ...quick, pause: 250 },
    { ...quick, pause: 23, key: 1, failed: true },
    { ...quick, pause: 302, key: 1 },
    { ...quick, pause: 220, took: 435 },
    { ...quick, pause: 125, key: 1, took: 310 },
    { ...quick, pause: 309, key: 2 },
    { ...quick, pause: 293, key: 1 },
    { ...quick, pause: 187, key: 1 },
    { ...quick, pause: 86, took: 3 },
    quick,
    { ...quick, key: 2 },
  ],
};

describe('rules of §8', () => {
  it('raise no false alarm on a conforming target, whoever else uses its keys', () => {
    assert(
      property(scenario, (drawn) => {
        expect(findings(play(drawn))).toEqual([]);
      }),
      { numRuns: 2000, examples: [[FILLING], [AT_ONCE], [LOG_IN_SECONDS]] },
    );
  });
});
