// The seed selects the currencies, tickers and categories of a run at no extra cost.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Results } from '../../src/report/model/results.ts';
import { validate } from '../../src/judge/schema/schemas.ts';
import type { Plan } from '../../src/run/plan.ts';
import { assay, scratch } from './assay.ts';
import { served } from './served.ts';

async function runWith(...flags: readonly string[]): Promise<{ results: Results; text: string }> {
  const output = `seeds ${flags.join(' ')}`;
  // Sequential, because concurrent responses arrive in random order.
  const common = ['--format', 'json', '--concurrency', '1', '--output', output];
  const { code, text } = await assay(['run', ...flags, ...common]);
  expect(code, text).toBe(0);
  const file = path.join(scratch, output, 'results.json');
  return { results: JSON.parse(readFileSync(file, 'utf8')) as Results, text };
}

/**
 * Requests with valid keys, in order: without timestamps and limiter probes, which depend on the windows of the server.
 */
const askedIn = ({ exchanges }: Results): string[] => {
  const all = exchanges
    .filter(({ role }) => role === 'valid')
    .map(({ request }) =>
      JSON.stringify([
        request.method,
        request.path,
        request.query.map(([name, value]) => (/_(time|date)$/.test(name) ? [name] : [name, value])),
      ]),
    );
  return [...new Set(all)];
};

/** Intervals that must be refused, asked of currencies. */
const intervalsIn = ({ exchanges }: Results): readonly string[] =>
  exchanges.flatMap(({ endpoint, role, request }) =>
    endpoint === '/currencies/{currency_id}/klines' && role === 'valid'
      ? request.query.flatMap(([name, value]) =>
          name === 'interval' && value !== '' && value !== '1d' ? [value] : [],
        )
      : [],
  );

const currenciesIn = ({ exchanges }: Results): ReadonlySet<string> =>
  new Set(exchanges.flatMap(({ pathParameters }) => pathParameters['currency_id'] ?? []));

describe('the seed of a run', () => {
  let drawn: Results;
  beforeAll(async () => {
    drawn = (await runWith('--seed', '17')).results;
  });

  it('repeats it request by request', async () => {
    const { results } = await runWith('--seed', '0017');
    expect(askedIn(results)).toEqual(askedIn(drawn));
    expect(results.verdict).toBe(drawn.verdict);
  });

  it('states what is tested, at the same cost and with the same verdict', async () => {
    const { results: usual } = await runWith('--seed', '1');
    expect(drawn.verdict).toBe(usual.verdict);
    expect(askedIn(drawn).length).toBeLessThanOrEqual(askedIn(usual).length);
    expect([usual, drawn].map(intervalsIn)).toEqual([['1h'], ['1w']]);
    const known = currenciesIn(usual);
    expect([...currenciesIn(drawn)].filter((id) => !known.has(id)).length).toBeGreaterThanOrEqual(
      2,
    );
    const asked = new Set(askedIn(usual));
    expect(askedIn(drawn).filter((one) => !asked.has(one)).length).toBeGreaterThan(20);
  });

  it('is that of the day with --rotate, and requests only listed identifiers', async () => {
    const before = Math.floor(Date.now() / 86_400_000);
    const { results, text } = await runWith('--rotate', '--profile', 'smoke');
    expect([before, Math.floor(Date.now() / 86_400_000)]).toContain(results.seed);
    expect(text).toContain(`seed ${results.seed} (from the date, --rotate)`);
    const list = results.exchanges.find(
      ({ endpoint, role }) => endpoint === '/currencies' && role === 'valid',
    );
    const asked = results.exchanges.flatMap(({ endpoint, role, pathParameters }) =>
      endpoint === '/currencies/{currency_id}' && role === 'valid'
        ? (pathParameters['currency_id'] ?? [])
        : [],
    );
    expect(asked).not.toEqual([]);
    for (const id of asked) expect(list?.response?.text).toContain(`"${id}"`);
  });
});

describe('coverage', () => {
  it('is in the results, accumulates over runs, and shows in the plan what is left', async () => {
    const server = await served();
    try {
      const flags = ['-t', server.target, '--only', '4.1,4.5', '--format', 'json'];
      const runs: Results[] = [];
      for (const seed of ['2', '3']) {
        const output = path.join('looked', seed);
        const { code, text } = await assay(['run', ...flags, '--seed', seed, '--output', output]);
        expect(code, text).toBe(0);
        expect(text).toMatch(/Data +\d+ of \d+ currencies/);
        const file = path.join(scratch, output, 'results.json');
        runs.push(JSON.parse(readFileSync(file, 'utf8')) as Results);
      }
      const [one, two] = runs;
      expect(runs.flatMap((results) => validate('results', results))).toEqual([]);
      expect(two?.history?.looked?.['currencyIds']?.toSorted()).toEqual(
        one?.looked?.['currencyIds']?.at.toSorted(),
      );

      const plan = ['plan', '-t', server.target, '--only', '4.1,4.5', '--seed', '4'];
      const next = [...plan, '--output', path.join('looked', 'next')];
      const { stdout } = await assay([...next, '--json']);
      const planned = JSON.parse(stdout) as Plan;
      expect(planned.earlierRuns).toBe(2);
      const currencies = planned.looksAt.find(({ kind }) => kind === 'currencyIds');
      const { at = [], notYet } = currencies ?? {};
      const done = runs.flatMap(({ looked }) => looked?.['currencyIds']?.at ?? []);
      expect(at.some((id) => !done.includes(id))).toBe(true);
      expect(notYet?.length).toBeGreaterThan(0);
      expect(notYet?.filter((id) => [...at, ...done].includes(id))).toEqual([]);
      expect((await assay(next)).stdout).toMatch(/currencies +\d+ of \d+: .+ not tested yet: /);

      // The run tests what was planned.
      const { code } = await assay(['run', ...flags, '--seed', '4', '--output', 'looked/4']);
      expect(code).toBe(0);
      const file = path.join(scratch, 'looked/4', 'results.json');
      const { looked } = JSON.parse(readFileSync(file, 'utf8')) as Results;
      expect(looked?.['currencyIds']?.at.toSorted()).toEqual(at.toSorted());
    } finally {
      await server.stop();
    }
  });
});
