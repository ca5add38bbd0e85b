import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BEHAVIOURS } from '../hostile/battery.ts';
import { through } from './through.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'assay watch hostile '));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

// A few of them; `battery.slow.test.ts` runs all.
describe('the proxy and its judge, in front of a target that', () => {
  const fast = BEHAVIOURS.filter((behaviour) => behaviour.always === true);
  it.concurrent.each(fast.map((behaviour) => [behaviour.does, behaviour] as const))(
    '%s',
    async (_, behaviour) => {
      const { broken } = await through(behaviour, scratch);
      expect(broken.join('\n')).toBe('');
    },
  );
});
