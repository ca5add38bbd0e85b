// The short form of `npm run prove`: a fault of every corner, a few variants, and what holds for all of them on paper.
import { describe, expect, it } from 'vitest';
import { REQUIREMENTS } from '#src/requirements/catalogue.ts';
import { listFaults, listVariants } from '#src/reference/catalog.ts';
import { checksOf } from '#src/suite/checks.ts';
import { prove, proveOperators } from '../../kept/prove.ts';

/** Many whole runs: what matters is that they end, also on a machine that is busy with others. */
const LONG_MS = 900_000;

describe('the proof', () => {
  it('holds for a sample of faults and variants', { timeout: LONG_MS }, async () => {
    const { code, text } = await prove('--sample', '58', '--repeat', '1');
    const all = /faults killed +(\d+) of (\d+) [^]*\nvariants green +(\d+) of (\d+)\n/.exec(text);
    const [killed, faults, green, variants] = (all ?? []).slice(1).map(Number);
    expect([killed, green], text).toEqual([faults, variants]);
    expect(faults).toBeGreaterThanOrEqual(Math.floor(listFaults().length / 58));
    expect(variants).toBeGreaterThanOrEqual(Math.floor(listVariants().length / 58));
    expect(text).toContain('The proof holds.');
    expect(code).toBe(0);
  });

  it('sees in the replay of a clean run no more than in a run', { timeout: LONG_MS }, async () => {
    // One that is seen and one that is not; more of them in `main.slow.test.ts`.
    const faults = [
      'op/ignored/currencies-pairs.page/with-page_size',
      'op/value/news-featured.language/ja-empty',
    ];
    const replayed = await proveOperators(faults, 'replay');
    expect(replayed.text).toMatch(/^2 of \d+ faults by operators/m);
    expect(replayed.survivors).toHaveLength(1);
    const run = await proveOperators(faults, 'runs');
    expect(replayed.survivors).toEqual(run.survivors);
  });

  it('is no proof when there is nothing to prove', async () => {
    const { code, text } = await prove('--fault', 'no-such-fault');
    expect(code).toBe(2);
    expect(text).toContain('Nothing to prove');
  });

  it('has a fault for every must and every should, a third of them subtle', () => {
    const killed = new Set(listFaults().flatMap(({ kills }) => kills));
    const open = REQUIREMENTS.filter(({ id, level }) => level !== 'observe' && !killed.has(id));
    expect(open.map(({ id }) => id)).toEqual([]);
    const subtle = listFaults().filter((fault) => fault.subtle).length;
    expect(listFaults().length).toBeGreaterThanOrEqual(150);
    expect(subtle / listFaults().length).toBeGreaterThan(1 / 3);
    expect(listVariants().length).toBeGreaterThanOrEqual(30);
  });

  it('has a check for every requirement', () => {
    const bare = REQUIREMENTS.filter((one) => checksOf(one).length === 0);
    expect(bare.map(({ id }) => id)).toEqual([]);
  });
});
