import { DAY } from '../../spec/time.ts';
import { kept } from '../data/memo.ts';
import { isObject, textOf } from '../json.ts';
import { onRecord } from '../vocabulary.ts';
import {
  counts,
  data,
  dimension,
  series,
  variant,
  type Choice,
  type Dimension,
  type Rows,
} from './choice.ts';
import type { JsonObject, World } from '../world.ts';

/** `count` pairs a currency: the largest ones, and beyond them ever smaller ones. */
function pairCount(count: number, first = Number.POSITIVE_INFINITY): Choice {
  return data((world) => {
    const cut = kept((now) => now)((id, now) => {
      const rows = world.pairs(id, now);
      return rows && resized(rows, count);
    });
    return {
      pairs: (id, now) =>
        world.currencyIds.indexOf(id) >= first ? world.pairs(id, now) : cut(id, now),
    };
  });
}

function resized(rows: Rows, count: number): Rows {
  const last = rows.at(-1);
  if (last === undefined || count <= rows.length) return rows.slice(0, count);
  const least = Number(last['turnover_24h']);
  const more = Array.from({ length: count - rows.length }, (_, index) => ({
    ...last,
    market: rows[index % rows.length]?.['market'] ?? '',
    target: `Q${index}`,
    // So small that most are equal: quiet pairs report the same nothing.
    turnover_24h: Math.floor(Math.max(0, least * (1 - (index + 1) / 400)) * 100) / 100,
  }));
  return [...rows, ...more];
}

/** The newest `count` items of news; of featured and hot news as many as are among them, or a share of them. */
function newsCount(count: number): Choice {
  return data((world) => ({
    news: (now) => world.news(now).slice(0, count),
    featuredNews: (now) => world.featuredNews(now).slice(0, Math.ceil(count / 4)),
    hotNews: (now) => world.hotNews(now).slice(0, count),
  }));
}

const dateOf = (row: JsonObject | undefined): string => {
  const date = row?.['date'];
  return typeof date === 'string' ? date : '';
};

/**
 * Keeps of each listing the rows that `change` keeps of the newest ones when it is first asked for. As days pass, rows are
 * added to it unless it is closed, and none that was shown goes.
 */
function keeping(change: (rows: Rows) => Rows): (listing: string, rows: Rows) => Rows {
  const spans = new Map<string, { from: string; to: string } | null>();
  return (listing, rows) => {
    let span = spans.get(listing);
    if (span === undefined) {
      const left = change(rows);
      const isClosed = left[0] !== rows[0];
      const to = isClosed ? dateOf(left[0]) : '9999';
      span = left.length === 0 ? null : { from: dateOf(left.at(-1)), to };
      spans.set(listing, span);
    }
    const { from, to } = span ?? { from: '9999', to: '' };
    return rows.filter((row) => dateOf(row) >= from && dateOf(row) <= to);
  };
}

type Which = (symbol: string, country: string) => boolean;

/** Tells whether a ticker is that of an ETF in some listings. */
const inListings =
  (world: World, which: Which) =>
  (ticker: string): boolean =>
    world.etfs.some((one) => one.ticker === ticker && which(one.symbol, one.country));

const etfRows = (change: (rows: Rows) => Rows, which: Which = () => true): Choice =>
  data((world) => {
    const keptOf = keeping(change);
    const isMeant = inListings(world, which);
    const etfHistory: World['etfHistory'] = (ticker, now) => {
      const rows = world.etfHistory(ticker, now);
      return rows && isMeant(ticker) ? keptOf(ticker, rows) : rows;
    };
    return {
      etfHistory,
      etfSummary(symbol, country, now) {
        const rows = world.etfSummary(symbol, country, now);
        return rows && which(symbol, country) ? keptOf(`${symbol} ${country}`, rows) : rows;
      },
      // Without a settled day there is nothing to show.
      etfSnapshot: (ticker, now) =>
        etfHistory(ticker, now)?.some((row) => row['net_inflow'] !== null) === true
          ? world.etfSnapshot(ticker, now)
          : undefined,
    };
  });

