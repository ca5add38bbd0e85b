import type { LoadResult } from '../../src/report/model/load-results.ts';
import { withBaseline } from '../../src/report/model/diff.ts';
import type { CheckResult, Results } from '../../src/report/model/results.ts';
import { makeExchange, makeRequirement, makeResults } from '../report/fixture.ts';

const START = Date.UTC(2026, 10, 20, 9, 40, 0);

/** A load result with every part; `text` stands where k6 or a target has a say. */
export function makeLoad(text = 'harmless'): LoadResult {
  return {
    scenario: 'rl-exact',
    title: `Exactly twenty requests of a window are admitted ${text}`,
    outcome: 'failed',
    reason: `One window admitted 21 ${text}`,
    command: `assay load rl-exact ${text}`,
    k6: { version: `v2.2.0 ${text}`, source: 'PATH' },
    startedAt: '2026-11-20T09:40:00.000Z',
    endedAt: '2026-11-20T09:44:00.000Z',
    limits: { requests: 20, windowMs: 60_000 },
    requests: { sent: 240, admitted: 81, refused: 157, other: 1, failed: 1 },
    requirements: [
      {
        id: '8/limit-enforced',
        level: 'must',
        title: `No window admits more than the limit ${text}`,
        outcome: 'failed',
        judged: 4,
        findings: [{ message: `21 were admitted ${text}`, expected: '20', actual: `21 ${text}` }],
        total: 1,
      },
      {
        id: '8/reset',
        level: 'must',
        title: 'The window starts anew',
        outcome: 'passed',
        judged: 3,
        findings: [],
        total: 0,
      },
    ],
    readings: [{ question: 'Kind of window', answer: `fixed ${text}` }],
    windows: Array.from({ length: 4 }, (_, index) => ({
      key: 'key-a1b2',
      resetAt: START + (index + 1) * 60_000,
      from: START + index * 60_000,
      to: START + index * 60_000 + 900,
      admitted: index === 2 ? 21 : 20,
      refused: 40,
      remaining: [19, 18, null],
      ...(index === 2 && { wrong: 'more' as const }),
    })),
    windowsInAll: 4,
    course: {
      from: START,
      stepMs: 60_000,
      every: { admitted: 1, refused: 1 },
      sent: [60, 60, 60, 60],
      answered: [60, 60, 59, 60],
      p50: [10, 12, null, 13],
      p95: [40, 41, null, 45],
      p99: [71, 300, null, 80],
    },
    latency: [
      {
        endpoint: '/news',
        status: '200',
        count: 81,
        min: 3,
        p50: 12,
        p95: 40,
        p99: 71,
        max: 90,
        bucketed: false,
      },
      {
        endpoint: `all ${text}`,
        status: '429',
        count: 157,
        min: 1,
        p50: 2,
        p95: 4,
        p99: 9,
        max: 20,
        bucketed: true,
      },
    ],
    health: { vus: 60, dropped: 0, iterations: 240, spreadMs: 5, lateMs: null, recorded: 240 },
    notes: [`a note ${text}`],
  };
}

/** A load result that passed, with more windows than a phone shows at once; `text` as in {@link makeLoad}. */
export function makePassingLoad(text = 'harmless'): LoadResult {
  const failing = makeLoad(text);
  return {
    ...failing,
    scenario: 'rl-recovery',
    outcome: 'passed',
    reason: '2 requirements judged, none violated.',
    requests: { sent: 960, admitted: 320, refused: 640, other: 0, failed: 0 },
    requirements: failing.requirements.filter(({ outcome }) => outcome === 'passed'),
    windows: Array.from({ length: 16 }, (_, index) => ({
      key: `key-a1b2 ${text}`,
      resetAt: START + (index + 1) * 60_000,
      from: START + index * 60_000,
      to: START + index * 60_000 + 900,
      admitted: 20,
      refused: 40,
      remaining: [19, 18, null],
    })),
    windowsInAll: 16,
  };
}

