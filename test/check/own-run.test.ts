import { expect, it } from 'vitest';
import { compare } from './own-run.ts';

it('says of the files of a run what the run said', async () => {
  const [clean, broken] = await compare([
    { faults: [], variants: [] },
    { faults: ['summary-symbol-code'], variants: [] },
  ]);
  expect(clean).toMatchObject({ failing: [], differences: [], alarms: [] });
  // What a recording cannot tell of a run leaves it at that there is no violation.
  const told: unknown = expect.stringMatching(/^(conforms|no-violation)$/);
  expect(clean?.verdicts).toEqual(['conforms', told, told]);
  // What only a larger profile asks for may show all the same.
  expect(clean?.verified[1]).toBeGreaterThanOrEqual(clean?.verified[0] ?? Infinity);
  expect(broken).toMatchObject({ failing: ['4.3/symbol-enum'], differences: [], alarms: [] });
  expect(broken?.verdicts).toEqual(['violates', 'violates', 'violates']);
});
