import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { REQUIREMENTS } from '../../src/requirements/catalogue.ts';

it('the README counts the musts that there are (`npm run docs` writes its figures)', () => {
  const readme = readFileSync(path.join(import.meta.dirname, '../../README.md'), 'utf8');
  const musts = REQUIREMENTS.filter(({ level }) => level === 'must').length;
  const counts = [...readme.matchAll(/ of (\d+) musts?\b/g)].map(([, count]) => Number(count));
  expect(counts).toEqual([musts, musts]);
});
