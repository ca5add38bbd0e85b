// Independent requests are sent concurrently, and they are the same as when sent in sequence.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Results } from '../../src/report/model/results.ts';
import { assay, scratch } from '../cli/assay.ts';
import { disturbed } from '../trust/servers.ts';

const LATENCY_MS = 15;

interface Ran {
  readonly results: Results;
  /** Path, query and kind of key of every request, sorted, because times and pool keys vary. */
  readonly asked: readonly string[];
  /** Maximum number of concurrent requests: in total and per valid key. */
  readonly together: { readonly all: number; readonly ofKey: number };
}

async function ran(concurrency: number): Promise<Ran> {
  const now = new Map<string, number>();
  const together = { all: 0, ofKey: 0 };
  const server = await disturbed(
    (request, _response, answer) => {
      const key = String(request.headers['x-api-key'] ?? '');
      const ofKey = (now.get(key) ?? 0) + 1;
      now.set(key, ofKey);
      const all = [...now.values()].reduce((sum, count) => sum + count, 0);
      together.all = Math.max(together.all, all);
      if (server.keys.includes(key)) together.ofKey = Math.max(together.ofKey, ofKey);
      setTimeout(() => {
        now.set(key, (now.get(key) ?? 1) - 1);
        answer();
      }, LATENCY_MS);
    },
    { validKeys: 2 },
  );
  const output = `in flight ${concurrency}`;
  try {
    const flags = `run --only 4.3,5 --format json --concurrency ${concurrency}`.split(' ');
    const { code, text } = await assay([...flags, '-t', server.target, '--output', output]);
    expect(code, text).toBe(0);
  } finally {
    await server.close();
  }
  const file = path.join(scratch, output, 'results.json');
  const results = JSON.parse(readFileSync(file, 'utf8')) as Results;
  const asked = results.exchanges.map(({ role, request: { path: place, query } }) =>
    [role, place, ...query.map(([name, value]) => `${name}=${value}`)].join(' '),
  );
  return { results, asked: asked.toSorted(), together };
}

it('sends the same requests and gets the same results concurrently as sequentially', async () => {
  const [one, six] = [await ran(1), await ran(6)];
  expect(one.together).toEqual({ all: 1, ofKey: 1 });
  expect(six.together).toEqual({ all: 6, ofKey: 1 });
  expect(six.asked).toEqual(one.asked);
  const ends = ({ results }: Ran): unknown =>
    results.requirements.map(({ id, outcome, cause }) => [id, outcome, cause]);
  expect(ends(six)).toEqual(ends(one));
  expect(six.results.verdict).toBe(one.results.verdict);
});
