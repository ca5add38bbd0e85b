import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { expect, it } from 'vitest';
import { renderHtml } from '../../src/report/html/page.tsx';
import { readLoad } from '../../src/report/load-view.ts';
import type { Results } from '../../src/report/results.ts';
import { validateResults } from '../../src/rules/schemas.ts';

const folder = fileURLToPath(new URL('../../reports/sample/', import.meta.url));

it('the committed sample shows findings, changes, a history, proof and load, and stays small', () => {
  const content: unknown = JSON.parse(readFileSync(path.join(folder, 'results.json'), 'utf8'));
  expect(validateResults(content)).toEqual([]);
  const results = content as Results;
  expect(results.summary.must.failed).toBeGreaterThan(2);
  expect(results.changes?.changes.length).toBeGreaterThan(2);
  expect(results.history?.runs.length).toBe(2);
  expect(Object.keys(results.proof ?? {}).length).toBeGreaterThan(300);
  const load = readLoad(results.load);
  expect(load.unreadable).toBe(0);
  expect(load.results.map(({ outcome }) => outcome)).toEqual(['passed', 'failed']);
  const bytes = readdirSync(folder).map((name) => statSync(path.join(folder, name)).size);
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(3_000_000);
  // The same results give the same page, each time.
  expect(renderHtml(results)).toBe(renderHtml(results));
});
