// Which findings stand together, and what a cause that explains others says of them.
import { describe, expect, it } from 'vitest';
import { groupCauses } from '../../src/report/analysis/causes.ts';
import { asShown } from '../../src/report/analysis/shown.ts';
import type { Exchange } from '../../src/spec/exchange.ts';
import { STATUS } from '../../src/spec/finding.ts';
import type { RequirementResult, ResultFinding, Results } from '../../src/report/model/results.ts';
import { makeExchange, makeRequirement, makeResults } from './fixture.ts';

const results = (
  requirements: readonly RequirementResult[],
  more: Partial<Results> = {},
): Results => ({ ...makeResults(), requirements, ...more });

const finding = (parts: Partial<ResultFinding>): ResultFinding => ({
  message: 'wrong',
  expected: 'a',
  actual: 'b',
  pointer: null,
  exchange: 'x1',
  ...parts,
});

describe('what explains other findings', () => {
  it('keeps a code of another error as its own cause where the status is wrong as well', () => {
    const refused = (number: number, code: number) =>
      makeExchange(number, {
        endpoint: '/etfs/summary-history',
        path: '/etfs/summary-history',
        status: 422,
        body: JSON.stringify({ code, message: 'x', details: {} }),
      });
    const at = (exchange: string, parts: Partial<ResultFinding>): ResultFinding =>
      finding({ exchange, header: STATUS, ...parts });
    const agrees = makeRequirement('7/status-agrees', 'failed', {
      findings: ['x1', 'x2'].map((exchange) => at(exchange, { kind: 'status-of-code' })),
    });
    const otherwise = (id: string, exchange: string, wrong: string) =>
      makeRequirement(id, 'failed', {
        findings: [at(exchange, { kind: 'refused-otherwise', facts: { wrong }, actual: wrong })],
      });
    const run = results(
      [
        otherwise('4.3/symbol-enum', 'x1', 'error code'),
        otherwise('4.1/klines-interval-enum', 'x2', 'status'),
        agrees,
      ],
      { exchanges: [refused(1, 400001), refused(2, 400003)] },
    );
    const causes = groupCauses(asShown(run));
    expect(causes.map((one) => one.requirements.map(({ id }) => id))).toEqual([
      ['4.1/klines-interval-enum', '7/status-agrees'],
      ['4.3/symbol-enum'],
    ]);
  });

  it('keeps a refusal before its time as its own cause where the code is wrong as well', () => {
    const body = JSON.stringify({ code: 400301, message: 'x', details: {} });
    const exchanges = [1, 2].map((number) =>
      makeExchange(number, { endpoint: '/etfs', path: '/etfs', status: 429, body }),
    );
    const early = makeRequirement('8/limit-not-early', 'failed', {
      findings: [finding({ kind: 'refused-early-always', header: STATUS })],
    });
    const code = makeRequirement('8/refusal-code', 'failed', {
      findings: ['x1', 'x2'].map((exchange) =>
        finding({
          exchange,
          kind: 'wrong-refusal-code',
          facts: { wrong: 'error code' },
          pointer: '/code',
        }),
      ),
    });
    const causes = groupCauses(asShown(results([early, code], { exchanges })));
    expect(causes.map((one) => one.requirements.map(({ id }) => id))).toEqual([
      ['8/limit-not-early'],
      ['8/refusal-code'],
    ]);
  });

  it('says how many bodies are empty or wrapped, not that all are', () => {
    const news = { endpoint: '/news', path: '/news' } as const;
    const exchanges = [
      makeExchange(1, news),
      makeExchange(2, { ...news, status: 401, role: 'unknown', body: '' }),
      makeExchange(3, { ...news, body: '{"code":0,"message":"ok","data":{"list":[]}}' }),
      // Of bodies that are not specified, nothing is found.
      makeExchange(4, { endpoint: '/etfs', path: '/etfs', body: '{"code":0,"data":[]}' }),
    ];
    const requirements = [
      makeRequirement('4/json-body', 'failed', { findings: [finding({ exchange: 'x2' })] }),
      makeRequirement('4/bare-body', 'failed', { findings: [finding({ exchange: 'x3' })] }),
    ];
    const messages = groupCauses(results(requirements, { exchanges })).map((one) => one.message);
    expect(messages.toSorted()).toEqual([
      expect.stringMatching(/^Bodies are empty \(1 of 4 responses\), so/),
      expect.stringMatching(
        /^Bodies are wrapped \(2 of 3 successful responses; GET \/news and 1 other endpoint\):/,
      ),
    ]);
  });

  it('puts a refusal with status 200 after what else does as much harm', () => {
    const path = '/etfs/{ticker}/history';
    const exchanges = [
      makeExchange(1, { endpoint: path, path: '/etfs/x/history', body: '{"code":400001}' }),
      makeExchange(2, { endpoint: path, path: '/etfs/NOSUCHETF/history' }),
    ];
    const status = { findings: [finding({ header: STATUS })] };
    const requirements = [
      makeRequirement('7/status-agrees', 'failed', status),
      makeRequirement('7/malformed-currency-id', 'failed', status),
      makeRequirement('2.8/ticker-echo', 'failed', {
        findings: [finding({ pointer: '/0/ticker', exchange: 'x2' })],
      }),
    ];
    const causes = groupCauses(results(requirements, { exchanges }));
    expect(causes.map(({ requirements: [one] }) => one?.id)).toEqual([
      '2.8/ticker-echo',
      '7/status-agrees',
    ]);
  });

  const idsOf = (run: Results): readonly (readonly string[])[] =>
    groupCauses(run).map((one) => one.requirements.map(({ id }) => id));

  it('puts what `details` lack under `details` that is not an object', () => {
    const body = '{"code":400401,"message":"x","details":null}';
    const exchanges = [
      makeExchange(1, { endpoint: '/news', path: '/news', status: 404, body }),
      makeExchange(2, { endpoint: '/etfs', path: '/etfs', status: 404, body }),
    ];
    const of = (id: string, outcome: 'failed' | 'warned') =>
      makeRequirement(id, outcome, {
        findings: ['x1', 'x2'].map((exchange) =>
          finding({ kind: id, pointer: '/details', exchange }),
        ),
      });
    const requirements = [of('7/error-shape', 'failed'), of('7/not-found-details', 'warned')];
    const run = results(requirements, { exchanges });
    expect(idsOf(run)).toEqual([['7/error-shape', '7/not-found-details']]);
    expect(groupCauses(run)[0]?.message).toBe(
      'GET /news and 1 other endpoint: `details` of the error body is not an object.',
    );
  });

  it('keeps a valid request that is refused as a cause of its own, whatever the status of the refusal', () => {
    const exchanges = [
      makeExchange(1, {
        endpoint: '/analyses',
        path: '/analyses',
        status: 401,
        body: '{"code":400301}',
      }),
      makeExchange(2, { endpoint: '/news', path: '/news', status: 401, body: '{"code":400301}' }),
    ];
    const status = (exchange: string, kind: string) => finding({ exchange, kind, header: STATUS });
    const run = results(
      [
        makeRequirement('4.6/analyses', 'failed', { findings: [status('x1', 'request-refused')] }),
        makeRequirement('7/status-agrees', 'failed', {
          findings: [status('x1', 'status-of-code'), status('x2', 'status-of-code')],
        }),
      ],
      { exchanges },
    );
    expect(idsOf(run)).toEqual([['4.6/analyses'], ['7/status-agrees']]);
  });

  it('makes one cause of a message that error bodies lack, whichever requirement misses it', () => {
    const exchanges = [400001, 400401].map((code, index) =>
      makeExchange(index + 1, {
        endpoint: '/news',
        path: '/news',
        status: 404,
        body: `{"code":${code},"details":{}}`,
      }),
    );
    const of = (id: string, exchange: string, pointer: string) =>
      makeRequirement(id, 'failed', { findings: [finding({ kind: id, pointer, exchange })] });
    const run = results(
      [
        of('7/error-shape', 'x1', '/message'),
        of('7/validation-message', 'x2', '/message'),
        of('8/quota', 'x2', ''),
      ],
      { exchanges },
    );
    expect(idsOf(run)).toEqual([['7/error-shape', '7/validation-message', '8/quota']]);
  });

  it('explains nothing by the share of responses where none is kept, as of a load', () => {
    const load = results(
      [makeRequirement('4/json-body', 'failed', { findings: [finding({ exchange: null })] })],
      { exchanges: [] },
    );
    expect(groupCauses(load)[0]?.message).toBe('wrong');
  });

  it('puts what was admitted beyond the limit before other defects of the limiter', () => {
    const of = (id: string, count: number) =>
      makeRequirement(id, 'failed', {
        findings: Array.from({ length: count }, () => finding({ kind: id, exchange: null })),
      });
    expect(idsOf(results([of('8/remaining-decrements', 9), of('8/limit-enforced', 1)]))).toEqual([
      ['8/limit-enforced'],
      ['8/remaining-decrements'],
    ]);
  });

  it('makes one cause of server errors that only requests with one bad key get', () => {
    const at = (number: number, path: '/news' | '/etfs', role: 'none' | 'valid') =>
      makeExchange(number, { endpoint: path, path, role, status: 500 });
    const crashed = makeRequirement('4/no-5xx', 'failed', {
      findings: ['x1', 'x2'].map((exchange) => finding({ exchange })),
    });
    const sending = (headers: Readonly<Record<string, string>>, one: Exchange): Exchange => ({
      ...one,
      request: { ...one.request, headers },
    });
    const byKey = [at(1, '/news', 'none'), at(2, '/etfs', 'none')].map((one) => sending({}, one));
    const [none, other] = byKey as [Exchange, Exchange];
    const empty = (one: Exchange): Exchange => sending({ 'X-API-KEY': '' }, one);
    const how = (...exchanges: readonly Exchange[]): readonly string[] =>
      groupCauses(results([crashed], { exchanges })).map(({ message }) => message);
    const failing = 'GET /news and 1 other endpoint answer with server errors';
    expect(how(...byKey)).toEqual([`${failing} without a key.`]);
    expect(how(empty(none), empty(other))).toEqual([`${failing} with an empty key.`]);
    expect(how(none, empty(other))).toEqual([`${failing} without a key and with an empty key.`]);
    const byAny = [...byKey, at(3, '/etfs', 'valid')];
    expect(idsOf(results([crashed], { exchanges: byAny }))).toHaveLength(2);
  });

  it('counts endpoints, and other paths only if there is no endpoint', () => {
    const exchanges = [
      makeExchange(1, { endpoint: '/news', path: '/news' }),
      makeExchange(2, { endpoint: null, path: '/news/no-such-endpoint' }),
    ];
    const shown = (...at: readonly string[]): readonly string[] => {
      const findings = at.map((exchange) => finding({ exchange }));
      const run = results([makeRequirement('7/error-shape', 'failed', { findings })], {
        exchanges,
      });
      return groupCauses(run)[0]?.endpoints ?? [];
    };
    expect(shown('x1', 'x2')).toEqual(['/news']);
    expect(shown('x2')).toEqual(['/news/no-such-endpoint']);
  });

  it.each([
    ['missing endpoint', 404],
    ['server error', 500],
  ])('leaves what other responses have wrong, too, out of a %s', (_, status) => {
    const of = (id: string, kind: string, parts: Partial<ResultFinding>) =>
      makeRequirement(id, 'failed', {
        findings: ['x1', 'x2'].map((exchange) => finding({ kind, exchange, ...parts })),
      });
    const requirements = [
      makeRequirement('4.7/project', 'failed', { findings: [finding({ header: STATUS })] }),
      of('8/header-limit', 'wrong-limit-header', { header: 'x-ratelimit-limit' }),
      of('7/error-shape', 'error-field', { pointer: '/message' }),
      of('7/status-agrees', 'refused-otherwise', { header: STATUS }),
    ];
    const exchanges = [
      makeExchange(1, { endpoint: '/etfs', path: '/etfs', status, body: '{"a":1}' }),
      makeExchange(2, { endpoint: '/news', path: '/news', body: '{"a":1}' }),
    ];
    expect(idsOf(results(requirements, { exchanges }))).toEqual(
      expect.arrayContaining([
        ['4.7/project', '7/status-agrees'],
        ['8/header-limit'],
        ['7/error-shape'],
      ]),
    );
  });

  it('makes one cause of a valid request that is refused, and of a record that does not exist', () => {
    const exchanges = [
      makeExchange(1, { endpoint: '/etfs', path: '/etfs', status: 400, body: '{"code":400001}' }),
      makeExchange(2, { endpoint: '/etfs/{ticker}/history', path: '/etfs/NO/history' }),
    ];
    const of = (id: string, kind: string, exchange: string, pointer: string | null = null) =>
      makeRequirement(id, 'failed', { findings: [finding({ kind, exchange, pointer })] });
    const requirements = [
      of('4.3/symbol-case', 'request-refused', 'x1'),
      of('4.3/listed', 'listed-pair-refused', 'x1'),
      of('2.8/ticker-echo', 'other-ticker', 'x2', '/0/ticker'),
      of('7/unknown-resource-no-record', 'unknown-id-found', 'x2'),
    ];
    const run = results(requirements, { exchanges });
    expect(idsOf(run)).toEqual([
      ['4.3/symbol-case', '4.3/listed'],
      ['2.8/ticker-echo', '7/unknown-resource-no-record'],
    ]);
    expect(groupCauses(run)[1]?.example.finding.kind).toBe('unknown-id-found');
    // Another identifier in place of another one has nothing to do with it.
    const other = finding({ kind: 'other-ticker', exchange: 'x3', expected: '"!"' });
    const [, , echo, ...more] = requirements;
    const echoes = { findings: [...(echo?.findings ?? []), other] };
    const both = [makeRequirement('2.8/ticker-echo', 'failed', echoes), ...more];
    expect(idsOf(results(both, { exchanges }))).toEqual([
      ['2.8/ticker-echo', '7/unknown-resource-no-record'],
      ['2.8/ticker-echo'],
    ]);
  });

  it('keeps a wrong value apart where the refusal is of what is wrong in the request', () => {
    const parts = { path: '/etfs', status: 400, body: '{"code":400003,"message":"symbol"}' };
    const exchanges = [1, 2, 3].map((n) => makeExchange(n, { endpoint: '/etfs', ...parts }));
    const of = (id: string, kind: string, ...at: readonly string[]) =>
      makeRequirement(id, 'failed', {
        findings: at.map((exchange) => finding({ kind, exchange, pointer: `/${kind}` })),
      });
    const all = (...at: readonly string[]) => [
      of('4.3/symbol-case', 'request-refused', 'x1'),
      of('7/validation-message', 'wrong-message', 'x2'),
      of('7/details-value', 'details-other-value', ...at),
    ];
    const first = ['4.3/symbol-case', '7/validation-message'];
    expect(idsOf(results(all('x2'), { exchanges }))).toEqual([[...first, '7/details-value']]);
    const apart = [first, ['7/details-value']];
    expect(idsOf(results(all('x3'), { exchanges }))).toEqual(apart);
  });
});
