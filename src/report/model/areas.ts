import { groupBy } from '../../text/group-by.ts';
import { compareSections } from './labels.ts';

const TITLES: Readonly<Record<string, string>> = {
  '1': 'Service',
  '2': 'Fields of resources',
  '2.1': 'Currency info',
  '2.2': 'Currency market snapshot',
  '2.3': 'Token economics',
  '2.4': 'Kline',
  '2.5': 'Trading pair and paging envelope',
  '2.6': 'Currency fundraising',
  '2.7': 'News item',
  '2.8': 'ETF records',
  '2.9': 'Crypto stock snapshot',
  '2.10': 'Macro history row',
  '2.11': 'Analysis chart',
  '2.12': 'Other resources',
  '3': 'States',
  '4': 'All endpoints',
  '4.1': 'Currencies',
  '4.2': 'News',
  '4.3': 'ETF summary history',
  '4.4': 'ETF history',
  '4.5': 'Crypto stocks',
  '4.6': 'Macro and charts',
  '4.7': 'Purpose-only endpoints',
  '5': 'Authentication',
  '6': 'Events',
  '7': 'Errors',
  '8': 'Limits',
  '9': 'Across runs',
};

/** The section of the rate limiter. */
export const LIMITS = '8';

/** The title of a section; empty for an unknown one. */
export function sectionTitle(section: string): string {
  return TITLES[section] ?? '';
}

/** Items by row of the coverage map, in the order of the specification: `2` stands for all of 2.1 to 2.12. */
export function byArea<Item extends { readonly section: string }>(
  items: readonly Item[],
): readonly (readonly [section: string, title: string, items: readonly Item[]])[] {
  return [...groupBy(items, ({ section }) => (section.startsWith('2.') ? '2' : section))]
    .toSorted(([a], [b]) => compareSections(a, b))
    .map(([id, list]) => [id, TITLES[id] ?? 'Other', list]);
}
