// A sample of the proof, and what the replay of a clean run shows of faults by operators: dozens of runs.
import { expect, it } from 'vitest';
import { listFaults, listVariants } from '#src/reference/catalog.ts';
import { prove, proveOperators } from '../kept/prove.ts';

/** Many whole runs: what matters is that they end, also on a machine that is busy with others. */
const LONG_MS = 900_000;

// Continuous integration runs the whole of it as a step of its own.
it.skipIf(process.env['CI'] !== undefined)(
  'holds for a sample of faults and variants',
  { timeout: LONG_MS },
  async () => {
    const { code, text } = await prove('--sample', '58', '--repeat', '1');
    const all = /faults killed +(\d+) of (\d+) [^]*\nvariants green +(\d+) of (\d+)\n/.exec(text);
    const [killed, faults, green, variants] = (all ?? []).slice(1).map(Number);
    expect([killed, green], text).toEqual([faults, variants]);
    expect(faults).toBeGreaterThanOrEqual(Math.floor(listFaults().length / 58));
    expect(variants).toBeGreaterThanOrEqual(Math.floor(listVariants().length / 58));
    expect(text).toContain('The proof holds.');
    expect(code).toBe(0);
  },
);

it('sees in the replay of a clean run no more than in a run', { timeout: LONG_MS }, async () => {
  const faults = [
    'op/repeated/etfs-history',
    // One that is seen and one that is not.
    'op/ignored/currencies-pairs.page/with-page_size',
    'op/emptied/news.id',
  ];
  const replayed = await proveOperators(faults, 'replay');
  expect(replayed.text).toMatch(/\d+ of \d+ faults by operators/);
  expect(replayed.survivors.length).toBeGreaterThanOrEqual(1);
  const run = await proveOperators(faults, 'runs');
  expect(run.text).toMatch(/\d+ of \d+ faults by operators/);
  expect(replayed.survivors).toEqual(run.survivors);
});
