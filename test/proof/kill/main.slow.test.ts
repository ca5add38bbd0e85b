// What the replay of a clean run shows of faults by operators, and what runs show: dozens of runs.
import { expect, it } from 'vitest';
import { proveOperators } from '../../kept/prove.ts';

it('sees in the replay of a clean run no more than in a run', { timeout: 900_000 }, async () => {
  const faults = ['op/off-by-one/news', 'op/repeated/etfs-history', 'op/gone/currencies-klines'];
  const replayed = await proveOperators(faults, 'replay');
  expect(replayed.text).toMatch(/\d+ of \d+ faults by operators/);
  const run = await proveOperators(faults, 'runs');
  expect(run.text).toMatch(/\d+ of \d+ faults by operators/);
  expect(replayed.survivors).toEqual(run.survivors);
});