/** Results in which every part of the report has something to show; `text` stands wherever a target has a say. */
export function fullResults(text = 'harmless'): Results {
  const reset = { 'x-ratelimit-limit': '20', 'x-ratelimit-reset': String(START + 60_000) };
  const before = makeResults({ text: 'earlier' });
  const now = makeResults({ text });
  const limited = Array.from({ length: 24 }, (_, index) =>
    makeExchange(20 + index, {
      endpoint: '/etfs/summary-history',
      path: '/etfs/summary-history',
      query: [
        ['symbol', 'BTC'],
        ['country_code', 'HK'],
      ],
      status: index < 20 ? 200 : 429,
      headers: { ...reset, 'x-ratelimit-remaining': String(Math.max(0, 19 - index)) },
      body: index < 20 ? '[]' : `{"code":402901,"message":${JSON.stringify(text)}}`,
    }),
  );
  return withBaseline(
    {
      ...now,
      exchanges: [...now.exchanges, ...limited],
      load: [makePassingLoad(text), makeLoad(text)],
      proof: { '4.3/unlisted': ['summary-unlisted-code'] },
      history: {
        runs: [
          { startedAt: '2026-11-17T09:40:00.000Z', verdict: text },
          { startedAt: '2026-11-18T09:40:00.000Z', verdict: 'violates' },
          { startedAt: '2026-11-19T09:40:00.000Z', verdict: 'violates' },
        ],
        outcomes: { '4.3/unlisted': ['passed', 'failed', null] },
      },
      waivers: [
        {
          id: '4.4/volume',
          owner: text,
          reason: text,
          ticket: text,
          expires: '2027-01-01',
          state: 'applied',
          detail: 'Set aside until 2027-01-01.',
        },
      ],
    },
    {
      ...before,
      requirements: before.requirements.filter(({ id }) => id !== '4.3/unlisted'),
      readings: before.readings.map((one) => ({ ...one, answer: 'newest first' })),
      exchanges: before.exchanges.map((one) =>
        one.response === null ? one : { ...one, response: { ...one.response, status: 200 } },
      ),
    },
  );
}

/** The reading that tells which form of error codes was seen. */
const CODES = 'How many digits error codes have';

/** What each of the five reviewers of docs/report.md looks for: {@link fullResults}, and beside it keys and forms. */
export function reviewResults(): Results {
  const full = fullResults();
  const refusal = (number: number, role: 'none' | 'unknown' | 'expired', code: number) =>
    makeExchange(number, {
      endpoint: '/news/featured',
      path: '/news/featured',
      status: 401,
      role,
      body: JSON.stringify({ code, message: 'refused', details: {} }),
    });
  const letIn = makeExchange(63, { endpoint: '/news/hot', path: '/news/hot', role: 'none' });
  const more = [
    makeRequirement('5/key-required', 'failed', {
      findings: [
        {
          message: 'A request without a key is answered',
          expected: 'status 401',
          actual: '200',
          pointer: null,
          exchange: 'x63',
        },
      ],
      exchanges: ['x60', 'x63'],
    }),
    {
      ...makeRequirement('7/code-form', 'observed', {
        reading: `${CODES}: six-digit; ${CODES}: five-digit`,
        exchanges: ['x2', 'x3', 'x60'],
      }),
      basis: 'contradictory' as const,
    },
  ];
  const requirements = [...full.requirements, ...more];
  return {
    ...full,
    readings: full.readings.map((one) =>
      one.mixed
        ? {
            ...one,
            question: CODES,
            answer: 'six-digit / five-digit',
            exchanges: ['x2', 'x3', 'x60'],
            forms: [
              { answer: 'six-digit', count: 2 },
              { answer: 'five-digit', count: 1 },
            ],
          }
        : one,
    ),
    sentence: '8 of 31 musts are violated; 16 verified, 7 not verified.',
    requirements,
    exchanges: [
      ...full.exchanges,
      refusal(60, 'none', 400101),
      refusal(61, 'unknown', 400101),
      refusal(62, 'expired', 400102),
      letIn,
    ],
    failing: requirements
      .filter(({ outcome }) => outcome === 'failed')
      .map(({ id }) => ({ id, why: 'violated' as const })),
    waivers: [
      {
        id: '4.4/volume',
        owner: 'Ada',
        reason: 'the fix ships with release 12',
        ticket: 'MD-12',
        expires: '2027-01-01',
        state: 'applied',
        detail: 'Set aside until 2027-01-01.',
      },
    ],
  };
}

