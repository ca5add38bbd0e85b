import { describe, expect, it } from 'vitest';
import { COUNTRIES, ETF_SYMBOLS, LANGUAGES } from '../../spec/values.ts';
import { CURRENCY_FACTS, SECTORS } from './facts/currency-facts.ts';
import { ETF_FACTS } from './facts/etf-facts.ts';
import rows from './facts/currency-facts.json' with { type: 'json' };
import indices from './facts/index-facts.json' with { type: 'json' };
import { TEXTS } from './texts/index.ts';

// What the compiler cannot see in JSON.

describe('facts of currencies', () => {
  it('say the same about each currency', () => {
    const names = Object.keys(rows[0] ?? {});
    for (const row of rows) expect(Object.keys(row), row.symbol).toEqual(names);
  });

  it('name sectors that there are', () => {
    const sectors = new Set(CURRENCY_FACTS.flatMap((facts) => facts.sectors));
    expect([...sectors].filter((id) => !(id in SECTORS))).toEqual([]);
  });

  it('hold every member of an index', () => {
    const symbols = new Set(CURRENCY_FACTS.map(({ symbol }) => symbol));
    const members = indices.flatMap((index) => index.symbols);
    expect(members.filter((symbol) => !symbols.has(symbol))).toEqual([]);
  });
});

it('ETFs are listed under symbols and countries of §4.3, with unique tickers', () => {
  for (const { ticker, symbol, country } of ETF_FACTS) {
    expect(ETF_SYMBOLS, ticker).toContain(symbol);
    expect(COUNTRIES, ticker).toContain(country);
  }
  expect(new Set(ETF_FACTS.map(({ ticker }) => ticker)).size).toBe(ETF_FACTS.length);
});

it.each(LANGUAGES)(
  'texts in %s have as many sentences of each kind as those in English',
  (language) => {
    const lengths = (texts: object): unknown =>
      Object.fromEntries(
        Object.entries(texts).map(([kind, value]: [string, unknown]) => [
          kind,
          Array.isArray(value)
            ? value.length
            : typeof value === 'object'
              ? lengths(value ?? {})
              : 1,
        ]),
      );
    expect(lengths(TEXTS[language])).toEqual(lengths(TEXTS.en));
  },
);
