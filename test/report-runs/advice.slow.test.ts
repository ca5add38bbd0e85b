// Each step that a report advises, taken: a run for each.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { gapsOf } from '../../src/report/analysis/outline.ts';
import { scratch } from '../cli/assay.ts';
import { served } from '../cli/served.ts';
import { resultsOf } from './real-runs.ts';

it('each row of what was not verified says what changes it, or that nothing does', async () => {
  const server = await served();
  const { keys, ...file } = JSON.parse(readFileSync(server.target, 'utf8')) as {
    keys: { valid: string[] };
  };
  const poor = path.join(scratch, 'poor.json');
  writeFileSync(poor, JSON.stringify({ ...file, keys: { valid: keys.valid } }));
  try {
    const results = await resultsOf(['-t', poor, '--profile', 'smoke']);
    const gaps = gapsOf(results);
    expect(gaps.length).toBeGreaterThan(4);
    const isMust = gaps.map((gap) => gap.requirements.some(({ level }) => level === 'must'));
    expect(isMust.lastIndexOf(true)).toBe(isMust.filter(Boolean).length - 1);
    for (const { next, requirements, reasons } of gaps) {
      if (next.command === null) {
        expect(next.words, reasons[0]).toMatch(/^No command helps/);
        continue;
      }
      // As a reader does it: the file that it names has what was missing.
      const named = [...next.command.matchAll(/'([^']*)'|(\S+)/g)].map(
        ([, quoted, plain]) => quoted ?? plain ?? '',
      );
      const words = named.slice(2).map((word) => (word === poor ? server.target : word));
      const again = await resultsOf(words);
      const after = new Map(again.requirements.map((one) => [one.id, one]));
      for (const before of requirements) {
        const now = after.get(before.id);
        const isSame = now?.outcome === 'untested' && now.cause?.kind === before.cause?.kind;
        expect(isSame, `${before.id}: ${next.command}`).toBe(false);
      }
    }
  } finally {
    await server.stop();
  }
});
