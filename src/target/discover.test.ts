import { describe, expect, it } from 'vitest';
import type { Exchange } from '../spec/exchange.ts';
import { deriveUnknown, fixturesOf, type FixtureReader, type Fixtures } from './discover.ts';
import type { TargetFixtures } from './target.ts';

type Answer = { status: number; body?: unknown } | { error: 'timeout' } | { throws: string };

/** Answers by path and query, and records the requests. */
function reader(answers: Record<string, Answer>): { read: FixtureReader; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    read: (path, options) => {
      const search = new URLSearchParams(options?.query).toString();
      const url = search === '' ? path : `${path}?${search}`;
      asked.push(url);
      const answer = answers[url] ?? { status: 404 };
      if ('throws' in answer) return Promise.reject(new Error(answer.throws));
      const id = `x${asked.length}`;
      return Promise.resolve(exchange(id, path, answer));
    },
  };
}

function exchange(id: string, path: string, answer: Answer): Exchange {
  const status = 'status' in answer ? answer.status : null;
  const text = 'body' in answer ? JSON.stringify(answer.body) : '';
  return {
    id,
    endpoint: null,
    pathParameters: {},
    role: 'valid',
    key: null,
    request: { method: 'GET', url: path, path, query: [], headers: {} },
    response: status === null ? null : { status, headers: {}, text, bytes: text.length },
    error: status === null ? { kind: 'timeout', message: 'late' } : null,
    sentAt: 0,
    receivedAt: 0,
    skewMs: 0,
    attempt: 1,
  };
}

const fixtures = (given: TargetFixtures, { read }: { read: FixtureReader }): Fixtures =>
  fixturesOf(given, read, 1);

describe('Fixtures, with another seed', () => {
  const given = { currencyIds: ['a', 'b', 'c', 'd'], etfTickers: ['A', 'B', 'C', 'D'] };
  const first = async (kind: keyof typeof given, seed: number) => {
    const { ids, drawn } = await fixturesOf(given, reader({}).read, seed).get(kind);
    return [ids[0], ids[1], drawn];
  };

  it('come in the order of the seed, the usual ones second', async () => {
    expect(await first('currencyIds', 1)).toEqual(['a', 'b', undefined]);
    expect(await first('currencyIds', 4)).toEqual(['d', 'a', true]);
    expect(await first('currencyIds', 5)).toEqual(['a', 'b', undefined]);
  });

  it('keep an ETF for two days, so that the second day sees what settled after the first', async () => {
    const seen = await Promise.all([1, 2, 3, 4, 5].map((seed) => first('etfTickers', seed)));
    expect(seen.map(([ticker]) => ticker)).toEqual(['A', 'A', 'B', 'B', 'C']);
  });

  it('rotate alternative names of the same records alike', async () => {
    const list = { list: ['Ash', 'Birch', 'Cedar'].map((name) => ({ name, slug: `${name}-1` })) };
    const source = reader({ '/crypto-stocks/sector': { status: 200, body: list } });
    const { ids, others } = await fixturesOf({}, source.read, 3).get('sectorNames');
    expect(ids[0]).toBe('Cedar');
    expect(others?.map(([name]) => name)).toContain('Cedar-1');
  });
});

