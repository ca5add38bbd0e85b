import { expect, it } from 'vitest';
import { DEFAULT_EXAMPLES } from '../../src/openapi/examples.ts';
import { WORLD } from '../kept/data.ts';

const NOW = Date.UTC(2026, 0, 14, 15);

it('takes its examples from the data of the reference server', () => {
  const world = WORLD;
  const pairs = DEFAULT_EXAMPLES.currencyIds.flatMap((id) => world.pairs(id, NOW) ?? []);
  const existing = {
    currencyIds: world.currencyIds,
    etfTickers: world.etfs.map(({ ticker }) => ticker),
    stockTickers: world.stockTickers,
    indexTickers: world.indexTickers,
    sectorNames: world.sectorNames,
    macroEvents: world.macroEvents,
    chartNames: world.chartNames,
    projectIds: world.projectIds,
    exchanges: pairs.map((pair) => pair['market']),
  };
  expect(existing).toEqual(
    Object.fromEntries(
      Object.entries(DEFAULT_EXAMPLES).map(([kind, values]) => [
        kind,
        expect.arrayContaining([...values]),
      ]),
    ),
  );
});
