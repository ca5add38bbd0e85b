// What a comparison of real runs says of a target that did not change, and of one that was mended.
import { beforeAll, describe, expect, it } from 'vitest';
import { headOf } from '../../src/report/model/head.ts';
import { gateByBaseline } from '../../src/report/model/baseline-gate.ts';
import { diffResults } from '../../src/report/model/diff.ts';
import { isViolated } from '../../src/report/model/status.ts';
import type { Results } from '../../src/report/model/results.ts';
import { resultsWith, waiverFileFor } from './real-runs.ts';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-11-20T09:00:00Z');
const FAULTS = [
  'pairs-page-short',
  'summary-dot-us-refused',
  'summary-sol-hk-refused',
  'currency-klines-zero-crash',
  'macro-no-maximum',
];

// Only what the faults are about: the rest takes most of the time.
const ONLY = ['--only', '4.1,4.3,4.6,4/no-5xx'];

let before: Results;
beforeAll(async () => {
  before = await resultsWith(FAULTS, ONLY, START);
});

const subjects = (after: Results, kind: string): readonly string[] =>
  diffResults(before, after).changes.flatMap((one) => (one.kind === kind ? [one.subject] : []));

describe('a target that did not change', () => {
  it.each([
    ['a smaller profile', ['--profile', 'smoke'], ['4.3/listed']],
    ['another seed', [...ONLY, '--seed', '7'], []],
    ['a part of the requirements', ['--only', '4.1,4.3'], []],
  ])('has nothing fixed in a run of %s', async (_, words, passing) => {
    const after = await resultsWith(FAULTS, words, START);
    const outcomes = new Map(after.requirements.map(({ id, outcome }) => [id, outcome]));
    for (const id of passing) expect(outcomes.get(id), id).toBe('passed');
    expect(subjects(after, 'fixed')).toEqual([]);
    expect(subjects(after, 'newly-unverified')).toEqual(expect.arrayContaining(passing));
    const told = gateByBaseline(after, before, ['must']);
    expect(told.gate?.unexpectedPasses).toEqual([]);
    // What --only leaves out is not asked for.
    const stale = words.includes('--only') ? [] : passing;
    expect(told.gate?.stale).toEqual(expect.arrayContaining(stale));
    const head = headOf(told);
    const shown = [head.title, told.sentence, ...head.lines.map(({ text }) => text)].join('\n');
    expect(shown).not.toMatch(/fixed since|out of date|\d fixed/);
  });
});

describe('a waiver of a larger run', () => {
  it('is idle in a smoke run whose checks of the requirement pass, and applies where they do not', async () => {
    const words = ['--profile', 'smoke', '--waivers', waiverFileFor({ results: before })];
    const { waivers } = await resultsWith(FAULTS, words, START);
    const states = new Map(waivers?.map(({ id, state }) => [id, state]));
    expect(states.get('4.3/listed')).toBe('idle');
    expect(states.get('4.1/pairs-page-full')).toBe('applied');
    expect([...states.values()]).not.toContain('unmatched');
  });
});

describe('a target that was mended', () => {
  it('has all of it fixed on another day, with what shows it', async () => {
    const after = await resultsWith([], ONLY, START + 6 * DAY_MS);
    const violated = before.requirements.filter(isViolated).map(({ id }) => id);
    expect(violated.length).toBeGreaterThan(3);
    expect(subjects(after, 'fixed').toSorted()).toEqual(violated.toSorted());
    for (const { kind, subject, exchanges } of diffResults(before, after).changes)
      if (kind === 'fixed') expect(exchanges.length, subject).toBeGreaterThan(0);
  });

  it('has fixed with another seed only what the same requests show', async () => {
    const after = await resultsWith([], [...ONLY, '--seed', '7'], START);
    expect(after.requirements.filter(isViolated)).toEqual([]);
    expect(subjects(after, 'fixed')).toContain('4.3/listed');
    expect(subjects(after, 'newly-unverified')).toContain('4.1/pairs-page-full');
  });
});
