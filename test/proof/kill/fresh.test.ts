import { describe, expect, it } from 'vitest';
import { DEFAULT_FACTS } from '#src/judge/facts.ts';
import { UNIT_OPEN } from '#src/judge/series.ts';
import { exchangeOf } from '../../judge/exchanges.ts';
import { freshAfter } from './replay.ts';

const etfs = exchangeOf('/etfs', { body: [] });
const news = exchangeOf('/news', { query: { page: '2' }, body: [] });
const sameNews = exchangeOf('/news', { query: { page: '3' }, body: [] });
const candles = exchangeOf(UNIT_OPEN, { body: [] });
const others = exchangeOf(UNIT_OPEN, { query: { limit: '5' }, body: [] });
const clean = [etfs, news, sameNews, candles, others];
const freshAmong = freshAfter(clean, DEFAULT_FACTS);

/** What is judged by itself when the answer at a position has changed. */
function fresh(position: number, changes: { readonly status?: number; readonly text?: string }) {
  const exchanges = clean.map((exchange, index) =>
    index === position && exchange.response !== null
      ? { ...exchange, response: { ...exchange.response, ...changes } }
      : exchange,
  );
  const isFresh = freshAmong(exchanges);
  return exchanges.flatMap((exchange, index) => (isFresh(exchange) ? [index] : []));
}

describe('what is judged again by itself', () => {
  it('is nothing when no answer changed', () => {
    const isFresh = freshAmong(clean);
    expect(clean.filter(isFresh)).toEqual([]);
  });

  it('is an answer that changed, and no other one', () => {
    expect(fresh(1, { text: '{}' })).toEqual([1]);
  });

  it('is every request to a path whose queries are accepted otherwise', () => {
    expect(fresh(1, { status: 400 })).toEqual([1, 2]);
  });

  it('is everything when a key is no longer accepted somewhere', () => {
    expect(fresh(0, { status: 500 })).toEqual([0, 1, 2, 3, 4]);
  });

  it('is every answer of the endpoint whose unit is open when one of them changed', () => {
    expect(fresh(3, { text: '[{}]' })).toEqual([3, 4]);
  });
});
