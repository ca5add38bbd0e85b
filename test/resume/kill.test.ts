import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { scratch } from '../cli/assay.ts';
import { killAndResume, wholeRun, type Whole } from './kill-points.ts';

describe('a run that is killed without warning', () => {
  let whole: Whole;
  beforeAll(async () => {
    whole = await wholeRun('smoke', ['--profile', 'smoke']);
  });
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  // More points and profiles in `kill.slow.test.ts`.
  it('is resumed to the same verdict and outcomes, also when killed again', async () => {
    await killAndResume(whole, Math.round(whole.seen.length * 0.52), {
      args: ['--profile', 'smoke'],
      againAt: 4,
    });
  });
});
