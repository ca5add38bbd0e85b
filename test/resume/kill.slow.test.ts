import { rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { scratch } from '../cli/assay.ts';
import { sampleCount, sampleOf } from '../sample.ts';
import { drawn } from './counting.ts';
import { killAndResume, wholeRun } from './kill-points.ts';

const SEED = 20_260_131;
/** Soon after the start and close to the end, always. */
const FIXED = [0.11, 0.98];
const POINTS = sampleCount(25 + FIXED.length);
/** Requests that another run may not need: those of a second window of the restricted key and around its end. */
const SPARED = 42;
/** Concurrent runs, because most of a run is process startup. */
const LANES = 3;

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe('a run that is killed without warning', () => {
  it(
    `is taken up to the same verdict and outcomes at ${POINTS} points`,
    { timeout: 300_000 },
    async () => {
      const whole = await wholeRun('slow');
      const reached = whole.seen.length - SPARED;
      const fixed = FIXED.map((share) => Math.round(reached * share));
      const points = [...fixed, ...drawn(SEED, POINTS - fixed.length, reached)];
      expect(new Set(points).size).toBeGreaterThan(POINTS / 2);
      const left = points.map((at, index) => ({ at, index }));
      const lane = async (): Promise<void> => {
        for (let next = left.shift(); next !== undefined; next = left.shift()) {
          // Every fifth one is killed again while it is resumed.
          const remaining = whole.seen.length - next.at;
          const again =
            next.index % 5 === 2 && remaining > 8 ? Math.floor(remaining / 2) : undefined;
          await killAndResume(whole, next.at, again === undefined ? {} : { againAt: again });
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
    },
  );

  it(
    'is taken up to the same verdict in the profile full, also in the middle of a burst',
    {
      timeout: 300_000,
    },
    async () => {
      const args = ['--profile', 'full'];
      const whole = await wholeRun('full', args);
      const burst = whole.results.exchanges.filter(({ sequence }) => sequence !== undefined);
      const middle = burst[Math.floor(burst.length / 4)];
      const late = burst[Math.floor(burst.length * 0.8)];
      for (const exchange of sampleOf([middle, late])) {
        const place = whole.results.exchanges.findIndex(({ id }) => id === exchange?.id);
        await killAndResume(whole, place, { args });
      }
    },
  );
});
