import * as fc from '../../../test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { LimiterModel } from '../../../test/http/limiter-model.ts';
import type { Announces, LimiterKind } from '../../../test/http/limiter-model.ts';
import { BASE, Simulation } from '../../../test/http/pacer-simulation.ts';
import { VirtualTime } from '../../../test/http/virtual-time.ts';
import { DAY } from '../../spec/time.ts';
import type { Settlement } from './key-window.ts';
import { pacerOf } from './pacer.ts';
import { runClock } from './run-clock.ts';

const scenarios = fc.record({
  kind: fc.constantFrom<LimiterKind>('aligned', 'from first request', 'sliding'),
  announces: fc.constantFrom<Announces>('truth', 'nothing', 'seconds', 'stuck remaining'),
  requests: fc.integer({ min: 2, max: 20 }),
  windowMs: fc.constantFrom(60_000, 10_000),
  keys: fc.integer({ min: 1, max: 4 }),
  skewMs: fc.constantFrom(0, 300, -300, 95_000, -7_200_000),
  latencies: fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 7 }),
  phase: fc.integer({ min: 0, max: 9_999 }),
});

describe('limits of keys', () => {
  it('never exceeds the limit of a key in a window, whatever the interleaving', async () => {
    await fc.assert(
      fc.asyncProperty(
        scenarios,
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 9 }),
        async (scenario, count, workers, gaps) => {
          const simulation = new Simulation(scenario);
          await simulation.sendMany(count, workers, gaps);
          expect(simulation.refused).toBe(0);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('counts requests of a window that were sent before it was known', async () => {
    // A fast clock makes the first resets look too distant; then the last response overtakes another.
    const simulation = new Simulation({
      ...BASE,
      kind: 'from first request',
      requests: 5,
      windowMs: 10_000,
      keys: 2,
      skewMs: 300,
      latencies: [0, 0, 6, 17],
      phase: 0,
    });
    await simulation.sendMany(51, 5);
    expect(simulation.refused).toBe(0);
  });

  it('treats keys as one once two of them were refused too early', async () => {
    const simulation = new Simulation({ ...BASE, keys: 8, together: true, phase: 0 });
    await simulation.sendMany(200, 6);
    // Callers would retry refused requests; this test does not.
    expect(simulation.refused).toBeLessThan(20);
    expect(simulation.elapsed).toBeGreaterThan(7 * 60_000);
  });

  it('counts the response that announced a window', async () => {
    // The clock is ahead by less than the resolution of `Date`, so a reset becomes credible only late in its window.
    const simulation = new Simulation({
      ...BASE,
      kind: 'from first request',
      announces: 'stuck remaining',
      requests: 7,
      windowMs: 10_000,
      skewMs: 300,
      latencies: [12, 0],
      phase: 0,
    });
    await simulation.sendMany(26, 6, [4]);
    expect(simulation.refused).toBe(0);
  });

  it('needs at most 1.05 times the minimum number of windows', async () => {
    await fc.assert(
      fc.asyncProperty(
        scenarios,
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 4, max: 40 }),
        async (scenario, count, workers) => {
          const simulation = new Simulation({ ...scenario, windowMs: 60_000 });
          await simulation.sendMany(count, workers);
          const windows = Math.ceil(count / (scenario.requests * scenario.keys));
          expect(simulation.elapsed).toBeLessThanOrEqual(1.05 * windows * 60_000);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('uses the whole limit: forty requests need exactly one wait, for a whole window', async () => {
    const simulation = new Simulation(BASE);
    await simulation.sendMany(40, 8);
    expect(simulation.refused).toBe(0);
    expect(simulation.limiters[0]?.admitted).toBe(40);
    expect(simulation.waits).toHaveLength(1);
    const end = simulation.start + 60_000;
    expect(simulation.waits[0]?.untilMs).toBeGreaterThanOrEqual(end);
    expect(simulation.waits[0]?.untilMs).toBeLessThan(end + 1500);
    expect(simulation.pacer.waitedMs).toBeGreaterThan(58_000);
    expect(simulation.elapsed).toBeLessThan(63_000);
  });

  it('first finds out what an earlier run left of the window', async () => {
    const simulation = new Simulation(BASE);
    for (let used = 0; used < 17; used += 1) simulation.limiters[0]?.handle(simulation.start);
    await simulation.sendMany(10, 10);
    expect(simulation.refused).toBe(0);
    expect(simulation.elapsed).toBeGreaterThan(30_000);
  });

  it('spreads requests over the pool', async () => {
    const simulation = new Simulation({ ...BASE, keys: 4 });
    await simulation.sendMany(40, 6);
    for (const { admitted } of simulation.limiters) expect(Math.abs(admitted - 10)).toBeLessThan(2);
    expect(simulation.waits).toEqual([]);
  });

  it('does not delay roles whose keys are not limited', async () => {
    const simulation = new Simulation(BASE);
    await simulation.sendMany(20, 20);
    await simulation.pacer.acquire({ role: 'unknown' });
    expect(simulation.waits).toEqual([]);
  });
});

describe('refusals', () => {
  it('sends the forced request at once, and the next one after the reset', async () => {
    const simulation = new Simulation(BASE);
    await simulation.sendMany(20, 4);
    const { time } = simulation;
    const before = time.now();
    expect(await time.run(simulation.send({ keyIndex: 0, force: true }))).toBe(429);
    expect(time.now() - before).toBeLessThan(1000);
    expect(await time.run(simulation.send())).toBe(200);
    expect(time.now()).toBeGreaterThan(simulation.start + 30_000);
  });

  it.each([
    ['a month ahead', 30 * DAY],
    ['in the past', -5000],
  ])('does not believe a reset %s', async (_, offset) => {
    const { pacer, time } = new Simulation(BASE);
    const lease = await pacer.acquire({ role: 'valid' });
    lease.settle({ status: 429, announced: { remaining: 0, resetAt: time.now() + offset } });
    const before = time.now();
    const next = await time.run(pacer.acquire({ role: 'valid' }));
    next.settle(null);
    expect(time.now() - before).toBeGreaterThanOrEqual(1000);
    expect(time.now() - before).toBeLessThanOrEqual(1.05 * 60_000);
  });

  it('ignores a counter that is always zero', async () => {
    const { pacer, time, start } = new Simulation(BASE);
    for (let sent = 0; sent < 23; sent += 1) {
      const lease = await time.run(pacer.acquire({ role: 'valid' }));
      const resetAt = time.now() - (time.now() % 60_000) + 60_000;
      lease.settle({ status: 200, announced: { remaining: 0, resetAt } });
    }
    expect(time.now() - start).toBeLessThan(4 * 60_000);
  });
});

describe('irregular responses', () => {
  const answers: Readonly<Record<string, (now: number, count: number) => Settlement | null>> = {
    'no answer at all': () => null,
    'failures without figures': () => ({ status: 500, announced: null }),
    'answers without figures': () => ({ status: 200, announced: null }),
    'a window of five seconds after the other': (now) => ({
      status: 200,
      announced: { remaining: 19, resetAt: now - (now % 5000) + 5000 },
    }),
    'a whole window from now with each answer': (now) => ({
      status: 200,
      announced: { remaining: 19, resetAt: now + 60_000 },
    }),
    'a reset that moves back with each answer': (now, count) => ({
      status: 200,
      announced: { remaining: 19, resetAt: now + 60_000 - count * 2500 },
    }),
    'resets of any kind': (now, count) => ({
      status: count % 3 === 0 ? 500 : 200,
      announced: { remaining: (count * 7) % 20, resetAt: now + ((count * 7919) % 60_000) },
    }),
  };

  it.each(Object.keys(answers))('no window length holds more than the limit: %s', async (name) => {
    const { pacer, time } = new Simulation(BASE);
    const sent: number[] = [];
    for (let count = 0; count < 130; count += 1) {
      const lease = await time.run(pacer.acquire({ role: 'valid' }));
      sent.push(time.now());
      await time.run(time.sleep(15));
      lease.settle(answers[name]?.(time.now(), count) ?? null);
    }
    const most = sent.map((from) => sent.filter((at) => at >= from && at < from + 60_000).length);
    expect(Math.max(...most)).toBeLessThanOrEqual(20);
  });
});

describe('tolerates a Date from another clock', () => {
  it.each([
    ['half a minute behind', -30_000],
    ['half a minute ahead', 30_000],
    ['a minute ahead', 60_000],
  ])('does not have it send too early: %s', async (_, dateOffMs) => {
    for (const kind of ['aligned', 'from first request', 'sliding'] as const) {
      const simulation = new Simulation({ ...BASE, kind, dateOffMs });
      await simulation.sendMany(100, 6);
      expect(simulation.refused).toBe(0);
      expect(simulation.elapsed).toBeLessThan(6 * 60_000);
    }
  });

  it('tolerates a wrong clock that is never announced', async () => {
    const simulation = new Simulation({ ...BASE, skewMs: -40_000, dateOffMs: null });
    await simulation.sendMany(100, 6);
    expect(simulation.refused).toBe(0);
  });

  it('tolerates a reset that is rounded down to a second', async () => {
    const simulation = new Simulation({ ...BASE, kind: 'from first request', announces: 'rest' });
    await simulation.sendMany(100, 6);
    expect(simulation.refused).toBe(0);
  });
});

describe('a target whose clock can be moved', () => {
  it('moves the clock instead of waiting, never during a request', async () => {
    const local = 1_750_000_000_000;
    let offset = 0;
    let underWay = 0;
    const limiter = new LimiterModel({ ...BASE, announces: 'truth' });
    const pacer = pacerOf({
      requests: 20,
      windowMs: 60_000,
      keys: { valid: 1 },
      clock: runClock({
        now: () => local,
        advance: (ms) => {
          expect(underWay).toBe(0);
          offset += ms;
          return Promise.resolve(local + offset);
        },
      }),
      skewMs: () => 0,
    });
    const send = async (): Promise<void> => {
      const lease = await pacer.acquire({ role: 'valid' });
      underWay += 1;
      await new Promise((resolve) => setImmediate(resolve));
      const answer = limiter.handle(local + offset);
      underWay -= 1;
      lease.settle(answer);
    };
    await Promise.all(Array.from({ length: 65 }, send));
    expect(limiter).toMatchObject({ admitted: 65, refused: 0 });
    expect(offset).toBeLessThanOrEqual(3 * 61_200);
    expect(pacer.waitedMs).toBe(offset);
  });

  it('passes a failure of the control API to all waiters, and waits no longer', async () => {
    let now = 0;
    const clock = runClock({
      now: () => now,
      advance: () => Promise.reject(new Error('no control')),
    });
    const pacer = pacerOf({
      requests: 1,
      windowMs: 1000,
      keys: { valid: 1 },
      clock,
      skewMs: () => 0,
    });
    const lease = await pacer.acquire({ role: 'valid' });
    lease.settle({ status: 200, announced: null });
    await expect(pacer.acquire({ role: 'valid' })).rejects.toThrow('no control');
    now += 86_400_000;
    expect(pacer.waitedMs).toBe(0);
  });
});

describe('interruption', () => {
  it('ends all waits with its reason', async () => {
    const stop = new AbortController();
    const time = new VirtualTime();
    const pacer = pacerOf({
      requests: 1,
      windowMs: 60_000,
      keys: { valid: 1 },
      clock: runClock({ now: time.now, sleep: time.sleep }),
      skewMs: () => 0,
      signal: stop.signal,
    });
    const lease = await pacer.acquire({ role: 'valid' });
    lease.settle({ status: 200, announced: null });
    const waiting = pacer.acquire({ role: 'valid' });
    stop.abort(new Error('interrupted'));
    await expect(waiting).rejects.toThrow('interrupted');
    await expect(pacer.acquire({ role: 'valid' })).rejects.toThrow('interrupted');
  });
});
