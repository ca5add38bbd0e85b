import { DAY } from '../../src/spec/time.ts';
import { NEWS_CATEGORY_IDS } from '../../src/spec/values.ts';
import { releaseTimeOf, type NewsItem } from '../../src/judge/news-items.ts';
import { groupBy } from '../../src/text/group-by.ts';
import { categoryOf, matchedWith } from './asked.ts';

/** Filters for `GET /news` that each exclude something. A filter without enough news is omitted. */
export interface Narrowing {
  readonly category?: number;
  readonly currency_id?: string;
  /** Epoch ms. */
  readonly start_time: number;
  readonly end_time: number;
}

/** How far back a range may start; older news may be beyond the recent window. */
const RECENT_MS = 6 * DAY;
/** How many currencies to try, starting with the one with the most news. */
const CURRENCIES = 6;
/** More news than this do not improve a choice. */
const PLENTY = 10;
/** Bonus for a category other than the first, which a service that ignores the parameter might return. */
const UNUSUAL = 6;
/** A filter that excludes something outweighs any number of remaining news. */
const KEEPS_OUT = 2 * PLENTY;
/** Bonus for two full pages. */
const EVEN = 1.5;
/** Fewer make no pages of two, and a size of one hides that a service takes one less. */
const TOO_FEW = 3;
/** Distance from the news of a range end that excludes nothing. */
const MARGIN_MS = 60_000;

interface Timed {
  readonly item: NewsItem;
  readonly time: number;
}

/**
 * Chooses category, currency and range for one request, so that each excludes known news that the others let through,
 * and some news remain. Fewer news mean fewer filters.
 * @param currencyIds known currency identifiers
 * @param rotated orders the values to try; among equals the first is taken
 */
export function narrowingOf(
  items: readonly NewsItem[],
  now: number,
  currencyIds: readonly string[],
  rotated: <Item>(values: readonly Item[]) => readonly Item[] = (values) => values,
): Narrowing {
  const recent = items.flatMap((item): Timed[] => {
    const time = releaseTimeOf(item);
    return time !== undefined && time > now - RECENT_MS && time < now ? [{ item, time }] : [];
  });
  const known = new Set<unknown>(currencyIds);
  const ids = recent.flatMap(({ item }) => matchedWith(item).map(({ id }) => id));
  const busiest = byCount(ids.filter((id) => typeof id === 'string' && known.has(id)));
  const currencies = rotated(busiest.slice(0, CURRENCIES).map(([id]) => String(id)));
  const [best] = [...rotated(NEWS_CATEGORY_IDS), undefined]
    .flatMap((category) =>
      [...currencies, undefined].flatMap((currency) => choices(recent, category, currency)),
    )
    .filter(({ score }) => score >= 0)
    .toSorted((a, b) => b.score - a.score);
  return best?.choice ?? { start_time: now - 3 * DAY, end_time: now - DAY };
}

/** Values with their number, the most frequent first. */
const byCount = <Value>(values: readonly Value[]): readonly (readonly [Value, number])[] =>
  [...groupBy(values, (value) => value)]
    .map(([value, all]) => [value, all.length] as const)
    .toSorted((a, b) => b[1] - a[1]);

/**
 * A single filter, if too few news match several: the category or currency with the most news that still excludes some.
 * Undefined if there is none.
 * @param currencyIds as for `narrowingOf`; if empty, every matched currency counts as known
 */
export function oneFilterOf(
  name: 'category' | 'currency_id',
  items: readonly NewsItem[],
  currencyIds: readonly string[],
): Readonly<Record<string, string | number>> | undefined {
  const known = new Set<unknown>(currencyIds);
  const values = items.flatMap((item) => {
    const ids = matchedWith(item).map(({ id }) => id);
    const own: readonly unknown[] =
      name === 'category'
        ? [categoryOf(item)]
        : ids.filter((id) => known.size === 0 || known.has(id));
    return [...new Set(own)].filter((one) => typeof one === 'string' || typeof one === 'number');
  });
  const most = byCount(values).find(([, count]) => count < items.length);
  return most === undefined ? undefined : { [name]: most[0] };
}

