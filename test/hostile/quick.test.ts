import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BEHAVIOURS } from './battery.ts';
import { tryBehaviour } from './trial.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'assay hostile '));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

// Some of them, in one process; more would exceed the memory limit of a run. `battery.slow.test.ts` runs all, each in a
// separate process.
describe('a target that', () => {
  const fast = BEHAVIOURS.filter((behaviour) => behaviour.fast === true);
  it.concurrent.each(fast.map((behaviour) => [behaviour.does, behaviour] as const))(
    '%s',
    async (_, behaviour) => {
      const trial = await tryBehaviour(behaviour, scratch, 'hostile');
      expect(trial.broken.join('\n')).toBe('');
    },
  );
});
