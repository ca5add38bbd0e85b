// The innocent behaviour that was ever taken for a violation, or left undecided: each by name, several on one server.
import { beforeAll, describe, expect, it } from 'vitest';
import { proveTasks } from '../../kept/prove.ts';
import type { ProofTask } from './catalogue.ts';
import { problemsOf } from './worlds.ts';
import { HONEST_CASES, packed, type HonestCase } from './honest-cases.ts';

/** Many at once hide each other: a server without news is no server with odd news. */
const MOST = 6;
const FIRST_SEED = 1;

const problems = new Map<HonestCase, readonly string[]>();

beforeAll(async () => {
  const deployments = packed(HONEST_CASES, MOST);
  const tasks = deployments.map(({ service, choices, cases }, index): ProofTask => ({
    name: `${index}: ${cases.map(({ name }) => name).join(', ')}`,
    service,
    faults: [],
    variants: [],
    profile: 'standard',
    validKeys: 1,
    seed: 1,
    world: { seed: FIRST_SEED + index, choices },
  }));
  const results = await proveTasks(tasks);
  for (const [index, { cases }] of deployments.entries()) {
    const result = results[index];
    const found = result === undefined ? ['did not run'] : problemsOf(result);
    const told = found.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
    for (const one of cases) problems.set(one, told);
  }
}, 900_000);

describe('is neither accused nor left undecided', () => {
  it.each(HONEST_CASES.map((one) => [one.name, one] as const))('%s', (_, one) => {
    expect(problems.get(one)).toEqual([]);
  });
});

describe('the list', () => {
  it('holds every case once', () => {
    expect(new Set(HONEST_CASES.map(({ name }) => name)).size).toBe(HONEST_CASES.length);
  });

  it('is packed without loss or contradiction', () => {
    const deployments = packed(HONEST_CASES, MOST);
    expect(deployments.flatMap(({ cases }) => cases).toSorted(byName)).toEqual(
      HONEST_CASES.toSorted(byName),
    );
    for (const { choices, cases } of deployments) {
      for (const one of cases) expect(choices).toMatchObject(one.choices);
    }
  });
});

const byName = (a: HonestCase, b: HonestCase): number => (a.name < b.name ? -1 : 1);