/** Listings of the matrix that have no ETF: they are known and empty. */
function withoutEtfs(which: Which): Choice {
  return data((world) => {
    const isGone = inListings(world, which);
    return {
      etfs: world.etfs.filter(({ symbol, country }) => !which(symbol, country)),
      etfSummary(symbol, country, now) {
        const rows = world.etfSummary(symbol, country, now);
        return rows && which(symbol, country) ? [] : rows;
      },
      etfHistory: (ticker, now) => (isGone(ticker) ? undefined : world.etfHistory(ticker, now)),
      etfSnapshot: (ticker, now) => (isGone(ticker) ? undefined : world.etfSnapshot(ticker, now)),
    };
  });
}

/** Currencies without the resource get 404 for it. */
const only = (
  names: readonly ('fundraising' | 'tokenEconomics')[],
  has: (index: number, count: number) => boolean,
): Choice =>
  data((world) => {
    const { currencyIds } = world;
    return Object.fromEntries(
      names.map((name) => [
        name,
        (id: string) =>
          has(currencyIds.indexOf(id), currencyIds.length) ? world[name](id) : undefined,
      ]),
    );
  });

const stocks = (count: number): Choice =>
  data((world) => {
    const tickers = world.stockTickers.slice(0, count);
    const known = <Found>(ticker: string, find: () => Found | undefined): Found | undefined =>
      tickers.includes(ticker) ? find() : undefined;
    return {
      stockTickers: tickers,
      stockList: (now) =>
        world
          .stockList(now)
          .filter((one) => isObject(one) && tickers.includes(textOf(one['ticker']))),
      stockSnapshot: (ticker, now) => known(ticker, () => world.stockSnapshot(ticker, now)),
      stockKlines: (ticker, now) => known(ticker, () => world.stockKlines(ticker, now)),
      stockMarketCap: (ticker, now) => known(ticker, () => world.stockMarketCap(ticker, now)),
      ...(count === 0 && { sectorNames: [], stockSectors: () => [], sectorIndex: () => undefined }),
    };
  });

const YEAR_MS = 365 * DAY;

