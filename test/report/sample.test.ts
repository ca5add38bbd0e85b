import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { expect, it } from 'vitest';
import { renderHtml } from '../../src/report/page/page.tsx';
import { makeResults } from './fixture.ts';

const folder = fileURLToPath(new URL('../../reports/sample/', import.meta.url));

it('the committed sample is a picture and a page with findings, changes and load, and stays small', () => {
  expect(readdirSync(folder).toSorted()).toEqual(['report.html', 'report.png', 'summary.md']);
  const page = readFileSync(path.join(folder, 'report.html'), 'utf8');
  for (const text of ['VIOLATES', 'new violations', 'History over', 'Load rl-exact', 'proven able'])
    expect(page).toContain(text);
  const bytes = readdirSync(folder).map((name) => statSync(path.join(folder, name)).size);
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(1_500_000);
});

it('the same results give the same page, each time', () => {
  expect(renderHtml(makeResults())).toBe(renderHtml(makeResults()));
});
