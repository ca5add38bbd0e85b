import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
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
