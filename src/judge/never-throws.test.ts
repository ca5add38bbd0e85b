import { REQUIREMENTS } from '../requirements/catalogue.ts';
import { judgeViews } from '../requirements/judging.ts';
import { describe, expect, it } from 'vitest';
import * as fc from '../../test/fast-check.ts';
import { endpoint, ENDPOINT_PATHS, ENDPOINTS, type EndpointPath } from '../spec/endpoints.ts';
import { KEY_ROLES, type Exchange } from '../spec/exchange.ts';
import { DAY } from '../spec/time.ts';
import { contextOf } from './context.ts';
import { DEFAULT_FACTS, type Facts } from './facts.ts';
import { Judgement } from './judgement.ts';
import { isObject } from '../text/json-value.ts';
import { schemaFile } from './schema/schema-files.ts';
import { viewOf } from './view.ts';
import { anyText } from '../suite/property/values.ts';

/** Texts that almost parse. */
const ODD_TEXTS = [
  '',
  ' ',
  '20261121',
  '2026-11-21',
  '2026-02-30',
  '2026-13-45',
  '0000-00-00',
  '9999-99-99',
  '2026-11-21T25:00:00Z',
  '+275760-09-14',
  '1763683200000',
  '-1',
  '1e999',
  '0x10',
  'NaN',
  'null',
  'null\u0000',
  '\uD800',
  '\u202Eabc',
  '\u001B[31m',
  '<p><<x>',
  '<a href="//x',
  '&#xFFFFFFFF;',
  '%E0%A4%A',
  '__proto__',
  'constructor',
  'BTC',
  'US',
  'en',
];
const ODD_NUMBERS = [0, -0, -1, 0.1, Number.MIN_VALUE, 1.7e308, 1e14, 1e12, 2 ** 53, 8.64e15];

const text = fc.oneof(fc.constantFrom(...ODD_TEXTS), anyText({ maxLength: 12 }));
const leaf = fc.oneof(
  text,
  fc.constantFrom(...ODD_NUMBERS),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
);
const anything = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.oneof(text, fc.constantFrom('list', 'data', 'code', 'details')),
      tie('value'),
      {
        maxKeys: 3,
      },
    ),
  ),
})).value;

/** Replaces the value at a random position of `body`. */
function changed(body: unknown, picks: readonly number[], value: unknown): unknown {
  const [pick, ...rest] = picks;
  if (pick === undefined) return value;
  if (Array.isArray(body) && body.length > 0) {
    const at = pick % body.length;
    return body.map((one: unknown, index) => (index === at ? changed(one, rest, value) : one));
  }
  if (isObject(body)) {
    const keys = Object.keys(body);
    const key = keys[pick % keys.length];
    if (key === undefined) return value;
    return { ...body, [key]: changed(body[key], rest, value) };
  }
  return value;
}

/** A conforming answer of an endpoint, with three records in lists. */
function conforming(path: EndpointPath): unknown {
  const { kind, resource } = ENDPOINTS[path].response as {
    kind: string;
    resource?: Parameters<typeof schemaFile>[0];
  };
  const examples = resource === undefined ? [] : schemaFile(resource)['examples'];
  const records = Array.isArray(examples) ? (examples as unknown[]) : [];
  if (kind === 'object') return records[0];
  const list = [...records, ...records, ...records].slice(0, 3);
  return kind === 'page' ? { list, page: 1, page_size: 20, total: 3 } : list;
}

const refusal = {
  code: 400003,
  message: 'Invalid parameter: limit',
  details: { field: 'limit', constraint: [], header: 'X-API-KEY', retry_after: 3, limit: 20 },
};

const answer = fc.record({
  path: fc.option(fc.constantFrom(...ENDPOINT_PATHS), { freq: 12 }),
  role: fc.constantFrom(...KEY_ROLES),
  status: fc.constantFrom(200, 200, 200, 200, 204, 302, 400, 401, 403, 404, 429, 500, 503),
  base: fc.constantFrom('conforming', 'conforming', 'refusal', 'anything'),
  changes: fc.array(fc.tuple(fc.array(fc.nat(12), { maxLength: 5 }), anything), { maxLength: 3 }),
  whole: anything,
  raw: fc.option(text, { freq: 8 }),
  query: fc.array(
    fc.tuple(
      fc.constantFrom(
        'limit',
        'page',
        'page_size',
        'start_time',
        'end_time',
        'start_date',
        'end_date',
        'symbol',
        'country_code',
        'language',
        'category',
        'interval',
        'exchange',
        'order_by',
        'currency_id',
      ),
      fc.oneof(text, fc.constantFrom('1', '5', '20', '1d', '500', '2')),
    ),
    { maxLength: 4 },
  ),
  id: fc.oneof(text, fc.constantFrom('IBIT', 'other')),
  headers: fc.dictionary(
    fc.constantFrom(
      'content-type',
      'date',
      'retry-after',
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
    ),
    fc.oneof(text, fc.constantFrom('application/json', '20', '19', '1767787260000')),
  ),
  at: fc.constantFrom(0, 1000, 60_000, DAY, 5 * DAY),
});

type Drawn = typeof answer extends fc.Arbitrary<infer T> ? T : never;

const START = Date.parse('2026-01-07T12:00:00Z');

function exchangeOf(drawn: Drawn, index: number): Exchange {
  const { path, role, status, query, id, headers } = drawn;
  const bases = {
    conforming: path === null ? {} : conforming(path),
    refusal,
    anything: drawn.whole,
  };
  let body: unknown = bases[drawn.base];
  for (const [picks, value] of drawn.changes) body = changed(body, picks, value);
  const sent = drawn.raw ?? JSON.stringify(body) ?? '';
  const names = path === null ? [] : Object.keys(endpoint(path).path);
  const where = (path ?? '/no/such/path').replace(/\{\w+\}/, 'ID');
  const time = START + drawn.at + index;
  return {
    id: `x${index + 1}`,
    endpoint: path,
    pathParameters: Object.fromEntries(names.map((name) => [name, id])),
    role,
    key: role === 'none' ? null : `${role}:1`,
    request: { method: 'GET', url: `http://t.test${where}`, path: where, query, headers: {} },
    response: { status, headers, text: sent, bytes: sent.length },
    error: null,
    sentAt: time - 5,
    receivedAt: time,
    skewMs: 0,
    attempt: 1,
  };
}

const FACTS: Facts = {
  ...DEFAULT_FACTS,
  unknownIds: { ticker: ['other'], currency_id: ['other'] },
  malformedCurrencyIds: [' '],
  forbidden: ['/news'],
  quotaLeft: 2,
  earlierRows: [
    { ticker: 'IBIT', date: '20261121', seenAt: START - DAY, run: '' },
    { ticker: 'IBIT', date: '2026-01-06', seenAt: START - DAY, run: '' },
  ],
};

describe('every judgement', () => {
  it('never throws, whatever an answer contains', () => {
    fc.assert(
      fc.property(fc.array(answer, { minLength: 1, maxLength: 5 }), fc.boolean(), (all, data) => {
        const exchanges = all.map(exchangeOf);
        const facts = data ? { ...FACTS, envelope: 'data' } : FACTS;
        const context = contextOf(facts, exchanges);
        const views = exchanges.flatMap((exchange) => viewOf(exchange, context) ?? []);
        const into = new Judgement();
        for (const one of REQUIREMENTS) judgeViews(one, views, context, into);
        expect([...into.broken.values()]).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
