import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { EXIT } from '../../src/spec/exit-codes.ts';
import { EXIT_WORDS } from '../../src/report/model/head.ts';
import { renderHtml } from '../../src/report/page/page.tsx';
import { fullResults } from '../browser/reports.ts';

/** Words that readers had to read twice. */
const OBSCURE = [
  'of a second one',
  'checks judged',
  'observes',
  'has another message',
  'costs no month',
  'came out in another way',
  'newly not verified',
  'nothing of the kind',
];

it('says nothing in the words that readers had to read twice', () => {
  const page = renderHtml(fullResults()).replace(/<(style|script|template)[^]*?<\/\1>/g, '');
  const checks = readFileSync(new URL('../../suites/order.txt', import.meta.url), 'utf8');
  const said = [page, checks];
  expect(OBSCURE.filter((words) => said.some((text) => text.includes(words)))).toEqual([]);
});

it('says of exit code 5 that a requirement is violated: load has no thresholds to cross', () => {
  const words = EXIT_WORDS[EXIT.load] ?? '';
  expect(words).toBe('a requirement is violated under load');
  const textOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  expect(textOf('README.md')).toMatch(new RegExp(`\\| 5 +\\| ${words} `));
  expect(textOf('docs/errors.md')).toContain(words);
  expect(textOf('src/cli/cli.ts')).toContain('5 violated under load');
});