/** How much of everything there is. */
export const SIZES: readonly Dimension[] = [
  dimension('pairs', 'usual', {
    ...counts([0, 1, 2, 3, 19, 20, 21, 40, 99, 100, 101, 1000, 5000], (count) => pairCount(count)),
    'none-for-the-first': pairCount(0, 1),
    'one-for-the-first': pairCount(1, 1),
  }),
  dimension(
    'news',
    'usual',
    counts([0, 1, 2, 3, 5, 19, 20, 21, 40, 99, 100, 101, 199, 200, 201, 2000], newsCount),
  ),
  dimension('featured-news', 'some', {
    none: data(() => ({ featuredNews: () => [] })),
    one: data((world) => ({ featuredNews: (now) => world.featuredNews(now).slice(0, 1) })),
    twenty: data((world) => ({ featuredNews: (now) => world.featuredNews(now).slice(0, 20) })),
  }),
  dimension('currencies-without-token-economics-or-fundraising', 'none', {
    'economics-for-some': variant(
      '4.1',
      'Only every third currency has token economics and fundraising; the others are not found',
      only(['tokenEconomics', 'fundraising'], (index) => index % 3 === 2),
    ),
  }),
  dimension('fundraising', 'all', {
    'first-only': only(['fundraising'], (index) => index === 0),
    'last-only': only(['fundraising'], (index, count) => index === count - 1),
    'no-rounds': onRecord('fundraising', (record) => ({
      ...record,
      fundraising_rounds: [],
      investors: [],
      portfolio: [],
      team: [],
      investment_stats: {
        total_rounds: 0,
        rounds_last_year: 0,
        lead_invest_count: 0,
        portfolio_count: 0,
        last_invest_date: null,
      },
    })),
  }),
  dimension('token-economics', 'all', {
    'first-only': only(['tokenEconomics'], (index) => index === 0),
    'no-timeline': onRecord('token-economics', (record) => ({
      ...record,
      token_allocation: [],
      unlock_timeline: null,
    })),
  }),
  dimension('etf-listings', 'all', {
    'none-in-hong-kong': withoutEtfs((_symbol, country) => country === 'HK'),
    'bitcoin-and-ether-only': withoutEtfs((symbol) => symbol !== 'BTC' && symbol !== 'ETH'),
    'none-on-bitcoin': withoutEtfs((symbol) => symbol === 'BTC'),
    none: withoutEtfs(() => true),
  }),
  dimension('etf-history', 'usual', {
    'one-row': etfRows((rows) => rows.slice(0, 1)),
    'two-rows': etfRows((rows) => rows.slice(0, 2)),
    'three-rows': etfRows((rows) => rows.slice(0, 3)),
    'young-but-bitcoin': etfRows(
      (rows) => rows.slice(0, 2),
      (symbol) => symbol !== 'BTC',
    ),
    'bitcoin-young': etfRows(
      (rows) => rows.slice(0, 3),
      (symbol) => symbol === 'BTC',
    ),
    // Closed for so long that the recent window holds nothing.
    closed: etfRows(
      () => [],
      (symbol) => symbol === 'LTC' || symbol === 'DOT',
    ),
    'closed-two-weeks-ago': {
      // What is closed has no recent row: a should that it cannot keep.
      warns: ['4.3/recent', '4.4/recent'],
      ...etfRows(
        (rows) => rows.slice(10),
        (symbol) => symbol === 'HBAR' || symbol === 'LTC',
      ),
    },
  }),
  dimension('macro', 'usual', {
    'first-without-history': series(['macroHistory'], (rows, { id, world }) =>
      id === world.macroEvents[0] ? [] : rows,
    ),
    'one-row': series(['macroHistory'], (rows) => rows.slice(0, 1)),
    'two-rows': series(['macroHistory'], (rows) => rows.slice(0, 2)),
    'thirty-rows': series(['macroHistory'], (rows) => rows.slice(0, 30)),
    'long-ago': series(['macroHistory'], (rows, { now }) =>
      rows.filter((row) => Date.parse(textOf(row['date'])) < now - YEAR_MS),
    ),
    'no-events': data(() => ({
      macroEvents: [],
      macroCalendar: () => [],
      macroHistory: () => undefined,
    })),
    'one-event': data((world) => ({
      macroEvents: world.macroEvents.slice(0, 1),
      macroCalendar: (now) =>
        world
          .macroCalendar(now)
          .map((day) =>
            isObject(day) && 'events' in day
              ? { ...day, events: [world.macroEvents[0] ?? ''] }
              : day,
          ),
      macroHistory: (event, now) =>
        event === world.macroEvents[0] ? world.macroHistory(event, now) : undefined,
    })),
  }),
  dimension('charts', 'usual', {
    none: data(() => ({ charts: () => [], chartNames: [], chartData: () => undefined })),
    one: data((world) => ({
      charts: () => world.charts().slice(0, 1),
      chartNames: world.chartNames.slice(0, 1),
      chartData: (name, now) =>
        name === world.chartNames[0] ? world.chartData(name, now) : undefined,
    })),
    'without-fields': data((world) => ({
      charts: () =>
        world.charts().map((chart, index) => (index < 3 ? { ...chart, fields: [] } : chart)),
    })),
  }),
  dimension('stocks', 'usual', { none: stocks(0), one: stocks(1), two: stocks(2) }),
  dimension('candles', 'usual', {
    'young-currencies': series(['currencyKlines'], (rows) => rows.slice(-2)),
    'first-currency-young': series(['currencyKlines'], (rows, { id, world }) =>
      rows.slice(id === world.currencyIds[0] ? -1 : 0),
    ),
    'none-for-currencies': series(['currencyKlines'], () => []),
    'young-stocks': series(['stockKlines'], (rows) => rows.slice(-3)),
  }),
  dimension('indices', 'usual', {
    none: data(() => ({
      indexTickers: [],
      indexList: () => [],
      indexConstituents: () => undefined,
      indexSnapshot: () => undefined,
      indexKlines: () => undefined,
    })),
  }),
  dimension('projects', 'usual', {
    none: data(() => ({
      projectIds: [],
      fundraisingProjects: () => [],
      fundraisingProject: () => undefined,
    })),
  }),
];