/** A category to combine with a currency: some of its known news match the currency, and others do not. */
export function categoryAround(items: readonly NewsItem[], currency: unknown): number | undefined {
  const matches = (item: NewsItem): boolean => matchedWith(item).some(({ id }) => id === currency);
  return NEWS_CATEGORY_IDS.find((category) => {
    const own = items.filter((item) => categoryOf(item) === category);
    return own.some(matches) && !own.every(matches);
  });
}

/** The ranges to combine with a category and a currency, with what the choice is worth. */
function choices(
  recent: readonly Timed[],
  category: number | undefined,
  currency_id: string | undefined,
): readonly { readonly choice: Narrowing; readonly score: number }[] {
  const ofCategory = ({ item }: Timed): boolean =>
    category === undefined || categoryOf(item) === category;
  const ofCurrency = ({ item }: Timed): boolean =>
    currency_id === undefined || matchedWith(item).some(({ id }) => id === currency_id);
  const wanted = recent.filter((one) => ofCategory(one) && ofCurrency(one));
  const times = [...new Set(wanted.map(({ time }) => time))].toSorted((a, b) => a - b);
  const [oldest] = times;
  const newest = times.at(-1);
  if (oldest === undefined || newest === undefined) return [];
  const between = (index: number): number =>
    Math.round(((times[index - 1] ?? 0) + (times[index] ?? 0)) / 2);
  const edge = Math.max(1, Math.floor(times.length / 8));
  const filters = {
    ...(category !== undefined && { category }),
    ...(currency_id !== undefined && { currency_id }),
  };
  // How many times to leave out before and after the range.
  const cuts = [
    [edge, edge],
    [edge + 1, edge],
    [edge, 0],
    [edge + 1, 0],
    [0, edge],
    [0, edge + 1],
    [0, 0],
  ] as const;
  return cuts
    .filter(([before, after]) => before + after < times.length)
    .map(([before, after]) => {
      const start_time = before === 0 ? oldest - MARGIN_MS : between(before);
      const end_time = after === 0 ? newest + MARGIN_MS : between(times.length - after);
      const inside = ({ time }: Timed): boolean => time > start_time && time < end_time;
      const kept = wanted.filter(inside).length;
      const others = recent.filter(inside);
      const keepsOut = [
        before > 0,
        after > 0,
        others.some((one) => !ofCategory(one) && ofCurrency(one)),
        others.some((one) => ofCategory(one) && !ofCurrency(one)),
      ].filter(Boolean).length;
      const score =
        keepsOut * KEEPS_OUT +
        Math.min(kept, PLENTY) +
        (kept % 2 === 0 ? EVEN : 0) +
        (category === NEWS_CATEGORY_IDS[0] ? 0 : UNUSUAL) -
        (kept < TOO_FEW ? KEEPS_OUT / 2 : 0);
      return { choice: { ...filters, start_time, end_time }, score };
    });
}

/**
 * Two categories for a featured news request: the two rarest that together fill more than a page of `least`, so that
 * the whole list probably fits on the largest page. They leave out some items, which tells whether the filter works: where
 * only two have items, one of them and one without.
 */
export function twoCategoriesOf(items: readonly NewsItem[], least: number): readonly number[] {
  const counts = NEWS_CATEGORY_IDS.map(
    (id) => [id, items.filter((item) => categoryOf(item) === id).length] as const,
  );
  const seen = counts.filter(([, count]) => count > 1);
  const others = seen.length > 2 ? [] : counts.filter(([, count]) => count === 0).slice(0, 1);
  const pairs = seen
    .flatMap(([a, ofA], index) =>
      [...seen.slice(index + 1), ...others].map(([b, ofB]) => ({
        categories: [a, b],
        count: ofA + ofB,
      })),
    )
    .filter(({ count }) => count < items.length);
  const [smallest] = pairs
    .filter(({ count }) => count > least)
    .toSorted((a, b) => a.count - b.count);
  const [largest] = pairs.toSorted((a, b) => b.count - a.count);
  const ranked = counts.toSorted((a, b) => b[1] - a[1]).map(([category]) => category);
  return (smallest ?? largest)?.categories ?? ranked.slice(0, 2);
}
