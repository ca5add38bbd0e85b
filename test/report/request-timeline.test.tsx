import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/contract/exchange.ts';
import { renderView } from '../../src/report/html/render.ts';
import { keyName, withKeyNames } from '../../src/report/key-names.ts';
import { requestTimeline } from '../../src/report/request-timeline.ts';
import type { Results } from '../../src/report/results.ts';
import { CoverageMap } from '../../src/report/view/coverage.tsx';
import { RequestLanes } from '../../src/report/view/request-lanes.tsx';
import { makeExchange, makeResults } from './fixture.ts';

const START = Date.UTC(2026, 10, 20, 9, 30, 0);
const RESET = START + 60_000;

function sent(
  number: number,
  parts: Partial<Exchange> & { status?: number; reset?: number },
): Exchange {
  const { status = 200, reset = RESET, ...others } = parts;
  const headers = reset === 0 ? {} : { 'x-ratelimit-reset': String(reset) };
  const exchange = makeExchange(number, { endpoint: '/news', path: '/news', status, headers });
  const sentAt = START + number * 100;
  return { ...exchange, key: 'k:1', sentAt, receivedAt: sentAt + 10, skewMs: 0, ...others };
}

const resultsOf = (exchanges: readonly Exchange[]): Results => ({
  ...makeResults(),
  exchanges,
  target: { ...makeResults().target, keys: { valid: ['k:1', 'k:2'], restricted: ['k:3'] } },
});

describe('the timeline of requests', () => {
  it('gives each answered request the next place in its window, and finds the 21st of 20', () => {
    const { lanes, limit } = requestTimeline(
      resultsOf(Array.from({ length: 21 }, (_, index) => sent(index + 1, {}))),
    );
    expect(limit).toBe(20);
    const [lane] = lanes;
    expect(lane?.marks.map(({ place }) => place)).toEqual(
      Array.from({ length: 21 }, (_, index) => index + 1),
    );
    expect(
      lane?.marks.filter(({ kind }) => kind === 'beyond').map(({ exchange }) => exchange),
    ).toEqual(['x21']);
    expect(lane?.bands).toEqual([{ from: START, to: RESET, admitted: 21, refused: 0 }]);
  });

  it('takes announcements that differ by rounding for one window, and a later one for the next', () => {
    const { lanes } = requestTimeline(
      resultsOf([sent(1, {}), sent(2, { reset: RESET - 900 }), sent(3, { reset: RESET + 60_000 })]),
    );
    expect(lanes[0]?.bands.map(({ admitted }) => admitted)).toEqual([2, 1]);
    expect(lanes[0]?.marks.map(({ place }) => place)).toEqual([1, 2, 1]);
  });

  it('tells refusals, failures and errors about the request apart, and counts none of them', () => {
    const { lanes } = requestTimeline(
      resultsOf([
        sent(1, {}),
        sent(2, { status: 429 }),
        sent(3, { status: 503 }),
        sent(4, { status: 404 }),
        sent(5, { response: null }),
        // Without an announcement of its own it belongs to the window that is open.
        sent(6, { reset: 0 }),
      ]),
    );
    expect(lanes[0]?.marks.map(({ kind, place }) => [kind, place])).toEqual([
      ['admitted', 1],
      ['refused', 1],
      ['failed', 1],
      ['other', 1],
      ['failed', 1],
      ['admitted', 2],
    ]);
    expect(lanes[0]?.bands[0]?.refused).toBe(1);
  });

  it('takes limit and window from the settings of the target', () => {
    const results = resultsOf([sent(1, { reset: START + 1500 }), sent(2, { reset: START + 1500 })]);
    const limits = { requests: 1, windowMs: 1500, monthlyQuota: 100 };
    const settings = { ...makeResults().settings, limits } as Results['settings'];
    const { lanes, limit } = requestTimeline({ ...results, ...(settings && { settings }) });
    expect(limit).toBe(1);
    expect(lanes[0]?.bands[0]).toMatchObject({ from: START, to: START + 1500 });
    expect(lanes[0]?.marks[1]?.kind).toBe('beyond');
  });

  it('shows where nothing was sent', () => {
    const later = START + 60_000;
    const { waits } = requestTimeline(
      resultsOf([
        sent(1, {}),
        sent(2, { sentAt: later, receivedAt: later + 10, reset: later + 60_000 }),
      ]),
    );
    expect(waits).toEqual([{ from: START + 110, to: later }]);
  });

  it('has a lane for each key with windows, by role and name, and one for all others', () => {
    const results = resultsOf([
      sent(1, { key: 'k:3', role: 'restricted' }),
      sent(2, { key: 'k:2' }),
      sent(3, {}),
      sent(4, { key: null, role: 'none', status: 401, reset: 0 }),
    ]);
    const { lanes, others } = requestTimeline(withKeyNames(results));
    expect(lanes.map(({ name }) => name)).toEqual(['valid[0]', 'valid[1]', 'restricted']);
    expect(others.map(({ exchange }) => exchange)).toEqual(['x4']);
    expect(keyName(results.target.keys, 'k:9')).toBe('k:9');
  });

  it('is drawn with a way to each exchange, and with its own sign for what is beyond the limit', () => {
    const many = resultsOf(Array.from({ length: 21 }, (_, index) => sent(index + 1, {})));
    const markup = renderView(() => <RequestLanes results={many} />);
    for (let number = 1; number <= 21; number += 1)
      expect(markup).toContain(`href="#x-x${number}"`);
    expect(markup).toContain('✗ 21 of 20 admitted');
    // One stands in the drawing, one in the list of signs.
    expect(markup.match(/m-beyond/g)).toHaveLength(2);
  });

  it('draws thousands of requests as lines, and still leads to those that matter', () => {
    const many = Array.from({ length: 5000 }, (_, index) =>
      sent(index + 1, {
        status: index === 4000 ? 503 : 200,
        reset: RESET + Math.floor(index / 20) * 60_000,
      }),
    );
    const markup = renderView(() => <RequestLanes results={resultsOf(many)} />);
    expect(markup.length).toBeLessThan(400_000);
    expect(markup).toContain('href="#x-x4001"');
    expect(markup).not.toContain('href="#x-x1"');
  });
});

describe('the coverage map', () => {
  it('has a square for each requirement, with its sign, and its cause where it was left out', () => {
    const results = makeResults();
    const markup = renderView(() => <CoverageMap results={results} />);
    expect(markup.match(/<a class="sq /g)).toHaveLength(results.requirements.length);
    for (const { id } of results.requirements) expect(markup).toContain(`title="${id} (`);
    expect(markup).toContain('untested, needs keys.expired');
  });
});