/** A random but repeatable number generator. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A run of many checks, each with an exchange and about 1.8 kB of evidence that does not compress away. */
export function largeResults(count: number): Results {
  const draw = random(7);
  const base = makeResults();
  const number = (): string => (draw() * 90_000).toFixed(2);
  const body = (index: number): string =>
    JSON.stringify(
      Array.from({ length: 12 }, (_, row) => ({
        date: `2026-10-${String((row % 28) + 1).padStart(2, '0')}`,
        ticker: `T${index % 40}`,
        net_inflow: Number(number()),
        net_assets: Number(number()),
        value_traded: Number(number()),
        title: '</script><img src=x onerror=alert(1)>',
        source_link: 'https://platform.example/articles/detail',
      })),
    );
  const exchanges = Array.from({ length: count }, (_, index) =>
    makeExchange(index + 1, {
      endpoint: '/etfs/{ticker}/history',
      path: `/etfs/T${index % 40}/history`,
      query: [['limit', String(index)]],
      status: index % 9 === 0 ? 400 : 200,
      body: body(index),
    }),
  );
  const groups = 380;
  const requirements = Array.from({ length: groups }, (_, group) => {
    const mine = exchanges.filter((_one, index) => index % groups === group);
    const failed = group % 20 === 0;
    const checks = mine.map((exchange, index): CheckResult => ({
      title: `holds for case ${index}`,
      outcome: failed && index === 0 ? 'failed' : 'passed',
      reason: failed && index === 0 ? 'net_inflow is a string' : null,
      exchanges: [exchange.id],
      ms: 3,
    }));
    return makeRequirement(`4.${(group % 7) + 1}/rule-${group}`, failed ? 'failed' : 'passed', {
      level: 'must',
      checks,
      exchanges: mine.map(({ id }) => id),
      findings: failed
        ? [
            {
              message: `rule ${'abcdefghij'[group % 10] ?? ''} is broken in a way of its own`,
              expected: `value ${'abcdefghij'[group % 7] ?? ''}`,
              actual: '"1.5" (string)',
              pointer: '/3/net_inflow',
              exchange: mine[0]?.id ?? null,
            },
          ]
        : [],
    });
  });
  const proof = Object.fromEntries(
    requirements.map(({ id }, index) => [id, [`defect-${index}`, `subtle-defect-${index}`]]),
  );
  return { ...base, requirements, exchanges, readings: [], proof };
}

/** A run in which nothing is wrong: all but one requirement passed. */
export function greenResults(): Results {
  const { load: _load, waivers: _waivers, ...full } = fullResults();
  const requirements = full.requirements.map(({ id }, index) =>
    makeRequirement(id, index === 0 ? 'untested' : 'passed'),
  );
  const musts = requirements.filter(({ level }) => level === 'must').length;
  return {
    ...full,
    load: [],
    verdict: 'conforms',
    sentence: `${musts - 1} of ${musts} musts verified, none violated.`,
    exitCode: 0,
    failing: [],
    requirements,
  };
}

/** A first screen as full as it gets: more causes than it lists, with titles of several lines, and load that failed. */
export function crowdedResults(): Results {
  const large = largeResults(760);
  const full = fullResults();
  const long =
    'and what is said about it takes several lines of any screen, as it quotes the answer '.repeat(
      2,
    );
  let causes = 0;
  const requirements = large.requirements.map((one, index) => {
    if (index % 12 !== 0) return one;
    const name = 'abcdefghijklmnopqrstuvwxyz'.charAt((causes += 1) % 26).repeat(3);
    const message = `rule ${name} is broken ${long}`;
    const finding = {
      message,
      expected: name,
      actual: '"1.5"',
      pointer: '/3/net_inflow',
      exchange: 'x1',
    };
    return { ...one, outcome: 'failed' as const, findings: [finding] };
  });
  return {
    ...full,
    requirements,
    exchanges: large.exchanges,
    load: Array.from({ length: 6 }, () => makeLoad(long)),
    failing: requirements
      .filter(({ outcome }) => outcome === 'failed')
      .map(({ id }) => ({ id, why: 'violated' as const })),
  };
}

/** A run with more findings than a screen has room for, each of a cause of its own. */
export function manyFindings(): Results {
  const large = largeResults(760);
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const requirements = large.requirements.map((one, index) => {
    if (index % 20 !== 0) return one;
    const name = letters.charAt(index / 20).repeat(4);
    const finding = {
      message: `${name} is what nothing else here is`,
      expected: name,
      actual: 'null',
      pointer: `/3/${name}`,
      exchange: one.exchanges[0] ?? null,
    };
    return { ...one, outcome: 'failed' as const, findings: [finding] };
  });
  return { ...large, requirements };
}
