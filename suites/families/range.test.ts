import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/spec/exchange.ts';
import { DAY } from '../../src/spec/time.ts';
import {
  candles,
  dateAgo,
  daysAgo,
  exchange,
  found,
  HOSTILE,
  judge,
  judged,
  KLINES,
  klines,
  MACRO,
  macro,
  NEWS,
  newsItems,
  NOW,
  page,
  PAIRS,
  readings,
  refusal,
  weeks,
} from '../../test/judge/parameter-exchanges.ts';

const quarter = candles(90);
const plain = klines(quarter);
const range = { start_time: daysAgo(60), end_time: daysAgo(40) };

describe('range', () => {
  it.each([
    ['with both ends', candles(60, 40)],
    ['without its ends', candles(59, 41)],
  ])('conforms %s', (_how, rows) => {
    expect(found([plain, klines(rows, range)])).toEqual([]);
    expect(judged([plain, klines(rows, range)])).toContain('4.1/klines-range');
  });

  it('may include the day in which it starts', () => {
    const noon = { start_time: daysAgo(60) + 43_200_000, end_time: daysAgo(40) };
    expect(found([plain, klines(candles(60, 40), noon)])).toEqual([]);
  });

  it('is reported if an end is ignored', () => {
    expect(found([plain, klines(candles(60), range)])).toEqual(['4.1/klines-range /21']);
    expect(found([plain, klines(candles(90, 40), range)])).toEqual(['4.1/klines-range /0']);
  });

  it('is reported if a candle in the middle is missing', () => {
    const rows = candles(60, 40).filter((_row, index) => index !== 10);
    expect(found([plain, klines(rows, range)])).toEqual(['4.1/klines-range ']);
  });

  it('is reported even if the request was repeated', () => {
    const wrong = (): Exchange =>
      klines(
        candles(60, 40).filter((_row, index) => index !== 10),
        range,
      );
    expect(found([plain, wrong(), wrong()])).toEqual(['4.1/klines-range ', '4.1/klines-range ']);
  });

  it('is not judged if it ends before it starts, whatever comes', () => {
    const inverted = { start_time: range.end_time, end_time: range.start_time };
    for (const rows of [[], candles(60, 40), quarter]) {
      const exchanges = [plain, klines(rows, inverted)];
      expect(found(exchanges)).toEqual([]);
      expect(judged(exchanges)).not.toContain('4.1/klines-range');
      expect(judged(exchanges)).not.toContain('4.1/klines-window');
    }
  });

  it('is not judged by what a limit excludes', () => {
    expect(found([plain, klines(candles(44, 40), { ...range, limit: 5 })])).toEqual([]);
  });

  it('is reported if a limit leaves nothing of it', () => {
    expect(found([plain, klines([], { ...range, limit: 5 })])).toContain('4.1/klines-range ');
    expect(found([plain, klines([], { ...range, limit: 0 })])).toEqual([]);
  });

  it('is judged by dates', () => {
    const dates = { start_date: dateAgo(140), end_date: dateAgo(70) };
    const whole = macro(weeks(50));
    expect(found([whole, macro(weeks(11, 10), dates)])).toEqual([]);
    expect(found([whole, macro(weeks(12, 9), dates)])).toEqual(['4.6/macro-range /0']);
    expect(found([whole, macro(weeks(10, 10).toSpliced(4, 1), dates)])).toEqual([
      '4.6/macro-range ',
    ]);
  });

  it('is open if it ends before it starts', () => {
    const inverted = { start_time: daysAgo(40), end_time: daysAgo(60) };
    expect(found([plain, klines([], inverted), klines(quarter, inverted)])).toEqual([]);
  });
});

