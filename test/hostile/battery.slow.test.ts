import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sampleOf } from '../sample.ts';
import { BATTERY, BEHAVIOURS } from './battery.ts';
import { tryBehaviour } from './trial.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'assay hostile '));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe.each(Object.entries(BATTERY))('%s', (_, behaviours) => {
  const sample = sampleOf(behaviours);
  const tried = behaviours.filter((one) => one.always === true || sample.includes(one));
  it.concurrent.each(tried.map((behaviour) => [behaviour.id, behaviour] as const))(
    '%s',
    async (__, behaviour) => {
      const trial = await tryBehaviour(behaviour, scratch);
      expect(trial.broken.join('\n')).toBe('');
    },
  );
});

it('has at least 80 behaviours with unique names', () => {
  expect(new Set(BEHAVIOURS.map(({ id }) => id)).size).toBe(BEHAVIOURS.length);
  expect(BEHAVIOURS.length).toBeGreaterThanOrEqual(80);
});
