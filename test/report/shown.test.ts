// One place and one example of a finding, in every list, card and format.
import { expect, it } from 'vitest';
import { groupCauses } from '../../src/report/analysis/causes.ts';
import { asShown } from '../../src/report/analysis/shown.ts';
import { renderCtrf } from '../../src/report/formats/ctrf.ts';
import { renderJUnit } from '../../src/report/formats/junit.ts';
import { renderMarkdown } from '../../src/report/formats/markdown.ts';
import { renderSarif } from '../../src/report/formats/sarif.ts';
import { withBaseline } from '../../src/report/model/diff.ts';
import type { ResultFinding, Results } from '../../src/report/model/results.ts';
import { renderHtml } from '../../src/report/page/page.tsx';
import { renderView } from '../../src/report/page/render.tsx';
import { FoundText } from '../../src/report/page/view/parts.tsx';
import { renderSummary } from '../../src/report/terminal/terminal.ts';
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
    const markup = renderView(() => FoundText({ finding: { ...finding, exchange: null } }));
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

it('a symbol in capitals is simpler than one in small letters, which only tests send', () => {
  const lower = asked(1, [['symbol', 'eth']]);
  const exchanges = [lower, asked(2, [['symbol', 'BTC']])];
  const [cause] = groupCauses(asShown({ ...results, exchanges }));
  expect(cause?.exchange?.id).toBe('x2');
  const longer = asked(2, [['symbol', 'BTC-AND-MORE']]);
  const other = groupCauses(asShown({ ...results, exchanges: [lower, longer] }));
  expect(other[0]?.exchange?.id).toBe('x2');
});

it('summary.md and the terminal mark what is new and what is known, as the page does', () => {
  const other = makeRequirement('2.2/price', 'failed', {
    findings: [{ ...found('x2'), kind: 'price', message: 'no price', pointer: '/price' }],
  });
  const now = { ...results, requirements: [...results.requirements, other] };
  const marked = withBaseline(now, results);
  const terminal = renderSummary(marked, { color: false, width: 200, showCurl: false });
  for (const text of [terminal, renderMarkdown(marked)]) {
    expect(text).toMatch(/✗ \d\.(?: \*\*| )new: no price/);
    expect(text).toMatch(/✗ \d\.(?: \*\*| )known: Refusals from 1 endpoint/);
  }
  const page = renderHtml(marked);
  expect(page).toContain('<strong class="chip failed">new</strong>');
  expect(page).toContain('<strong class="chip plain">known</strong>');
  expect(renderMarkdown(now)).not.toContain('known: ');
});

it('every format says why something is waived', () => {
  const waiver = {
    id: '7/status-agrees',
    owner: 'Ada',
    reason: 'fixed in release 12',
    ticket: null,
    expires: '2099-01-01',
    state: 'applied',
    detail: '',
  } as const;
  const requirements = results.requirements.map((one) => ({
    ...one,
    outcome: 'waived' as const,
    waived: { outcome: 'failed' as const, reason: null },
  }));
  const waived = { ...results, requirements, waivers: [waiver] };
  const options = { color: false, width: 200, showCurl: false };
  const formats = {
    terminal: renderSummary(waived, options),
    markdown: renderMarkdown(waived),
    junit: renderJUnit(waived),
    ctrf: renderCtrf(waived),
    sarif: renderSarif(waived),
    page: renderHtml(waived),
  };
  for (const [name, text] of Object.entries(formats))
    expect(text, name).toContain('waived until 2099-01-01 by Ada (fixed in release 12)');
});