describe('time filter of news', () => {
  const at = (hours: number): number => NOW - hours * 3_600_000;
  const filter = { start_time: at(100), end_time: at(50), page_size: 100 };
  const plainNews = exchange(NEWS, page(newsItems(0, 100), 1, 100, 160), {
    query: { page_size: 100 },
  });
  const filtered = (from: number, to: number) =>
    exchange(NEWS, page(newsItems(from, to), 1, 100, to - from), { query: filter });

  it('returns the items in between', () => {
    expect(found([plainNews, filtered(50, 101)])).toEqual([]);
    expect(judged([plainNews, filtered(50, 101)])).toContain('4.2/time-filter');
  });

  it('tolerates a withdrawn item', () => {
    expect(found([plainNews, filtered(52, 101)])).toEqual([]);
  });

  it('tolerates items added later with an earlier time', () => {
    const before = filtered(80, 101);
    const soon = before.receivedAt + 1000;
    expect(found([before, { ...plainNews, sentAt: soon, receivedAt: soon }])).toEqual([]);
  });

  it('is reported if an end is ignored or most of it is missing', () => {
    expect(found([plainNews, filtered(0, 99)])).toEqual(['4.2/time-filter /list/0']);
    expect(found([plainNews, filtered(80, 101)])).toEqual(['4.2/time-filter ']);
  });

  it('may be rounded to whole seconds', () => {
    const odd = { start_time: NOW - 5 * 3_600_000 + 400, end_time: NOW - 3 * 3_600_000 - 400 };
    const edges = exchange(NEWS, page(newsItems(3, 6), 1, 20, 3), { query: odd });
    expect(found([plainNews, edges])).toEqual([]);
    const hours = { start_time: NOW - 4.5 * 3_600_000, end_time: NOW - 3.5 * 3_600_000 };
    const wide = exchange(NEWS, page(newsItems(3, 6), 1, 20, 3), { query: hours });
    expect(found([plainNews, wide])).toEqual(['4.2/time-filter /list/0']);
  });

  it('is reported if a range of yesterday is refused', () => {
    const refused = (days: number): Exchange =>
      exchange(NEWS, refusal(), {
        query: { start_time: NOW - days * DAY, end_time: NOW - DAY / 2 },
        status: 400,
      });
    expect(found([plainNews, refused(1)])).toEqual(['4.2/time-filter -']);
    expect(found([plainNews, refused(8)])).toEqual([]);
  });

  it('is reported if it reaches back beyond 7 days; unfiltered news may be older', () => {
    const old = newsItems(0, 100).map((item, index) => ({
      ...item,
      release_time: index === 99 ? at(10 * 24) : item['release_time'],
    }));
    const body = page(old, 1, 100, 100);
    const query = { start_time: at(15 * 24), page_size: 100 };
    expect(found([exchange(NEWS, body, { query })])).toEqual(['4.2/window /list/99']);
    expect(found([exchange(NEWS, body, { query: { page_size: 100 } })])).toEqual([]);
  });
});

describe('window', () => {
  /** Other requirements judge which days have rows. */
  const ofWindow = (answer: Exchange): string[] =>
    found([answer]).filter((text) => /window|range/.test(text));

  it('is reported if a range returns a candle older than 3 months and a day', () => {
    const since = { start_time: daysAgo(120) };
    expect(found([klines(candles(93), since)])).toEqual(['4.1/klines-window /0']);
    expect(found([klines(candles(92), since)])).toEqual([]);
    const until = { end_time: daysAgo(110) };
    expect(found([klines(candles(115, 110), until)])).toEqual(['4.1/klines-window /0']);
  });

  it('does not limit the default of 100 candles or 50 rows, nor ranges with only an end', () => {
    const rows = candles(99);
    expect(found([klines(rows), klines(candles(99, 40), { end_time: daysAgo(40) })])).toEqual([]);
    expect(readings([klines(rows)])).toContain(
      'How far back responses without a range reach: candles of a currency: beyond the window',
    );
    const days = Array.from({ length: 50 }, (_, index) => ({ date: dateAgo(index) }));
    const summary = exchange('/etfs/summary-history', days, {
      query: { symbol: 'BTC', country_code: 'US' },
    });
    expect(ofWindow(summary)).toEqual([]);
  });

  it('limits every answer of an ETF history', () => {
    const days = Array.from({ length: 50 }, (_, index) => ({ date: dateAgo(index) }));
    expect(ofWindow(exchange('/etfs/{ticker}/history', days))).toEqual(['4.4/window /33']);
  });

  it('treats dates as whole days', () => {
    const rows = (days: number) =>
      exchange('/etfs/{ticker}/history', [{ date: dateAgo(2) }, { date: dateAgo(days) }]);
    expect(ofWindow(rows(32))).toEqual([]);
    expect(ofWindow(rows(34))).toEqual(['4.4/window /1']);
  });
});

