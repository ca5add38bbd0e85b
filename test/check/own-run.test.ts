import { expect, it } from 'vitest';
import { compare } from './own-run.ts';

it('says of the files of a run what the run said', async () => {
  const [clean, broken] = await compare([
    { faults: [], variants: [] },
    { faults: ['summary-symbol-code'], variants: [] },
  ]);
  expect(clean).toMatchObject({ failing: [], differences: [], alarms: [] });
  // A recording may be a part, so that no violation is the most that can be said of it.
  expect(clean?.verdicts).toEqual(['conforms', 'no-violation', 'no-violation']);
  // What only a larger profile asks for may show all the same.
  expect(clean?.verified[1]).toBeGreaterThanOrEqual(clean?.verified[0] ?? Infinity);
  expect(broken).toMatchObject({ failing: ['4.3/symbol-enum'], differences: [], alarms: [] });
  expect(broken?.verdicts).toEqual(['violates', 'violates', 'violates']);
});
