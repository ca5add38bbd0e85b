import { dimension, variant, type Choice, type Dimension } from './choice.ts';

/** The filter takes what `filterOf` makes of a name that `market` shows. */
const exchanges = (filterOf: (name: string) => string): Choice => ({
  query(query, { endpoint, world }) {
    const sent = query.get('exchange');
    if (sent === undefined || sent === '' || !(endpoint ?? '').endsWith('/pairs')) return query;
    const meant = world.exchanges.find((name) => filterOf(name) === sent);
    // A name that the filter does not know matches nothing.
    query.set('exchange', meant ?? '\u0000');
    return query;
  },
});

/** A name as part of an address: lower case, hyphens. */
const slugOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** A name that is no part of the one that is shown. */
const backwards = (name: string): string => name.toLowerCase().split('').toReversed().join('');

/** What exchanges are called (§4.1). */
export const NAMES: readonly Dimension[] = [
  dimension('names-of-exchanges', 'as-shown', {
    'exchange-by-slug': variant(
      'The exchange filter uses lower-case names with hyphens, and returns nothing for others',
      exchanges(slugOf),
    ),
    'exchange-any-case': variant('exchange is case-insensitive', {
      query(query, { endpoint, world }) {
        const sent = query.get('exchange')?.toLowerCase();
        if (endpoint !== '/currencies/{currency_id}/pairs' || sent === undefined) return query;
        const meant = world.exchanges.find((name) => name.toLowerCase() === sent);
        if (meant !== undefined) query.set('exchange', meant);
        return query;
      },
    }),
    'filter-by-own-name': {
      ...exchanges(backwards),
      target: (file, world) => ({
        ...file,
        fixtures: { ...file.fixtures, exchanges: world.exchanges.map(backwards) },
      }),
    },
  }),
];
