import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../src/spec/exchange.ts';
import { ERRORS_COUNT } from '../../../src/spec/limits.ts';
import { renderView } from '../../../src/report/page/render.tsx';
import { keyName, withKeyNames } from '../../../src/report/model/key-names.ts';
import { rateWindows } from '../../../src/report/analysis/rate-windows.ts';
import type { Results } from '../../../src/report/model/results.ts';
import { CoverageMap } from '../../../src/report/page/view/coverage.tsx';
import { Timeline } from '../../../src/report/page/view/timeline.tsx';
import { sentWords } from '../../../src/report/page/evidence/exchange.tsx';
import { makeExchange, makeRequirement, makeResults } from '../fixture.ts';

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

const ERRORS = { question: ERRORS_COUNT, answer: 'no', mixed: false, exchanges: [] };

const resultsOf = (exchanges: readonly Exchange[]): Results => ({
  ...makeResults(),
  exchanges,
  readings: [ERRORS],
  target: { ...makeResults().target, keys: { valid: ['k:1', 'k:2'], restricted: ['k:3'] } },
});

const FOUND = { message: 'm', expected: 'e', actual: 'a', pointer: null };
const beyond = (exchange: string) =>
  makeRequirement('8/limit-enforced', 'failed', { findings: [{ ...FOUND, exchange }] });

const windowsOf = (exchanges: readonly Exchange[]): ReturnType<typeof rateWindows> =>
  rateWindows({ ...makeResults(), exchanges });

const page = (results: Results): string => renderView(() => <Timeline results={results} />);
const cells = (markup: string): readonly (readonly string[])[] =>
  [...markup.matchAll(/<tr><th scope="row">.*?<\/tr>/g)].map(([row]) =>
    row
      .split(/<t[hd][^>]*>/)
      .slice(1)
      .map((cell) => cell.replaceAll(/<[^>]*>/g, '')),
  );

