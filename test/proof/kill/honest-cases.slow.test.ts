// The innocent behaviour that was ever taken for a violation, or left undecided: each by name, several on one server.
import { beforeAll, describe, expect, it } from 'vitest';
import { proveTasks } from '../../kept/prove.ts';
import type { ProofTask, Service } from './catalogue.ts';
import { HONEST_CASES } from './honest-cases.ts';
import { choicesIn, problemsOf } from './worlds.ts';

interface HonestCase {
  readonly name: string;
  readonly service: Service;
  readonly choices: Readonly<Record<string, string>>;
}

/** Every case of the table, by service and choices. */
const CASES: readonly HonestCase[] = HONEST_CASES.flatMap(([name, reference, independent]) => {
  const of = (service: Service, lists: readonly string[]): HonestCase[] =>
    lists.map((list) => ({
      name: `${name} (${service}: ${list})`,
      service,
      choices: choicesIn(list.split(' '), service),
    }));
  return [...of('reference', reference), ...of('independent', independent)];
});

/** True for a case of which there is nothing: it would hide others of its kind. */
const isEmpty = ({ choices }: HonestCase): boolean =>
  Object.values(choices).some((value) => value === '0' || value.startsWith('none'));

/**
 * Packs cases into few deployments: each takes every case that contradicts nothing in it, up to `most` of them. Those with
 * nothing keep to themselves.
 */
function packed(cases: readonly HonestCase[], most: number) {
  const deployments: { service: Service; choices: Record<string, string>; cases: HonestCase[] }[] =
    [];
  for (const one of cases) {
    const names = Object.keys(one.choices);
    const room = deployments.find(
      ({ service, choices, cases: held }) =>
        service === one.service &&
        held.length < most &&
        held.every((other) => isEmpty(other) === isEmpty(one)) &&
        names.every((name) => choices[name] === undefined),
    );
    if (room === undefined) {
      deployments.push({ service: one.service, choices: { ...one.choices }, cases: [one] });
    } else {
      Object.assign(room.choices, one.choices);
      room.cases.push(one);
    }
  }
  return deployments;
}

/** Many at once hide each other: a server without news is no server with odd news. */
const MOST = 6;
const FIRST_SEED = 1;

const problems = new Map<HonestCase, readonly string[]>();

beforeAll(async () => {
  const deployments = packed(CASES, MOST);
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
  it.each(CASES.map((one) => [one.name, one] as const))('%s', (_, one) => {
    expect(problems.get(one)).toEqual([]);
  });
});

describe('the list', () => {
  it('holds every case once', () => {
    expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
  });

  it('is packed without loss or contradiction', () => {
    const deployments = packed(CASES, MOST);
    expect(deployments.flatMap(({ cases }) => cases).toSorted(byName)).toEqual(
      CASES.toSorted(byName),
    );
    for (const { choices, cases } of deployments) {
      for (const one of cases) expect(choices).toMatchObject(one.choices);
    }
  });
});

const byName = (a: HonestCase, b: HonestCase): number => (a.name < b.name ? -1 : 1);
