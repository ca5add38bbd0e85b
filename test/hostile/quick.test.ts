import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BEHAVIOURS } from './battery.ts';
import { tryBehaviour } from './trial.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'assay hostile '));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** More runs per process would exceed the memory limit of a run. */
const RUNS_IN_A_PROCESS = 4;

// Some of them; `battery.slow.test.ts` runs all, each in a separate process.
describe('a target that', () => {
  const fast = BEHAVIOURS.filter((behaviour) => behaviour.fast === true);
  it.concurrent.each(fast.map((behaviour, index) => [behaviour.does, behaviour, index] as const))(
    '%s',
    async (_, behaviour, index) => {
      const trial = await tryBehaviour(
        behaviour,
        scratch,
        `hostile ${Math.floor(index / RUNS_IN_A_PROCESS)}`,
      );
      expect(trial.broken.join('\n')).toBe('');
    },
  );
});