describe('the table of rate-limit windows', () => {
  it('has a row for each window, those with more than the limit admitted first', () => {
    const results = resultsOf([
      sent(1, { key: 'k:2' }),
      sent(2, { key: 'k:2', status: 429 }),
      sent(3, { key: 'k:2', status: 404 }),
      ...Array.from({ length: 21 }, (_, index) => sent(index + 10, {})),
    ]);
    const markup = page(withKeyNames({ ...results, requirements: [beyond('x30')] }));
    expect(cells(markup)).toEqual([
      [
        keyName(results.target.keys, 'k:1'),
        '20 Nov 2026 09:30:01 UTC',
        '20 Nov 2026 09:30:03 UTC',
        '✗ 21 of 20',
        '0',
        '8/limit-enforced',
      ],
      ['valid[1]', '20 Nov 2026 09:30:00 UTC', '20 Nov 2026 09:30:00 UTC', '1 of 20', '1', ''],
    ]);
    expect(markup).toContain('<caption>2 windows by key');
    expect(markup).toContain('1 with more than 20 admitted');
    expect(markup).toContain('href="#x-x10"');
    expect(markup).toContain('aria-label="1 over the limit"');
    expect(keyName(results.target.keys, 'k:9')).toBe('k:9');
  });

  it('takes announcements that differ by rounding for one window, and a later one for the next', () => {
    const windows = windowsOf([
      sent(1, {}),
      sent(2, { reset: RESET - 900 }),
      sent(3, { reset: RESET + 60_000 }),
    ]);
    expect(windows.map(({ admitted }) => admitted)).toEqual([2, 1]);
    const wobbling = [900, 0, -900].map((off, at) => sent(at, { reset: RESET + off }));
    expect(windowsOf(wobbling).map(({ admitted }) => admitted)).toEqual([3]);
  });

  it('may lack errors of which nothing shows whether they count', () => {
    const exchanges = [sent(1, {}), sent(2, { status: 404 })];
    const isWhole = (readings: Results['readings']) =>
      rateWindows({ ...makeResults(), exchanges, readings }).map((one) => one.isWhole);
    expect([isWhole([]), isWhole([ERRORS])]).toEqual([[false], [true]]);
  });

  it('takes the window after a reset for another one, however short the windows are', () => {
    const first = RESET - 59_000;
    const windows = windowsOf([
      ...Array.from({ length: 9 }, (_, index) => sent(index + 1, { reset: first })),
      // Rounded up, then to the nearest second.
      sent(9.5, { reset: first + 1000 }),
      ...Array.from({ length: 5 }, (_, index) => sent(index + 11, { reset: first + 750 })),
      sent(17, { reset: first + 750 }),
    ]);
    expect(windows.map(({ admitted }) => admitted)).toEqual([10, 6]);
  });

  it('counts neither refusals nor errors as admitted', () => {
    const windows = windowsOf([
      ...Array.from({ length: 20 }, (_, index) => sent(index + 1, {})),
      ...[429, 503, 404].map((status, index) => sent(index + 30, { status })),
      sent(40, { response: null }),
    ]);
    expect(windows).toMatchObject([{ admitted: 20, refused: 1 }]);
  });

  it('counts a refusal of the limiter with status 200 as refused', () => {
    const refused = makeExchange(2, {
      endpoint: '/news',
      path: '/news',
      headers: { 'x-ratelimit-reset': String(RESET) },
      body: '{"code":402901}',
    });
    expect(windowsOf([sent(1, {}), { ...refused, key: 'k:1' }])).toMatchObject([
      { admitted: 1, refused: 1 },
    ]);
  });

  it('marks no window as wrong that no finding is about', () => {
    const markup = page(resultsOf(Array.from({ length: 21 }, (_, index) => sent(index, {}))));
    expect(cells(markup)[0]?.[3]).toBe('21 of 20');
    expect(markup).toContain('1 with more than 20 admitted, 1 of them without a finding');
  });

  it('does not count where admitted responses announce no reset', () => {
    const results = resultsOf([sent(1, { reset: 0 }), sent(2, { status: 429 })]);
    expect(cells(page(results))[0]?.slice(3)).toEqual(['not counted', '1']);
    expect(page(results)).toContain('Some of what was admitted may not be counted: it has no');
    expect(page(results)).not.toContain('of 20');
  });

  it('counts no window as right next to a finding about it, where admitted responses announce no reset', () => {
    const silent = Array.from({ length: 21 }, (_, index) => sent(index + 1, { reset: 0 }));
    const results = resultsOf([
      sent(0, { key: 'k:2', status: 429 }),
      ...silent,
      sent(23, { status: 429 }),
      sent(24, { reset: 0, sentAt: RESET + 100, receivedAt: RESET + 110 }),
      sent(25, { status: 429, reset: RESET + 60_000, sentAt: RESET + 200 }),
    ]);
    const markup = page({ ...results, requirements: [beyond('x21')] });
    expect(cells(markup).map(([key, first, , ...counts]) => [key, first, ...counts])).toEqual([
      ['k:1', '20 Nov 2026 09:30:00 UTC', '✗ not counted', '1', '8/limit-enforced'],
      ['k:2', '20 Nov 2026 09:30:00 UTC', '0 of 20', '1', ''],
      ['k:1', '20 Nov 2026 09:31:00 UTC', 'not counted', '1', ''],
    ]);
    expect(markup).toContain('<caption>3 windows by key</caption>');
  });

  it('counts what announces a reset, and says that it is too little, where others announce none', () => {
    const results = resultsOf([sent(1, {}), sent(2, { reset: 0 }), sent(3, { status: 429 })]);
    expect(cells(page(results))[0]?.slice(3)).toEqual(['at least 1 of 20', '1']);
  });

  it('says that it counts too few, and no window as too full, where the reset of a key moves', () => {
    const results = resultsOf(
      Array.from({ length: 42 }, (_, index) => sent(index, { reset: RESET + (index % 2) * 5000 })),
    );
    expect(cells(page(results)).map((row) => row[3])).toEqual([
      'at least 21 of 20',
      'at least 21 of 20',
    ]);
    expect(page(results)).not.toContain('with more than 20 admitted');
  });

  it('counts each window where they are shorter than they should be', () => {
    const exchanges = [0, 0, 1, 2].map((at, index) => sent(index, { reset: RESET + at * 15_000 }));
    const short = { ...FOUND, exchange: 'x2', kind: 'windows-too-short' };
    const requirements = [makeRequirement('8/window-length', 'failed', { findings: [short] })];
    const markup = page({ ...resultsOf(exchanges), requirements });
    expect(cells(markup).map((row) => row[3])).toEqual(['✗ 1 of 20', '2 of 20', '1 of 20']);
    expect(markup).not.toContain('may not be counted');
  });

  it('counts errors as admitted where the target counts them, but neither refusals nor unknown keys', () => {
    const exchanges = [200, 400, 403, 404, 422, 401, 429].map((status, index) =>
      sent(index + 1, { status }),
    );
    const question = 'Requests refused with 4xx count against the limit';
    const admitted = (answer: string): unknown => {
      const readings = [{ question, answer, mixed: false, exchanges: [] }];
      return rateWindows({ ...makeResults(), exchanges, readings });
    };
    expect(admitted('yes')).toMatchObject([{ admitted: 5, refused: 1 }]);
    expect(admitted('no')).toMatchObject([{ admitted: 1, refused: 1 }]);
  });

  it('does not count a refusal by the monthly quota as one by the window', () => {
    const results = resultsOf([
      sent(1, { role: 'nearQuota' }),
      sent(2, { role: 'nearQuota', status: 429 }),
    ]);
    expect(windowsOf(results.exchanges)).toMatchObject([{ admitted: 1, refused: 0, byQuota: 1 }]);
    expect(cells(page(results))[0]?.[4]).toBe('1 (monthly quota)');
  });

  it('says whose clock it shows where the clocks differ, and the exchange shows both', () => {
    const skewed = sent(1, { skewMs: 3_600_000 });
    expect(page(resultsOf([skewed]))).toContain('Times are by the target’s clock');
    expect(sentWords(skewed)).toContain("T10:30:00.100Z by the target's clock");
    expect(page(resultsOf([sent(1, {})]))).not.toContain('clock');
    expect(sentWords(sent(1, {}))).not.toContain('clock');
  });

  it('states what is violated or inconclusive about windows first, what has the same reason in one line', () => {
    const reason = 'the target keeps answering 429';
    const requirements = [
      makeRequirement('8/limit-enforced', 'passed'),
      makeRequirement('8/per-key', 'inconclusive', { reason }),
      makeRequirement('8/window-length', 'inconclusive', { reason }),
      makeRequirement('8/reset', 'failed', { findings: [{ ...FOUND, exchange: 'x1' }] }),
      makeRequirement('8/reset-steady', 'passed'),
      makeRequirement('8/refusal-message', 'failed', { findings: [{ ...FOUND, exchange: 'x1' }] }),
      makeRequirement('8/quota', 'inconclusive', { reason }),
    ];
    const markup = page({ ...resultsOf([sent(1, {})]), requirements });
    const lines = [...markup.matchAll(/<p>.*?<\/p>/g)].map(([one]) =>
      one.replaceAll(/<[^>]*>/g, ''),
    );
    expect(lines).toEqual([
      '✗ failed 8/reset: violated: m.',
      '✓ passed 8/limit-enforced: passed on 1 response.',
      `? inconclusive 8/per-key, 8/window-length: could not be judged: ${reason}.`,
    ]);
  });

  it('names a violated header at its windows, which says nothing about the number', () => {
    const found = { ...FOUND, exchange: 'x1', header: 'x-ratelimit-limit' };
    const requirements = [makeRequirement('8/header-limit', 'failed', { findings: [found] })];
    const markup = page({ ...resultsOf([sent(1, {})]), requirements });
    expect(markup).toContain('8/header-limit</a>: violated: m.');
    expect(cells(markup)[0]?.slice(3)).toEqual(['1 of 20', '0', '✗ 8/header-limit']);
  });

  it.each([
    '8/reset',
    '8/per-key',
    '8/reset-steady',
    '8/remaining-decrements',
    '8/limit-not-early',
  ])('marks the window of a finding against %s, and puts it first', (id) => {
    const results = resultsOf([sent(1, {}), sent(2, { key: 'k:2', status: 429 })]);
    const requirements = [
      makeRequirement(id, 'failed', { findings: [{ ...FOUND, exchange: 'x2' }] }),
    ];
    const markup = page({ ...results, requirements });
    expect(cells(markup).map(([key, , , admitted]) => [key, admitted])).toEqual([
      ['k:2', '✗ 0 of 20'],
      ['k:1', '1 of 20'],
    ]);
    expect(markup).toContain('; 0 with more than 20 admitted<');
  });

  it('names the outcome of the limiter: few admitted show nothing where it was not judged', () => {
    const reason = 'left out by the profile smoke; use --profile standard';
    const requirements = [makeRequirement('8/limit-enforced', 'untested', { reason })];
    expect(page({ ...resultsOf([sent(1, {})]), requirements })).toContain(`untested: ${reason}`);
  });

  it('takes limit and window from the settings of the target', () => {
    const resets = [START + 300, START + 300, START + 600];
    const results = resultsOf(resets.map((reset, index) => sent(index + 1, { reset })));
    const limits = { requests: 1, windowMs: 300, monthlyQuota: 100 };
    const settings = { ...makeResults().settings, limits } as Results['settings'];
    const requirements = [beyond('x2')];
    const markup = page({ ...results, requirements, ...(settings && { settings }) });
    expect(cells(markup).map((row) => row[3])).toEqual(['✗ 2 of 1', '1 of 1']);
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
