import { describe, expect, it } from 'vitest';
import { missingSetting } from '../../src/contract/cause.ts';
import type { Exchange } from '../../src/contract/exchange.ts';
import { renderHtml } from '../../src/report/html/page.tsx';
import { readLoad } from '../../src/report/load-view.ts';
import { rateTimeline } from '../../src/report/rate-windows.ts';
import { makeLoad } from '../browser/reports.ts';
import { makeExchange, makeRequirement, makeResults } from './fixture.ts';

const RESET = Date.UTC(2026, 10, 20, 9, 31, 0);

function limited(
  number: number,
  headers: Readonly<Record<string, string>>,
  status = 200,
): Exchange {
  return makeExchange(number, {
    endpoint: '/news',
    path: '/news',
    status,
    headers: { 'x-ratelimit-limit': '20', 'x-ratelimit-reset': String(RESET), ...headers },
  });
}

const left = (count: number): Readonly<Record<string, string>> => ({
  'x-ratelimit-remaining': String(count),
});

describe('rateTimeline', () => {
  it('puts answers into the windows that they announce', () => {
    const { windows, anomalies, withHeaders } = rateTimeline([
      limited(1, left(19)),
      limited(2, left(18)),
      limited(3, { ...left(19), 'x-ratelimit-reset': String(RESET + 60_000) }),
    ]);
    expect(windows.map(({ reset, points }) => [reset, points.length])).toEqual([
      [RESET, 2],
      [RESET + 60_000, 1],
    ]);
    expect([anomalies, withHeaders]).toEqual([[], 3]);
  });

  it.each([
    ['rose', [limited(1, left(5)), limited(2, left(6))], 'remaining rose inside a window'],
    ['refused early', [limited(1, left(5), 429)], 'refused while some were announced as remaining'],
    [
      'another limit',
      [limited(1, { ...left(5), 'x-ratelimit-limit': '60' })],
      'limit is 60, not 20',
    ],
    [
      'in the past',
      [limited(1, { ...left(5), 'x-ratelimit-reset': String(RESET - 600_000) })],
      'a reset time lies in the past',
    ],
    [
      'missing',
      [limited(1, left(5)), makeExchange(2, { endpoint: '/news', path: '/news' })],
      'without the headers that others have',
    ],
    [
      'too many',
      Array.from({ length: 21 }, (_, index) => limited(index + 1, left(Math.max(0, 19 - index)))),
      'more than 20 requests were admitted',
    ],
  ])('says when something does not fit: %s', (_name, exchanges, words) => {
    expect(rateTimeline(exchanges).anomalies.join('; ')).toContain(words);
  });

  it('makes nothing of headers that are no numbers', () => {
    expect(rateTimeline([limited(1, { 'x-ratelimit-reset': 'soon' })]).windows).toEqual([]);
  });
});

describe('load results', () => {
  it('are read when they have every field that is shown', () => {
    expect(readLoad([makeLoad()])).toEqual({ results: [makeLoad()], unreadable: 0 });
    const broken = [
      null,
      1,
      'x',
      [],
      {},
      { ...makeLoad(), windows: [null] },
      { ...makeLoad(), requests: { sent: '1' } },
      { ...makeLoad(), latency: [{ endpoint: 1 }] },
      { ...makeLoad(), health: null },
    ];
    expect(readLoad(broken)).toEqual({ results: [], unreadable: broken.length });
  });

  it('stand in the report with chart, thresholds and both numbers', () => {
    const page = renderHtml({ ...makeResults(), load: [makeLoad()] });
    expect(page).toContain('240 sent: 81 admitted, 157 refused');
    expect(page).toContain('class="chart"');
    expect(page).toContain('(by design)');
    expect(page).toContain('assay load rl-exact');
  });

  it('say why a chart is missing', () => {
    const load = { ...makeLoad(), windows: makeLoad().windows.slice(0, 1) };
    expect(renderHtml({ ...makeResults(), load: [load] })).toContain(
      'No chart: the run had 1 window',
    );
  });
});

describe('a report about nothing', () => {
  it('says so instead of looking green', () => {
    const empty = { ...makeResults(), requirements: [], exchanges: [], readings: [], notes: [] };
    const page = renderHtml({ ...empty, verdict: 'incomplete', sentence: 'No verdict.' });
    for (const words of ['INCOMPLETE', 'No request was sent.', 'Nothing was recorded.']) {
      expect(page).toContain(words);
    }
  });

  it('does not say CONFORMS without saying what is not verified', () => {
    const requirements = [
      makeRequirement('4.2/news', 'passed'),
      makeRequirement('5/expired-key', 'untested', {
        reason: 'add keys.expired to the target file',
        cause: missingSetting('keys.expired'),
      }),
    ];
    const page = renderHtml({ ...makeResults(), verdict: 'conforms', exitCode: 0, requirements });
    expect(page).toContain('1 of 2 musts not verified');
    expect(page).toContain('needs <code>keys.expired</code>');
  });
});
