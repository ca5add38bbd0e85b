// One place and one example of a finding, in every list, card and format.
import { expect, it } from 'vitest';
import { groupCauses } from '../../src/report/analysis/causes.ts';
import { asShown } from '../../src/report/analysis/shown.ts';
import { renderJUnit } from '../../src/report/formats/junit.ts';
import { renderMarkdown } from '../../src/report/formats/markdown.ts';
import type { ResultFinding, Results } from '../../src/report/model/results.ts';
import { renderView } from '../../src/report/page/render.tsx';
import { FoundText } from '../../src/report/page/view/parts.tsx';
import { makeExchange, makeRequirement, makeResults } from './fixture.ts';

const body = JSON.stringify({ code: 400003, message: 'x', details: {} });
const asked = (number: number, query: readonly (readonly [string, string])[]) =>
  makeExchange(number, { endpoint: '/news', path: '/news', query, status: 422, body });
const found = (exchange: string): ResultFinding => ({
  message: `${exchange} has another status`,
  expected: 'status 400',
  actual: 'status 422',
  pointer: '/code',
  exchange,
});
const results: Results = {
  ...makeResults(),
  exchanges: [asked(1, [['language', 'zh']]), asked(2, [])],
  requirements: [
    makeRequirement('7/status-agrees', 'failed', { findings: [found('x1'), found('x2')] }),
  ],
};

it('lists say "at the status", as cards do, where the code is right and the status is not', () => {
  const shown = asShown(results);
  for (const finding of shown.requirements[0]?.findings ?? []) {
    const markup = renderView(() => FoundText({ finding, linked: false }));
    expect(markup).toContain('at</span> <code>the status</code>');
    expect(markup).not.toContain('<code>/code');
  }
  expect(groupCauses(shown)[0]?.example.finding.header).toBe(':status');
  for (const text of [renderJUnit(results), renderMarkdown(results)]) {
    expect(text).toContain('the status in x2');
    expect(text).not.toContain('/code in x');
  }
});

it('JUnit leads with the example that the other formats show: the simplest request', () => {
  expect(groupCauses(asShown(results))[0]?.exchange?.id).toBe('x2');
  expect(renderJUnit(results)).toContain('message="violated: x2 has another status"');
});
