import { dimension, fixtures, type Dimension } from './dimension.ts';

/** What the person who runs Assay knows about the target. */
export const TARGET_DIMENSIONS: readonly Dimension[] = [
  dimension('valid-keys', 'one', {
    two: { validKeys: 2 },
    eight: { validKeys: 8 },
  }),
  dimension('other-keys', 'all', {
    none: { target: (file) => ({ ...file, keys: { valid: file.keys.valid } }) },
    'disabled-only': {
      target: ({ keys: { valid, disabled }, ...file }) => ({
        ...file,
        keys: { valid, ...(disabled !== undefined && { disabled }) },
      }),
    },
  }),
  dimension('fixtures', 'unknown-ones', {
    none: {
      target: fixtures(() => ({ unknownCurrencyId: undefined, malformedCurrencyId: undefined })),
    },
    all: {
      target: fixtures((world) =>
        Object.fromEntries(
          Object.entries({
            currencyIds: world.currencyIds.slice(0, 5),
            etfTickers: world.etfs.slice(0, 5).map(({ ticker }) => ticker),
            stockTickers: world.stockTickers.slice(0, 5),
            indexTickers: world.indexTickers.slice(0, 3),
            sectorNames: world.sectorNames.slice(0, 3),
            macroEvents: world.macroEvents.slice(0, 3),
            chartNames: world.chartNames.slice(0, 3),
            projectIds: world.projectIds.slice(0, 3),
            exchanges: world.exchanges.slice(0, 3),
          }).filter(([, list]) => list.length > 0),
        ),
      ),
    },
  }),
];
