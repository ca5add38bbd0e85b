import { missingSetting, notSelected } from '../../src/spec/cause.ts';
import type { Exchange, KeyRole } from '../../src/spec/exchange.ts';
import type { EndpointPath } from '../../src/spec/endpoints.ts';
import type { Level } from '../../src/spec/levels.ts';
import { evidenceFingerprint } from '../../src/report/model/fingerprint.ts';
import { summarize } from '../../src/run/verdict.ts';
import type {
  CheckResult,
  Outcome,
  RequirementResult,
  ResultFinding,
  Results,
} from '../../src/report/model/results.ts';

const START = Date.UTC(2026, 10, 20, 9, 30, 0);

/** Texts of the fixture that stand for what a target sent. */
export interface FixtureOptions {
  /** Put wherever a target has a say; default is a harmless word. */
  readonly text?: string;
}

interface ExchangeParts {
  readonly endpoint: EndpointPath | null;
  readonly path: string;
  readonly query?: readonly (readonly [string, string])[];
  readonly status?: number;
  readonly body?: string;
  readonly role?: KeyRole;
  readonly error?: Exchange['error'];
  readonly headers?: Readonly<Record<string, string>>;
  readonly truncated?: true;
}

/** An exchange with sensible defaults. `number` gives the id and the time. */
export function makeExchange(number: number, parts: ExchangeParts): Exchange {
  const { path, query = [], role = 'valid', body = '[]' } = parts;
  const search = query
    .map(([name, value]) => `${name}=${encodeURIComponent(Buffer.from(value).toString())}`)
    .join('&');
  const answered = parts.error === undefined || parts.error === null;
  return {
    id: `x${number}`,
    endpoint: parts.endpoint,
    pathParameters: {},
    role,
    key: role === 'none' ? null : 'key-a1b2',
    request: {
      method: 'GET',
      url: `https://staging.example/v1${path}${search === '' ? '' : `?${search}`}`,
      path,
      query,
      headers: {
        accept: 'application/json',
        ...(role === 'none' ? {} : { 'x-api-key': '[redacted:key-a1b2]' }),
      },
    },
    response: answered
      ? {
          status: parts.status ?? 200,
          headers: { 'content-type': 'application/json', ...parts.headers },
          text: body,
          bytes: Buffer.byteLength(body),
          ...(parts.truncated === true ? { truncated: true } : {}),
        }
      : null,
    error: parts.error ?? null,
    sentAt: START + number * 3000,
    receivedAt: START + number * 3000 + 40 + number,
    skewMs: 0,
    attempt: 1,
  };
}

function check(title: string, outcome: Outcome, reason: string | null = null): CheckResult {
  return { title, outcome, reason, exchanges: [], ms: 12 };
}

interface RequirementParts {
  readonly level?: Level;
  readonly title?: string;
  readonly reason?: string;
  readonly cause?: RequirementResult['cause'];
  readonly reading?: string;
  readonly findings?: readonly ResultFinding[];
  readonly exchanges?: readonly string[];
  readonly checks?: readonly CheckResult[];
}

/** A requirement with sensible defaults. */
export function makeRequirement(
  id: string,
  outcome: Outcome,
  parts: RequirementParts = {},
): RequirementResult {
  const level =
    parts.level ?? (outcome === 'observed' ? 'observe' : outcome === 'warned' ? 'should' : 'must');
  const slug = id.slice(id.indexOf('/') + 1);
  return {
    id,
    level,
    basis: level === 'must' ? 'stated' : level === 'should' ? 'implied' : 'silent',
    section: id.slice(0, id.indexOf('/')),
    title: parts.title ?? `The rule about ${slug.replaceAll('-', ' ')} holds`,
    outcome,
    reason: parts.reason ?? null,
    cause: parts.cause ?? null,
    reading: parts.reading ?? null,
    findings: parts.findings ?? [],
    checks: parts.checks ?? (outcome === 'untested' ? [] : [check('the only check', outcome)]),
    exchanges: parts.exchanges ?? (outcome === 'untested' ? [] : ['x1']),
  };
}

