import { describe, expect, it } from 'vitest';
import type { EndpointPath } from '../spec/endpoints.ts';
import type { Exchange } from '../spec/exchange.ts';
import { DEFAULT_FACTS } from '../judge/facts.ts';
import { serviceWatch } from './service-watch.ts';

let count = 0;
const answer = (
  endpoint: EndpointPath,
  body: unknown,
  { status = 200, role = 'valid' }: { status?: number; role?: Exchange['role'] } = {},
): Exchange => ({
  id: `x${++count}`,
  endpoint,
  pathParameters: {},
  role,
  key: 'k-1',
  request: { method: 'GET', url: '', path: endpoint, query: [], headers: {} },
  response: {
    status,
    headers: {},
    text: typeof body === 'string' ? body : JSON.stringify(body),
    bytes: 1,
  },
  error: null,
  sentAt: 0,
  receivedAt: 0,
  skewMs: 0,
  attempt: 1,
});
const ENDPOINTS = [
  '/news',
  '/analyses',
  '/etfs/summary-history',
  '/currencies/{currency_id}',
  '/news/featured',
  '/etfs/{ticker}/history',
  '/currencies/{currency_id}/pairs',
] as const;

/** Result of the watch when every endpoint returns this answer. */
const verdictOn = (make: (endpoint: EndpointPath) => Exchange): string | null => {
  const watch = serviceWatch('http://t.test/v1');
  for (const endpoint of ENDPOINTS) {
    const end = watch.observe(make(endpoint), DEFAULT_FACTS);
    if (end !== null) return end.message;
  }
  return null;
};

describe('ServiceWatch', () => {
  it('leaves a missing area to the requirements', () => {
    const watch = serviceWatch('http://t.test/v1');
    const gone = (['/news', '/news/featured', '/news/hot', '/news/search', '/news'] as const).map(
      (one) => watch.observe(answer(one, '<h1>Not found</h1>', { status: 404 }), DEFAULT_FACTS),
    );
    expect(gone).toEqual([null, null, null, null, null]);
    const other = answer('/analyses', '<h1>Not found</h1>', { status: 404 });
    expect(watch.observe(other, DEFAULT_FACTS)?.message).toContain('is not the service under test');
  });

  it('ends a run against something that is not the service', () => {
    expect(verdictOn((one) => answer(one, '<html><title>Sign in</title>'))).toContain('"Sign in"');
    expect(verdictOn((one) => answer(one, { ok: true }))).toContain(
      'is not the service under test',
    );
    expect(verdictOn((one) => answer(one, { error: 'x' }, { status: 404 }))).toContain('404');
    const unknownPath = { code: 400402, message: 'endpoint not found', details: {} };
    expect(verdictOn((one) => answer(one, unknownPath, { status: 404 }))).toContain('404');
  });

  it.each([
    ['an envelope of its own', { result: { list: [], page: 1, page_size: 20, total: 0 } }],
    ['names in another spelling', { List: [], Page: 1, pageSize: 20, Total: 0 }],
    ['no data at all', { list: [], page: 1, page_size: 20, total: 0 }],
  ])('knows the service by one page with %s', (_name, page) => {
    const make = (one: EndpointPath): Exchange =>
      one === '/news' ? answer(one, page) : answer(one, { ok: true });
    expect(verdictOn(make)).toBeNull();
  });

  it.each([
    ['errors of §7', { code: 400401, message: 'not found', details: {} }, 404],
    ['errors of five digits', { code: 40001, message: 'bad', details: {} }, 400],
    ['refused keys', 'no', 401],
    ['failures of the server', 'oops', 500],
    ['the limiter', 'slow down', 429],
  ])('says nothing on %s', (_name, body, status) => {
    expect(verdictOn((one) => answer(one, body, { status }))).toBeNull();
  });

  it('considers valid keys first, then all keys, and needs several endpoints', () => {
    expect(verdictOn((one) => answer(one, 'x', { role: 'none' }))).toBeNull();
    const afterValid = (valid: number): string | null => {
      let asked = 0;
      return verdictOn((one) => answer(one, 'x', { role: asked++ < valid ? 'valid' : 'none' }));
    };
    expect(afterValid(2)).toBeNull();
    expect(afterValid(3)).toContain('none of the 3 responses to requests with valid keys contains');
    expect(verdictOn(() => answer('/news', 'x'))).toBeNull();
  });
});
