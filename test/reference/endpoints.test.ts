import { describe, expect, it } from 'vitest';
import { ENDPOINT_PATHS, endpoint } from '../../src/spec/endpoints.ts';
import { matchEndpoint } from '../../src/spec/match-endpoint.ts';
import { DAY } from '../../src/spec/time.ts';
import { ETF_LISTINGS, LANGUAGES } from '../../src/spec/values.ts';
import { FIELDS } from '../../src/spec/resources.ts';
import { goodPaths, OPEN_MARKET, start, world } from './client.ts';

const { get, body } = start();
const id = world.currencyIds[0] ?? '';
const stock = world.stockTickers[0] ?? '';
const event = encodeURIComponent(world.macroEvents[0] ?? '');
const ticker = world.etfs.find((etf) => etf.country === 'US')?.ticker ?? '';
const dates = (path: string): string[] => body(path).map((row) => (row as { date: string }).date);
const times = (path: string): number[] =>
  body(path).map((row) => (row as { timestamp: number }).timestamp);
const ids = (path: string): string[] =>
  (body(path)['list'] as { id: string }[]).map((item) => item.id);

describe('all endpoints', () => {
  it('are reached by the paths of this file', () => {
    const reached = goodPaths().map((path) => matchEndpoint(path.split('?')[0] ?? '')?.endpoint);
    expect(new Set(reached)).toEqual(new Set(ENDPOINT_PATHS));
  });

  it.each(goodPaths())('answer GET %s', (path) => {
    const { status, headers, body: text } = get(path);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(Number(headers['content-length'])).toBe(Buffer.byteLength(text));
    const value: unknown = JSON.parse(text);
    const matched = matchEndpoint(path.split('?')[0] ?? '')?.endpoint ?? '/news';
    const { kind, resource } = endpoint(matched).response;
    const records: unknown[] =
      kind === 'array'
        ? (value as unknown[])
        : kind === 'page'
          ? (value as { list: unknown[] }).list
          : [value];
    expect(records.length).toBeGreaterThan(0);
    const fields = resource === undefined ? [] : FIELDS[resource];
    const names = fields.map((field) => field.path.split('/')[1] ?? '');
    const lacking = records.flatMap((record) =>
      names.filter((name) => !(name in (record as object))),
    );
    expect(
      [...new Set(lacking)],
      `fields of schemas/${resource}.json that src/reference/data does not send`,
    ).toEqual([]);
  });

  it('answer the same bytes twice', () => {
    const again = start();
    for (const path of goodPaths()) expect(again.get(path).body).toBe(get(path).body);
  });
});

describe('klines', () => {
  it.each([`/currencies/${id}/klines`, `/crypto-stocks/${stock}/klines`])('of %s', (path) => {
    const all = times(`${path}?interval=1d&limit=500`);
    expect(all).toEqual(all.toSorted((a, b) => a - b));
    expect(times(`${path}?interval=1d`)).toEqual(all.slice(-100));
    expect(times(`${path}?interval=1d&limit=7`)).toEqual(all.slice(-7));
    const [from, to] = [all.at(-20) ?? 0, all.at(-10) ?? 0];
    expect(times(`${path}?interval=1d&start_time=${from}&end_time=${to}`)).toEqual(
      all.slice(-20, -9),
    );
    expect(times(`${path}?interval=1d&start_time=${OPEN_MARKET - 400 * DAY}`)).toEqual(
      all.slice(-100),
    );
    expect(times(`${path}?interval=1d&start_time=${to}&end_time=${from}`)).toEqual([]);
  });
});

describe('pairs', () => {
  const path = `/currencies/${id}/pairs`;
  type Pair = Record<string, string | number>;
  const page = (query: string) =>
    body(`${path}${query}`) as unknown as {
      list: Pair[];
      page: number;
      page_size: number;
      total: number;
    };

  it('come in full pages that join', () => {
    const { list, page: number, page_size: size, total } = page('');
    expect([list.length, number, size]).toEqual([20, 1, 20]);
    expect(total).toBe(world.pairs(id, OPEN_MARKET)?.length);
    expect([...list, ...page('?page=2').list]).toEqual(page('?page_size=40').list);
  });

  it('are empty beyond the end, with the same total', () => {
    expect(page('?page=9999')).toMatchObject({ list: [], total: page('').total, page: 9999 });
  });

  it('come by volume unless asked otherwise', () => {
    const volumes = page('?page_size=100').list.map((pair) => Number(pair['turnover_24h']));
    expect(volumes).toEqual(volumes.toSorted((a, b) => b - a));
    const prices = page('?page_size=100&order_by=price').list.map((pair) => Number(pair['price']));
    expect(prices).toEqual(prices.toSorted((a, b) => b - a));
    const markets = page('?page_size=100&order_by=market').list.map((pair) =>
      String(pair['market']),
    );
    expect(markets).toEqual(markets.toSorted((a, b) => (a < b ? -1 : Number(a > b))));
  });

  it('are filtered by the exact name of the exchange', () => {
    const market = String(page('').list[0]?.['market']);
    const everywhere = page('?page_size=100').list.filter((pair) => pair['market'] === market);
    const there = page(`?page_size=100&exchange=${encodeURIComponent(market)}`);
    expect(there.list.length).toBeGreaterThanOrEqual(everywhere.length);
    expect(there.list.every((pair) => pair['market'] === market)).toBe(true);
    expect(there.total).toBeLessThan(page('').total);
    expect(page(`?exchange=${market.toUpperCase()}_`).total).toBe(0);
  });
});

