import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { contradictionsOf, seenWords } from '../../src/report/analysis/contradictions.ts';
import type { Results } from '../../src/report/model/results.ts';
import { CONTRADICTIONS } from '../../src/requirements/contradictions.ts';
import { assay, scratch } from './assay.ts';
import { served } from './served.ts';

const ABOUT = CONTRADICTIONS.flatMap(({ counted, also }) => [counted, ...also]).join(',');

/** What a run shows for each contradiction: the number of each form, and its text. */
async function shown(
  name: string,
  variants: readonly string[],
): Promise<Readonly<Record<string, readonly [boolean, boolean, string]>>> {
  const server = await served({ variants });
  const output = path.join(scratch, name);
  try {
    const only = ['--only', ABOUT, '--profile', 'full'];
    const written = ['--format', 'json', '--output', output];
    const { text } = await assay(['run', '--target', server.target, ...only, ...written]);
    expect(text).toContain('exit code 0');
  } finally {
    await server.stop();
  }
  const results = JSON.parse(readFileSync(path.join(output, 'results.json'), 'utf8')) as Results;
  const known = new Set(results.exchanges.map(({ id }) => id));
  return Object.fromEntries(
    contradictionsOf(results).map((one) => {
      const [first, second] = one.seen;
      for (const { count, exchanges } of one.seen) {
        expect(exchanges.length).toBeLessThanOrEqual(count ?? 0);
        expect(exchanges.filter((id) => !known.has(id))).toEqual([]);
      }
      expect(one.other).toBe(0);
      const counted = (first.count ?? 0) + (second.count ?? 0);
      expect(counted).toBe(one.requirement?.exchanges.length);
      return [one.counted, [first.count !== 0, second.count !== 0, seenWords(one)] as const];
    }),
  );
}

it('reports which form of each contradiction the target chose, as the rules read it', async () => {
  expect(await shown('plain', [])).toEqual({
    '2.8/history-date': [true, false, 'only the first form'],
    '4.2/page-size-reading': [true, false, 'only the first form'],
    '4.4/volume-reading': [false, true, 'only the second form'],
    '7/code-form': [true, false, 'only the first form'],
    '8/refusal-code': [true, false, 'only the first form'],
  });
  expect(await shown('others', ['volume-as-number', 'five-digit-codes'])).toMatchObject({
    '4.4/volume-reading': [true, false, 'only the first form'],
    '7/code-form': [false, true, 'only the second form'],
    '8/refusal-code': [false, true, 'only the second form'],
  });
});
