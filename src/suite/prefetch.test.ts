import { describe, expect, it } from 'vitest';
import type { Check } from '../ask/check.ts';
import { REQUIREMENTS } from '../requirements/catalogue.ts';
import { prefetching } from './prefetch.ts';
import type { BoundCheck } from './checks.ts';

const [requirement] = REQUIREMENTS;

function bound(label: string, asks?: Check['asks']): BoundCheck {
  if (requirement === undefined) throw new Error('there are no requirements');
  const ask: Check['ask'] = () => Promise.resolve([]);
  return {
    requirement,
    profile: 'standard',
    whenNamed: 'standard',
    check: { label, ask, ...(asks && { asks }) },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Checks whose asking ends when the test says so. */
function asking(checks: readonly BoundCheck[], concurrency = 2) {
  const begun: string[] = [];
  const ends = new Map<BoundCheck, { resolve: () => void; reject: (error: Error) => void }>();
  const prefetch = prefetching(checks, concurrency, (one, position) => {
    begun.push(`${position} ${one.check.label ?? ''}`);
    return new Promise<string>((resolve, reject) => {
      ends.set(one, { resolve: () => resolve(`answer to ${one.check.label ?? ''}`), reject });
    });
  });
  /** Lets what a check asks for be answered. */
  const answer = async (one: BoundCheck | undefined): Promise<void> => {
    if (one !== undefined) ends.get(one)?.resolve();
    await turn();
  };
  return { begun, ends, prefetch, answer };
}

describe('prefetching', () => {
  it('prefetches the next checks in order, up to the limit', () => {
    const checks = Array.from({ length: 40 }, (_, index) => bound(String(index)));
    const { begun, prefetch } = asking(checks, 2);
    void prefetch.of(checks[0] ?? bound(''));
    expect(begun).toEqual(Array.from({ length: 16 }, (_, index) => `${index} ${index}`));
  });

  it('gives each check its responses once', async () => {
    const [a, b] = [bound('a'), bound('b')];
    const { begun, prefetch, answer } = asking([a, b]);
    const first = prefetch.of(a);
    await answer(b);
    await answer(a);
    expect(await first).toBe('answer to a');
    expect(await prefetch.of(b)).toBe('answer to b');
    expect(begun).toEqual(['0 a', '1 b']);
  });

  it('prefetches nothing beyond an exclusive check', async () => {
    const [a, alone, b] = [bound('a'), bound('alone', 'alone'), bound('b')];
    const { begun, prefetch, answer } = asking([a, alone, b]);
    const first = prefetch.of(a);
    await answer(a);
    await first;
    expect(begun).toEqual(['0 a']);
    const second = prefetch.of(alone);
    await turn();
    expect(begun).toEqual(['0 a', '1 alone']);
    await answer(alone);
    await second;
    expect(begun).toEqual(['0 a', '1 alone', '2 b']);
  });

  it('passes over a check that asks in turn, which begins when those before it came out', async () => {
    const [a, serial, b] = [bound('a'), bound('serial', 'serial'), bound('b')];
    const { begun, prefetch, answer } = asking([a, serial, b]);
    const first = prefetch.of(a);
    expect(begun).toEqual(['0 a', '2 b']);
    await answer(a);
    await first;
    void prefetch.of(serial);
    expect(begun).toEqual(['0 a', '2 b', '1 serial']);
  });

  it('tells what went wrong to the check that asked, and to no other', async () => {
    const [a, b] = [bound('a'), bound('b')];
    const { ends, prefetch, answer } = asking([a, b]);
    const first = prefetch.of(a);
    ends.get(b)?.reject(new Error('no answer'));
    await answer(a);
    expect(await first).toBe('answer to a');
    await expect(prefetch.of(b)).rejects.toThrow('no answer');
  });

  it('begins nothing more once it is stopped', async () => {
    const checks = Array.from({ length: 40 }, (_, index) => bound(String(index)));
    const { begun, prefetch, answer } = asking(checks, 2);
    void prefetch.of(checks[0] ?? bound(''));
    prefetch.stop();
    await answer(checks[3]);
    expect(begun).toHaveLength(16);
  });

  it('asks one after the other when no more may be under way', async () => {
    const [a, b] = [bound('a'), bound('b')];
    const { begun, prefetch, answer } = asking([a, b], 1);
    const first = prefetch.of(a);
    await answer(a);
    await first;
    expect(begun).toEqual(['0 a']);
  });
});
