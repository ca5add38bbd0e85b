import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BEHAVIOURS } from './battery.ts';
import { tryBehaviour } from './trial.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'assay hostile '));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** More runs in one process would take more memory than one run may. */
const RUNS_IN_A_PROCESS = 3;

// A few of them; `battery.slow.test.ts` runs all, each in a process of its own.
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
