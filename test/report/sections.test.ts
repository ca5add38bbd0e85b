import { describe, expect, it } from 'vitest';
import { missingSetting } from '../../src/spec/cause.ts';
import type { Exchange } from '../../src/spec/exchange.ts';
import { renderHtml } from '../../src/report/page/page.tsx';
import type { LoadResult } from '../../src/report/model/load-results.ts';
import { rateTimeline } from '../../src/report/analysis/rate-windows.ts';
import { makeLoad, makePassingLoad } from '../browser/reports.ts';
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
    ['rose', [limited(1, left(5)), limited(2, left(6))], 'remaining rose within a window'],
    ['refused early', [limited(1, left(5), 429)], 'refused although requests remained'],
    [
      'another limit',
      [limited(1, { ...left(5), 'x-ratelimit-limit': '60' })],
      'X-RateLimit-Limit is 60, not 20',
    ],
    [
      'in the past',
      [limited(1, { ...left(5), 'x-ratelimit-reset': String(RESET - 600_000) })],
      'reset time in the past',
    ],
    [
      'missing',
      [limited(1, left(5)), makeExchange(2, { endpoint: '/news', path: '/news' })],
      'without rate-limit headers',
    ],
    [
      'too many',
      Array.from({ length: 21 }, (_, index) => limited(index + 1, left(Math.max(0, 19 - index)))),
      'more than 20 requests admitted',
    ],
  ])('says when something does not fit: %s', (_name, exchanges, words) => {
    expect(rateTimeline(exchanges).anomalies.join('; ')).toContain(words);
  });

  it('makes nothing of headers that are no numbers', () => {
    expect(rateTimeline([limited(1, { 'x-ratelimit-reset': 'soon' })]).windows).toEqual([]);
  });
});

describe('load results', () => {
  it('stand in the report with charts, the cause and both numbers', () => {
    const page = renderHtml({ ...makeResults(), load: [makeLoad()] });
    expect(page).toContain('240 sent: 81 admitted, 157 refused');
    expect(page.match(/class="course"/g)).toHaveLength(3);
    expect(page).toContain('href="#r-8/limit-enforced"');
    expect(page).toContain('(by design)');
    expect(page).toContain('assay load rl-exact');
  });

  it('write the number at the bar that is wrong, and at no other', () => {
    const page = renderHtml({ ...makeResults(), load: [makeLoad()] });
    expect(page.match(/<text class="wrong"[^>]*>[^<]*/g)?.map((one) => one.split('>')[1])).toEqual([
      '✗ 21',
    ]);
    expect(page).toContain('1 more than the limit of 20');
  });

  it('show what failed first and open, and what passed closed and without a sign of failure', () => {
    const page = renderHtml({ ...makeResults(), load: [makePassingLoad(), makeLoad()] });
    const failed = page.indexOf('<article class="scenario to-failed" aria-labelledby="load-2"');
    const passed = page.indexOf('<details class="scenario quiet"');
    expect(failed).toBeGreaterThan(0);
    expect(passed).toBeGreaterThan(failed);
    const quiet = page.slice(passed, page.indexOf('</section>', passed));
    expect(quiet).toContain('id="load-1"');
    expect(quiet).not.toContain('✗');
    expect(page).toContain('2 scenarios: 1 failed, 1 passed.');
  });

  it('say why a chart is missing', () => {
    const { course: _, ...old } = makeLoad();
    expect(renderHtml({ ...makeResults(), load: [{ ...old, windows: [] }] })).toContain(
      'No windows: no request with a key was admitted',
    );
    expect(renderHtml({ ...makeResults(), load: [old] })).toContain(
      'These results contain no data over time',
    );
    const every = { admitted: 50, refused: 1 };
    const course = { ...makeLoad().course, every };
    const sampled = renderHtml({ ...makeResults(), load: [{ ...old, course } as LoadResult] });
    expect(sampled).toContain('windows cannot be counted');
    expect(sampled.match(/class="course"/g)).toHaveLength(2);
  });
});

describe('a report about nothing', () => {
  it('says so instead of looking green', () => {
    const empty = { ...makeResults(), requirements: [], exchanges: [], readings: [], notes: [] };
    const page = renderHtml({ ...empty, verdict: 'incomplete', sentence: 'No verdict.' });
    for (const words of ['INCOMPLETE', 'No request was sent.', 'None recorded.']) {
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
    expect(page).toContain('1 of 2 musts verified, 1 not verified');
    expect(page).toContain('needs <code>keys.expired</code>');
  });
});
