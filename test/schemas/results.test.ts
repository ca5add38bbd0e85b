import { describe, expect, it } from 'vitest';
import { KEY_ROLES, TRANSPORT_ERRORS } from '../../src/spec/exchange.ts';
import type { Exchange } from '../../src/spec/exchange.ts';
import { OUTCOMES } from '../../src/report/model/results.ts';
import type { LevelSummary, Outcome, Results } from '../../src/report/model/results.ts';
import { validate } from '../../src/judge/schema/schemas.ts';
import { changed } from './samples.ts';

const exchange: Exchange = {
  id: 'x1',
  endpoint: '/news',
  pathParameters: {},
  role: 'valid',
  key: 'k-1a2b',
  request: {
    method: 'GET',
    url: 'http://127.0.0.1:8080/news?page=1',
    path: '/news',
    query: [['page', '1']],
    headers: { 'x-api-key': '***' },
  },
  response: { status: 200, headers: {}, text: '{}', bytes: 2, truncated: true },
  error: null,
  sentAt: 1_767_225_600_000,
  receivedAt: 1_767_225_600_012,
  skewMs: 0,
  attempt: 1,
};
const failed: Exchange = {
  ...exchange,
  id: 'x2',
  endpoint: null,
  role: 'none',
  key: null,
  response: null,
  error: { kind: 'timeout', message: 'no answer within 10000 ms' },
};
const counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<
  Outcome,
  number
>;
const summary: LevelSummary = { ...counts, passed: 1 };
const results: Results = {
  schemaVersion: 1,
  tool: { name: 'assay', version: '0.1.0' },
  spec: { sha256: 'a'.repeat(64) },
  target: {
    baseUrl: 'http://127.0.0.1:8080',
    envelope: null,
    keys: { valid: ['k-1a2b'] },
    reference: true,
  },
  profile: 'standard',
  seed: 1,
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T00:01:00.000Z',
  verdict: 'conforms',
  sentence: 'Conforms: 1 of 1 verified.',
  exitCode: 0,
  requests: { total: 2, byRole: { valid: 1, none: 1 }, waitedMs: 0 },
  summary: { must: summary, should: summary, observe: summary },
  requirements: [
    {
      id: '4.3/symbol-enum',
      level: 'must',
      basis: 'stated',
      section: '4.3',
      title: 'Refuses an unknown symbol',
      outcome: 'passed',
      reason: null,
      cause: null,
      reading: null,
      findings: [{ message: 'm', expected: 'e', actual: 'a', pointer: '/code', exchange: 'x1' }],
      checks: [{ title: 't', outcome: 'passed', reason: null, exchanges: ['x1'], ms: 3 }],
      exchanges: ['x1'],
    },
  ],
  readings: [{ question: 'q', answer: 'a', mixed: false, exchanges: ['x1'] }],
  notes: [],
  exchanges: [exchange, failed],
  load: [],
};
const plain: unknown = JSON.parse(JSON.stringify(results));

/** Pointers of every property of a value, where objects are records of the format and not free maps. */
function pointers(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(Array.isArray(value) ? [] : [`${at}/${key}`]),
    ...pointers(inner, `${at}/${key}`),
  ]);
}
const free = /\/(?:byRole|keys|headers|pathParameters)\/|\/truncated$|\/cause$/;

describe('results schema', () => {
  it('accepts results, and keys that are added later', () => {
    expect(validate('results', plain)).toEqual([]);
    expect(validate('results', { ...results, added: true })).toEqual([]);
  });

  it.each(pointers(plain).filter((pointer) => !free.test(pointer)))('asks for %s', (pointer) => {
    const missing = validate('results', changed(plain, pointer, undefined));
    expect(missing).toMatchObject([{ pointer, keyword: 'required' }]);
    // Only `load` takes an array of an array.
    const wrong = validate('results', changed(plain, pointer, pointer === '/load' ? {} : [[[]]]));
    expect(wrong[0]?.pointer.startsWith(pointer)).toBe(true);
  });

  it.each([
    ['/schemaVersion', 3],
    ['/verdict', 'ok'],
    ['/startedAt', 'yesterday'],
    ['/spec/sha256', 'abc'],
    ['/requirements/0/outcome', 'skipped'],
    ['/requirements/0/level', 'may'],
    ['/requirements/0/id', 'symbol-enum'],
    ['/exchanges/0/role', 'admin'],
    ['/exchanges/0/endpoint', '/nope'],
    ['/exchanges/0/attempt', 0],
    ['/exchanges/0/response/status', '200'],
    ['/exchanges/1/error/kind', 'gone'],
    ['/requests/byRole/valid', -1],
  ])('refuses %s = %j', (pointer, value) => {
    expect(validate('results', changed(plain, pointer, value)).map((one) => one.pointer)).toEqual([
      pointer,
    ]);
  });

  it.each(TRANSPORT_ERRORS)('knows the transport error %s', (kind) => {
    expect(validate('results', changed(plain, '/exchanges/1/error/kind', kind))).toEqual([]);
  });

  it('knows every role of a key', () => {
    const byRole = Object.fromEntries(KEY_ROLES.map((role) => [role, 1]));
    expect(validate('results', changed(plain, '/requests/byRole', byRole))).toEqual([]);
    expect(validate('results', changed(plain, '/requests/byRole', { admin: 1 }))).toHaveLength(1);
  });
});