describe('Fixtures', () => {
  it('uses those of the target file and sends nothing', async () => {
    const source = reader({});
    expect(await fixtures({ etfTickers: ['IBIT'] }, source).get('etfTickers')).toEqual({
      ids: ['IBIT'],
      source: 'target file',
      reason: null,
      exchanges: [],
    });
    expect(source.asked).toEqual([]);
  });

  it.each([
    ['currencyIds', '/currencies'],
    ['etfTickers', '/etfs'],
    ['stockTickers', '/crypto-stocks'],
    ['sectorNames', '/crypto-stocks/sector'],
    ['indexTickers', '/indices'],
    ['projectIds', '/fundraising/projects'],
    ['macroEvents', '/macro/events'],
    ['chartNames', '/analyses'],
  ] as const)('discovers %s in %s, once', async (kind, path) => {
    const source = reader({ [path]: { status: 200, body: ['one', 'two'] } });
    const found = fixtures({ [kind]: [] }, source);
    const [answer] = await Promise.all([found.get(kind), found.get(kind)]);
    expect(answer).toEqual({
      // The first of a list is the obvious choice.
      ids: ['two', 'one'],
      others: [],
      source: 'discovered',
      reason: null,
      exchanges: ['x1'],
    });
    expect(source.asked).toEqual([path]);
  });

  it('adds the parameters that an ETF list may require when it refuses the plain request', async () => {
    const source = reader({
      '/etfs': { status: 400 },
      '/etfs?symbol=BTC&country_code=US': { status: 200, body: [{ ticker: 'IBIT' }] },
    });
    const answer = await fixtures({}, source).get('etfTickers');
    expect(answer).toMatchObject({ ids: ['IBIT'], exchanges: ['x1', 'x2'] });
  });

  it.each([[[]], [{ list: [], page: 1, page_size: 20, total: 0 }], [{ data: { list: [] } }]])(
    'says that there is none when the list is empty: %j',
    async (body) => {
      const source = reader({ '/currencies': { status: 200, body } });
      expect(await fixtures({}, source).get('currencyIds')).toMatchObject({ ids: [], empty: true });
    },
  );

  it.each([
    [{ status: 404 }, 'no currency id: /currencies answered 404; set fixtures.currencyIds'],
    [
      { status: 200, body: { list: [{ rank: 1.5 }] } },
      'no currency id: /currencies answered 200 without one in the body; set fixtures.currencyIds',
    ],
    [
      { error: 'timeout' },
      'no currency id: /currencies did not respond (timeout); set fixtures.currencyIds',
    ],
  ] as [Answer, string][])('leaves a reason after %j', async (answer, reason) => {
    const source = reader({ '/currencies': answer });
    expect(await fixtures({}, source).get('currencyIds')).toMatchObject({
      ids: [],
      source: 'none',
      reason,
    });
  });

  it('passes on why the request was not sent, and tries again later', async () => {
    const answers: Record<string, Answer> = { '/currencies': { throws: 'budget' } };
    const found = fixtures({}, reader(answers));
    await expect(found.get('currencyIds')).rejects.toThrow('budget');
    answers['/currencies'] = { status: 200, body: ['c1'] };
    expect((await found.get('currencyIds')).ids).toEqual(['c1']);
  });

  it('derives an unknown currency id from known ones', async () => {
    const known = ['1673723677362319867', '1673723677362319868'];
    const source = reader({ '/currencies': { status: 200, body: known } });
    const answer = await fixtures({}, source).unknownCurrencyId();
    expect(answer).toMatchObject({ source: 'derived', exchanges: ['x1'] });
    expect(answer.ids[0]).toMatch(/^16737236773\d{8}$/);
    expect(known).not.toContain(answer.ids[0]);
    const given = await fixtures({ unknownCurrencyId: 'u' }, reader({})).unknownCurrencyId();
    expect(given.ids).toEqual(['u']);
    const none = await fixtures({}, reader({})).unknownCurrencyId();
    expect(none.reason).toContain('set fixtures.unknownCurrencyId');
  });

  it('finds an unknown id when short ids leave no gaps', async () => {
    const idsFor = async (body: unknown): Promise<readonly string[]> =>
      (await fixtures({}, reader({ '/currencies': { status: 200, body } })).unknownCurrencyId())
        .ids;
    const dense = await idsFor([1, 825, 1027]);
    expect(dense).toHaveLength(3);
    expect(dense[0]).toMatch(/^\d{12}$/);
    expect(dense[1]).toMatch(/^\d{4}$/);
    expect(new Set([...dense, '1', '825', '1027']).size).toBe(6);
    expect((await idsFor(['bitcoin', 'eth']))[0]).toMatch(/^bitc[a-z]{8}$/);
    expect((await idsFor(['a1b2c3', 'd4e5f6'])).map(({ length }) => length)).toEqual([6, 6, 6]);
  });

  it('does not invent a malformed id', () => {
    expect(fixtures({}, reader({})).malformedCurrencyId().reason).toContain(
      'set fixtures.malformedCurrencyId',
    );
    expect(fixtures({ malformedCurrencyId: '!' }, reader({})).malformedCurrencyId().ids).toEqual([
      '!',
    ]);
  });
});

const form = (text: string): string => text.replaceAll(/[a-z]/gi, 'a').replaceAll(/\d/g, '0');

describe('deriveUnknown', () => {
  it('extends an id that cannot be varied', () => {
    expect(deriveUnknown(['??'], 1)).toBe('??0');
  });

  it.each(['bitcoin', 'c-000123', '0f8fad5bd9cb469f', 'ABC-9z'])(
    'keeps the form of %s',
    (model) => {
      const made = deriveUnknown([model], 3);
      expect(made).not.toBe(model);
      expect(made).toBe(deriveUnknown([model], 3));
      expect(form(made)).toBe(form(model));
    },
  );
});
