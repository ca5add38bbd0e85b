// All faults, judged in every way of telling a run: some thousands of judgements.
import { expect, it } from 'vitest';
import { listFaults } from '#src/reference/catalog.ts';
import { prove } from '../../kept/prove.ts';
import { sampleOf, STEP } from '../../sample.ts';

/** What matters is that it ends, also on a machine that is busy with others. */
const LONG_MS = 900_000;

it(
  'says the same of a server however often it is asked, and however its clock is estimated',
  { timeout: LONG_MS },
  async () => {
    const { code, text } = await prove('--metamorphic', '--sample', String(STEP));
    // Fewer than fifty faults end without a line of progress.
    expect(`\n${text}`).toContain(`\n0 differences, ${sampleOf(listFaults()).length} faults\n`);
    expect(code).toBe(0);
  },
);