describe('news', () => {
  type Item = { id: string; title: string; category: number; release_time: number };
  const list = (path: string): Item[] => body(path)['list'] as Item[];

  it('pages join and keep the total', () => {
    expect([...ids('/news?page_size=15'), ...ids('/news?page_size=15&page=2')]).toEqual(
      ids('/news?page_size=30'),
    );
    expect(body('/news?page=2')['total']).toBe(body('/news')['total']);
  });

  it.each(LANGUAGES)('has the same items in %s', (language) => {
    expect(ids(`/news?language=${language}`)).toEqual(ids('/news'));
  });

  it('comes in the language asked for', () => {
    const titles = LANGUAGES.map((language) => list(`/news?language=${language}`)[0]?.title);
    expect(new Set(titles).size).toBe(LANGUAGES.length);
    expect(list('/news')[0]?.title).toBe(titles[0]);
  });

  it('is filtered by category, currency, project and time', () => {
    expect(new Set(list('/news?category=7').map((item) => item.category))).toEqual(new Set([7]));
    expect(new Set(list('/news?category=2,13&page_size=100').map((item) => item.category))).toEqual(
      new Set([2, 13]),
    );
    const records = world.news(OPEN_MARKET);
    expect(body(`/news?currency_id=${id}`)['total']).toBe(
      records.filter((record) => record.currencyIds.includes(id)).length,
    );
    const project = records.find((record) => record.projectIds.length > 0)?.projectIds[0] ?? '';
    expect(body(`/news?project_id=${project}`)['total']).toBe(
      records.filter((record) => record.projectIds.includes(project)).length,
    );
    const [from, to] = [OPEN_MARKET - 3 * DAY, OPEN_MARKET - 2 * DAY];
    const between = list(`/news?start_time=${from}&end_time=${to}&page_size=100`);
    expect(between.length).toBeGreaterThan(0);
    expect(between.every((item) => item.release_time >= from && item.release_time <= to)).toBe(
      true,
    );
  });

  it('reaches back seven days when a range asks for more', () => {
    const { total } = body(`/news?start_time=${OPEN_MARKET - 30 * DAY}`) as unknown as {
      total: number;
    };
    const recent = world
      .news(OPEN_MARKET)
      .filter((record) => record.releaseTime >= OPEN_MARKET - 7 * DAY);
    expect(total).toBe(recent.length);
  });

  it('leaves five fields out of featured items', () => {
    const [item = {}] = list('/news/featured?page=1&page_size=20');
    const excluded = [
      'original_link',
      'impression_count',
      'like_count',
      'reply_count',
      'repost_count',
    ];
    expect(Object.keys(item)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(`^(${excluded.join('|')})$`)]),
    );
    expect(item).toHaveProperty('source_link');
  });

  it('filters featured items by several categories', () => {
    const found = list('/news/featured?page=1&page_size=100&category=1,3');
    expect(new Set(found.map((item) => item.category))).toEqual(new Set([1, 3]));
  });

  it('is found by keyword in any case', () => {
    const totals = ['bitcoin', 'BITCOIN'].map(
      (word) => body(`/news/search?keyword=${word}`)['total'],
    );
    expect(totals[0]).toBeGreaterThan(0);
    expect(totals[1]).toBe(totals[0]);
    expect(body('/news/search?keyword=qqqqqqqq')['total']).toBe(0);
  });
});

describe('ETFs', () => {
  it('have a summary for each of the 13 listings, in any case', () => {
    for (const [country, symbols] of Object.entries(ETF_LISTINGS)) {
      for (const symbol of symbols) {
        const path = (a: string, b: string): string =>
          `/etfs/summary-history?symbol=${a}&country_code=${b}`;
        const upper = get(path(symbol, country));
        expect(upper.status).toBe(200);
        expect(get(path(symbol.toLowerCase(), country.toLowerCase())).body).toBe(upper.body);
        const mixed = symbol[0] + symbol.slice(1).toLowerCase();
        expect(get(path(mixed, country)).body).toBe(upper.body);
      }
    }
  });

  it.each(['/etfs/summary-history?symbol=BTC&country_code=US&', `/etfs/${ticker}/history?`])(
    'have rows newest first, selected by date and limit: %s',
    (path) => {
      const all = dates(path);
      expect(all).toEqual(all.toSorted().toReversed());
      expect(dates(`${path}limit=4`)).toEqual(all.slice(0, 4));
      const [to = '', from = ''] = [all[2], all[5]];
      expect(dates(`${path}start_date=${from}&end_date=${to}`)).toEqual(all.slice(2, 6));
      expect(dates(`${path}start_date=2020-01-01`)).toEqual(all);
      expect(dates(`${path}end_date=2020-01-01`)).toEqual([]);
    },
  );

  it('settle on the next day', () => {
    const { clock, body: read } = start();
    const [first] = read(`/etfs/${ticker}/history`) as unknown as Record<string, unknown>[];
    expect(first).toMatchObject({ net_inflow: null, cum_inflow: null, prem_dsc: null });
    expect(typeof first?.['value_traded']).toBe('number');
    clock.advance(DAY);
    const later = read(`/etfs/${ticker}/history`) as unknown as Record<string, unknown>[];
    const same = later.find((row) => row['date'] === first?.['date']);
    expect(typeof same?.['net_inflow']).toBe('number');
  });
});

describe('macro history', () => {
  it('has 50 rows, up to 100, and those between two dates', () => {
    const path = `/macro/events/${event}/history`;
    expect(dates(path)).toHaveLength(50);
    const all = dates(`${path}?limit=100`);
    expect(all).toHaveLength(100);
    expect(dates(`${path}?start_date=${all[9]}&end_date=${all[3]}`)).toEqual(all.slice(3, 10));
  });
});
