// What holds of the proof on paper; `main.slow.test.ts` runs a sample of it, `npm run prove` the whole.
import { describe, expect, it } from 'vitest';
import { REQUIREMENTS } from '#src/requirements/catalogue.ts';
import { listFaults, listVariants } from '#src/reference/catalog.ts';
import { checksOf } from '#src/suite/checks.ts';
import { prove } from '../kept/prove.ts';

describe('the proof', () => {
  it('is no proof when there is nothing to prove', async () => {
    const { code, text } = await prove('--fault', 'no-such-fault');
    expect(code).toBe(2);
    expect(text).toContain('Nothing to prove');
  });

  it.each([
    ['--fautl', 'limit-off'],
    ['--seed', 'one'],
    ['--profile', 'quick'],
  ])('is refused with a mistyped option: %s %s', async (...args) => {
    const { code, text } = await prove(...args);
    expect(code).toBe(2);
    expect(text).toContain('--help');
  });

  it('has a fault for every must and every should', () => {
    const killed = new Set(listFaults().flatMap(({ kills }) => kills));
    const open = REQUIREMENTS.filter(({ id, level }) => level !== 'observe' && !killed.has(id));
    expect(
      open.map(({ id }) => id),
      'in the `kills` of no fault: add a fault to the faults.ts of the section in suites',
    ).toEqual([]);
    expect(listFaults().length).toBeGreaterThanOrEqual(150);
    expect(listVariants().length).toBeGreaterThanOrEqual(30);
  });

  it('has a check for every requirement', () => {
    const bare = REQUIREMENTS.filter((one) => checksOf(one).length === 0);
    expect(bare.map(({ id }) => id)).toEqual([]);
  });
});