describe('a range beyond the window', () => {
  const beyond = { start_time: daysAgo(150), end_time: daysAgo(20) };

  it.each([
    ['refused with status 400 and code 400003', klines(refusal(), beyond, 400)],
    ['refused with status 403 and code 400301', klines(refusal(400_301), beyond, 403)],
    ['cut to the window', klines(candles(90, 20), beyond)],
    ['empty', klines([], beyond)],
  ])('may be %s', (reading, answer) => {
    expect(found([plain, answer])).toEqual([]);
    expect(judged([plain, answer])).toContain('4.1/klines-window-answer');
    expect(readings([plain, answer])).toContain(
      `A range that starts beyond the recent window: candles of a currency: ${reading}`,
    );
  });

  it('is inconclusive between cut and empty if none of it is inside', () => {
    const outside = { start_time: daysAgo(400), end_time: daysAgo(300) };
    expect(readings([plain, klines([], outside)]).join()).not.toContain('beyond');
  });

  it.each([
    ['fails', klines(refusal(500_001), beyond, 500), '-'],
    ['is refused in another shape', klines({ error: 'no' }, beyond, 400), ''],
    ['hides an error in a 200', klines(refusal(), beyond), ''],
  ])('is reported if it %s', (_how, answer, pointer) => {
    expect(found([plain, answer])).toEqual([`4.1/klines-window-answer ${pointer}`]);
  });

  it('is inconclusive without any other answer', () => {
    expect(judged([klines('', beyond, 500)])).toEqual([]);
    expect(judged([klines([], beyond)])).toEqual([]);
  });
});

describe('hostile bodies', () => {
  const queries = [
    {},
    { limit: 5 },
    { limit: 0, page: 0, page_size: 'x' },
    { page: 2, page_size: 101, exchange: 'A', order_by: 'x' },
    { start_time: daysAgo(300), end_time: 'x', start_date: dateAgo(300), end_date: '!' },
  ];

  it.each([KLINES, MACRO, PAIRS, NEWS, '/news/featured', '/etfs/summary-history'] as const)(
    'never make the rules for %s throw',
    (path) => {
      const exchanges = HOSTILE.flatMap((body) =>
        queries.flatMap((query) =>
          [200, 400, 500].map((status) => exchange(path, body, { query, status })),
        ),
      );
      expect(() => judge(exchanges)).not.toThrow();
    },
  );
});

describe('dates of macro rows', () => {
  const days = [7, 14, 21, 28, 35, 42, 49];
  const form = (write: (iso: string) => string) =>
    days.map((ago) => ({ date: write(dateAgo(ago)), actual: ago }));
  const dates = { start_date: dateAgo(30), end_date: dateAgo(12) };

  it.each([
    ['2026/01/07', (iso: string) => iso.replaceAll('-', '/')],
    ['20260107', (iso: string) => iso.replaceAll('-', '')],
    ['epoch ms', (iso: string) => String(Date.parse(iso))],
    ['epoch s', (iso: string) => String(Date.parse(iso) / 1000)],
    ['ISO 8601', (iso: string) => `${iso}T13:30:00Z`],
    ['in words', (iso: string) => new Date(iso).toUTCString().slice(5, 16)],
  ])('may be of the form %s', (_form, write) => {
    const rows = form(write);
    expect(found([macro(rows), macro(rows.slice(1, 4), dates)])).toEqual([]);
    expect(found([macro(rows), macro(rows, dates)])).toEqual(['4.6/macro-range /0']);
  });

  it('are ignored if ambiguous', () => {
    const rows = form((iso) => `${iso.slice(8)}/${iso.slice(5, 7)}/${iso.slice(0, 4)}`);
    expect(found([macro(rows), macro(rows, dates)])).toEqual([]);
  });

  it('may repeat for several releases a day', () => {
    const twice = weeks(9).flatMap((row) => [row, row]);
    const ends = { start_date: dateAgo(40), end_date: dateAgo(10) };
    const part = twice.slice(4, 12);
    expect(
      found([macro(twice), macro(part, ends), macro(part.slice(0, 5), { ...ends, limit: 5 })]),
    ).toEqual([]);
  });
});

describe('an empty range beyond the window', () => {
  it('is never a finding, even if a plain answer reaches further back', () => {
    const beyond = { start_time: daysAgo(150), end_time: daysAgo(20) };
    expect(found([klines(candles(99)), klines([], beyond)])).toEqual([]);
  });
});