function exchanges(text: string): readonly Exchange[] {
  const unlisted = JSON.stringify({
    code: 400003,
    message: `Invalid parameter: symbol ${text}`,
    details: {},
  });
  return [
    makeExchange(1, { endpoint: '/analyses', path: '/analyses' }),
    makeExchange(2, {
      endpoint: '/etfs/summary-history',
      path: '/etfs/summary-history',
      query: [
        ['symbol', 'LTC'],
        ['country_code', 'HK'],
      ],
      status: 400,
      body: unlisted,
      headers: { 'x-note': text, 'x-ratelimit-remaining': '12' },
    }),
    makeExchange(3, {
      endpoint: '/etfs/summary-history',
      path: '/etfs/summary-history',
      query: [
        ['symbol', text],
        ['country_code', 'HK'],
      ],
      status: 400,
      body: `${unlisted}${' '.repeat(200)}`,
    }),
    makeExchange(4, {
      endpoint: '/currencies/{currency_id}/market-snapshot',
      path: '/currencies/bitcoin/market-snapshot',
      body: JSON.stringify({ price: '64000.10', change_pct_24h: null, note: text }),
    }),
    makeExchange(5, {
      endpoint: '/news',
      path: '/news',
      body: `<html>${text}</html>`,
      status: 502,
    }),
    makeExchange(6, {
      endpoint: '/news/hot',
      path: '/news/hot',
      error: { kind: 'timeout', message: `no answer within 10000 ms ${text}` },
    }),
    makeExchange(7, { endpoint: null, path: '/no-such-path', status: 404, role: 'none', body: '' }),
    makeExchange(8, {
      endpoint: '/macro/events/{event}/history',
      path: '/macro/events/CPI/history',
      body: JSON.stringify(
        Array.from({ length: 600 }, (_, index) => ({ date: '2026-10-01', actual: index })),
      ),
    }),
    makeExchange(9, {
      endpoint: '/news/featured',
      path: '/news/featured',
      body: `{"list":["${'a'.repeat(50_000)}`,
      truncated: true,
    }),
    makeExchange(10, {
      endpoint: '/etfs',
      path: '/etfs',
      status: 401,
      role: 'expired',
      body: '{}',
    }),
  ];
}

function nullField(name: string): ResultFinding {
  return {
    kind: 'field-null',
    message: `"${name}" is null`,
    expected: 'a decimal: a JSON number or a decimal string',
    actual: 'null',
    pointer: `/${name}`,
    exchange: 'x4',
  };
}

