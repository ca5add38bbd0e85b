import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { scratch } from '../cli/assay.ts';
import { killAndResume, wholeRun, type Whole } from './kill-points.ts';

describe('a run that is killed without warning', () => {
  let whole: Whole;
  beforeAll(async () => {
    whole = await wholeRun('standard');
  });
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  it.each([
    ['early', 0.11, undefined],
    ['in the middle, and again while it is taken up', 0.52, 20],
    ['close to its end', 0.98, undefined],
  ])('is taken up to the same verdict and outcomes: %s', async (_, share, againAt) => {
    const at = Math.round(whole.seen.length * share);
    await killAndResume(whole, at, againAt === undefined ? {} : { againAt });
  });
});
