import { describe, expect, it } from 'vitest';
import { DAY } from '../../spec/time.ts';
import type { World } from '../world.ts';
import { createWorld } from './world.ts';

const NOW = Date.parse('2026-11-18T15:37:20Z');

/** One answer of every kind. */
function sample(world: World, now: number): unknown {
  const [first = '', second = ''] = world.currencyIds;
  return [
    world.currencyList(now),
    [first, second].map((id) => [
      world.currencyInfo(id),
      world.currencySnapshot(id, now),
      world.tokenEconomics(id),
      world.currencyKlines(id, now),
      world.pairs(id, now),
      world.fundraising(id),
    ]),
    world.news(now).map((record) => record.item('zh')),
    world.featuredNews(now).map(({ id }) => id),
    world.hotNews(now).map(({ id }) => id),
    world.etfSummary('BTC', 'US', now),
    world.etfHistory('3042.HK', now),
    world.etfSnapshot('IBIT', now),
    world.stockSnapshot('COIN', now),
    world.stockKlines('MSTR', now),
    world.indexKlines(world.indexTickers[0] ?? '', now),
    world.macroHistory(world.macroEvents[0] ?? '', now),
    world.chartNames.map((name) => world.chartData(name, now)),
  ];
}

describe('createWorld', () => {
  it('gives the same bytes for the same seed and clock', () => {
    const one = createWorld(42);
    // Another clock in between leaves no trace.
    sample(one, NOW - 40 * DAY);
    expect(JSON.stringify(sample(one, NOW))).toBe(JSON.stringify(sample(createWorld(42), NOW)));
  });

  it('differs from seed to seed', () => {
    const [a, b] = [createWorld(1), createWorld(2)];
    expect(a.currencyIds).not.toEqual(b.currencyIds);
    expect(a.etfHistory('IBIT', NOW)).not.toEqual(b.etfHistory('IBIT', NOW));
  });

  it.each(['2024-01-01T00:00:00Z', '2026-12-31T23:59:59Z', '2030-06-15T12:00:00Z'])(
    'answers at %s',
    (now) => {
      const text = JSON.stringify(sample(createWorld(1), Date.parse(now)));
      expect(text.length).toBeGreaterThan(100_000);
      // JSON turns NaN and infinities into null, which no list of figures may hold.
      expect(text).not.toMatch(/"(price|open|close|volume|turnover_24h|actual)":null/);
    },
  );

  it('keeps what it has worked out for a time', () => {
    const world = createWorld(3);
    const [id = ''] = world.currencyIds;
    const all = (): readonly unknown[] => [
      world.pairs(id, NOW),
      world.currencyKlines(id, NOW),
      world.etfHistory('IBIT', NOW),
      world.news(NOW),
    ];
    const [first, again] = [all(), all()];
    for (const [index, value] of again.entries()) expect(value).toBe(first[index]);
  });
});