function requirements(text: string): readonly RequirementResult[] {
  const wrongCode = (exchange: string): ResultFinding => ({
    message: `GET /etfs/summary-history answers with the wrong code ${text}`,
    expected: 'code 400001',
    actual: '400003 (number)',
    pointer: '/code',
    exchange,
  });
  return [
    makeRequirement('4.3/unlisted', 'failed', {
      findings: [wrongCode('x3'), wrongCode('x2')],
      exchanges: ['x2', 'x3'],
      checks: [check('LTC in HK', 'failed', text), check('DOT in HK', 'failed')],
    }),
    makeRequirement('4.3/unlisted-message', 'failed', {
      findings: [
        {
          message: 'The message of the refusal is another one',
          expected: 'Unsupported ETF category: symbol=LTC, country_code=HK',
          actual: JSON.stringify(text),
          pointer: `/messages${text}`,
          exchange: 'x2',
        },
      ],
    }),
    makeRequirement('2.2/price', 'failed', { findings: [nullField('price')] }),
    makeRequirement('2.2/change-pct-24h', 'failed', { findings: [nullField('change_pct_24h')] }),
    makeRequirement('2.2/turnover-24h', 'failed', { findings: [nullField('turnover_24h')] }),
    makeRequirement('8/remaining-decrements', 'failed', {
      findings: [
        {
          message: 'X-RateLimit-Remaining did not go down',
          expected: '11',
          actual: '12',
          pointer: null,
          exchange: null,
        },
      ],
    }),
    makeRequirement('7/details-object', 'failed', { reason: `a bare assertion failed ${text}` }),
    makeRequirement('4.2/title-language', 'warned', {
      findings: [
        {
          message: 'The title is not in the requested language',
          expected: 'a text in ja',
          actual: JSON.stringify(text),
          pointer: '/list/0/title',
          exchange: 'x1',
        },
      ],
    }),
    makeRequirement('4.1/kline-order', 'observed', {
      reason: 'oldest first',
      reading: 'oldest first',
    }),
    makeRequirement('4.6/chart-records', 'observed', { reason: `array of objects ${text}` }),
    makeRequirement('7/unknown-language', 'inconclusive', {
      reason: `the control request failed with 502 ${text}`,
      exchanges: ['x5'],
    }),
    makeRequirement('4.7/news-hot', 'inconclusive', {
      reason: 'no answer within 10000 ms',
      exchanges: ['x6'],
    }),
    makeRequirement('5/disabled-key', 'untested', {
      reason: 'needs a disabled key: add keys.disabled to the target file',
      cause: missingSetting('keys.disabled'),
    }),
    makeRequirement('5/expired-key', 'untested', {
      reason: 'needs an expired key: add keys.expired to the target file',
      cause: missingSetting('keys.expired'),
    }),
    makeRequirement('5/expired-key-code', 'untested', {
      reason: 'add keys.expired to the target file',
      cause: missingSetting('keys.expired'),
    }),
    makeRequirement('8/monthly-quota', 'untested', {
      reason: 'out of budget: raise --max-requests',
      cause: notSelected('budget'),
    }),
    makeRequirement('4.4/t-plus-one', 'untested', { reason: `no unsettled row today ${text}` }),
    makeRequirement('4.4/volume', 'waived', {
      reason: 'known issue, accepted until 2027-01-01',
      findings: [
        {
          message: `volume is another text than value_traded ${text}`,
          expected: '1200.5',
          actual: '"7" (string)',
          pointer: '/0/volume',
          exchange: 'x1',
        },
      ],
    }),
    makeRequirement('4.5/klines', 'error', { reason: `TypeError in the check ${text}` }),
    ...[
      '2.1/currency-id',
      '2.2/high-24h',
      '2.10/date',
      '4.1/info',
      '4.1/klines-limit-default',
      '4.1/pairs',
      '4.2/page-size-max',
      '4.2/release-window',
      '4.3/listed',
      '4.3/symbol-enum',
      '4.3/symbol-case',
      '4.6/analyses',
      '5/unknown-key',
      '7/error-shape',
      '8/limit-enforced',
      '8/retry-after',
    ].map((id) => makeRequirement(id, 'passed')),
  ];
}

/** A run with every outcome, 35 requirements and ten exchanges; `text` appears wherever a target has a say. */
export function makeResults(options: FixtureOptions = {}): Results {
  const text = options.text ?? 'harmless';
  const sent = exchanges(text);
  const byId = new Map(sent.map((one) => [one.id, one]));
  const list = requirements(text).map((one) => ({
    ...one,
    fingerprint: evidenceFingerprint(one, byId),
  }));
  return {
    schemaVersion: 2,
    tool: { name: 'assay', version: '0.1.0' },
    spec: { sha256: '0123456789abcdef'.repeat(4) },
    target: {
      baseUrl: 'https://staging.example/v1',
      envelope: null,
      keys: { valid: ['key-a1b2'] },
      reference: false,
    },
    profile: 'standard',
    seed: 7,
    startedAt: '2026-11-20T09:30:00.000Z',
    endedAt: '2026-11-20T09:34:10.000Z',
    verdict: 'violates',
    sentence: '7 of 30 musts are violated; 16 verified, 7 not verified.',
    exitCode: 1,
    requests: { total: 10, byRole: { valid: 8, none: 1, expired: 1 }, waitedMs: 180_000 },
    summary: summarize(list),
    requirements: list,
    readings: [
      {
        question: 'Order of klines',
        answer: `oldest first ${text}`,
        mixed: false,
        exchanges: ['x1'],
      },
      {
        question: 'Form of error codes',
        answer: 'six and five digits',
        mixed: true,
        exchanges: ['x2', 'x3'],
      },
    ],
    notes: [`TLS certificates are not verified. ${text}`],
    exchanges: sent,
    load: [],
  };
}
