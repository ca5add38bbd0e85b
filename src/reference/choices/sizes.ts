import { DAY } from '../../spec/time.ts';
import { textOf } from '../json.ts';
import { data, dimension, series, variant, type Dimension } from './choice.ts';

const YEAR_MS = 365 * DAY;

/** What there is nothing of. How much there is of everything else is up to the worlds of the independent service. */
export const SIZES: readonly Dimension[] = [
  dimension('currencies-without-token-economics-or-fundraising', 'none', {
    'economics-for-some': variant(
      'Only every third currency has token economics and fundraising; the others are not found',
      data((world) => {
        const has = (id: string): boolean => world.currencyIds.indexOf(id) % 3 === 2;
        return {
          tokenEconomics: (id) => (has(id) ? world.tokenEconomics(id) : undefined),
          fundraising: (id) => (has(id) ? world.fundraising(id) : undefined),
        };
      }),
    ),
  }),
  dimension('macro', 'usual', {
    'long-ago': series('macroHistory', (rows, now) =>
      rows.filter((row) => Date.parse(textOf(row['date'])) < now - YEAR_MS),
    ),
  }),
  dimension('charts', 'usual', {
    'without-fields': data((world) => ({
      charts: () =>
        world.charts().map((chart, index) => (index < 3 ? { ...chart, fields: [] } : chart)),
    })),
  }),
];
