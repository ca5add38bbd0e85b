import { NEWS_CATEGORY_IDS } from '../../src/spec/values.ts';
import { askedLanguage, releaseTimeOf, type NewsItem } from '../../src/judge/news-items.ts';
import { isObject, type View } from '../../src/judge/view.ts';

/** Requested categories; `undefined` without any or with an invalid one. Only featured news takes a list. */
export function askedCategories(view: View): readonly number[] | undefined {
  const sent = view.query.get('category');
  if (sent === undefined) return undefined;
  const parts = sent.split(',').map((part) => part.replaceAll(/^ +| +$/g, ''));
  if (parts.length > 1 && view.resource !== 'featured-news-item') return undefined;
  const known = NEWS_CATEGORY_IDS.filter((id) => parts.includes(String(id)));
  return known.length === new Set(parts).size ? known : undefined;
}

/** Unlisted whole numbers between the listed categories. */
export const BETWEEN_CATEGORIES = Array.from(
  { length: Math.max(...NEWS_CATEGORY_IDS) - 1 },
  (_, index) => index + 1,
).filter((value) => !NEWS_CATEGORY_IDS.some((id) => id === value));

/** `category`, read leniently: the field's requirement judges its type. */
export const categoryOf = ({ value }: NewsItem): number => Number(value['category'] ?? Number.NaN);

/** Currencies that an item is matched with. */
export function matchedWith({ value }: NewsItem): readonly { id: unknown; name: unknown }[] {
  const { matched_currencies: matched } = value;
  if (!Array.isArray(matched)) return [];
  return matched.flatMap((one: unknown) =>
    isObject(one) ? [{ id: one['id'], name: one['name'] }] : [],
  );
}

/** Query parameters that filter news (§4.2). */
export const FILTERS = ['category', 'currency_id', 'start_time', 'end_time'] as const;
export type Filter = (typeof FILTERS)[number];

export const filtersOf = (view: View): readonly Filter[] =>
  FILTERS.filter((name) => view.query.has(name));

/** A predicate for the filters of a request; `undefined` if one is unreadable or not related to a field. */
export function wantedBy(view: View): ((item: NewsItem) => boolean) | undefined {
  const { query } = view;
  if (query.has('project_id')) return undefined;
  const categories = askedCategories(view);
  if (query.has('category') && categories === undefined) return undefined;
  const currency = query.get('currency_id');
  if (currency === '') return undefined;
  const from = timeOf(query.get('start_time'), Number.NEGATIVE_INFINITY);
  const to = timeOf(query.get('end_time'), Number.POSITIVE_INFINITY);
  if (from === undefined || to === undefined) return undefined;
  return (item) => {
    const time = releaseTimeOf(item);
    const inRange =
      time === undefined
        ? !query.has('start_time') && !query.has('end_time')
        : time > from && time < to;
    return (
      inRange &&
      (categories === undefined || categories.includes(categoryOf(item))) &&
      (currency === undefined || matchedWith(item).some(({ id }) => String(id) === currency))
    );
  };
}

function timeOf(text: string | undefined, open: number): number | undefined {
  if (text === undefined) return open;
  return /^\d{13}$/.test(text) ? Number(text) : undefined;
}

/** Whether another answer shows that the endpoint has news in the same language. */
export const hasNewsInLanguage = (view: View, views: readonly View[]): boolean =>
  views.some(
    (other) =>
      other !== view &&
      other.exchange.endpoint === view.exchange.endpoint &&
      other.ok &&
      other.records.length > 0 &&
      askedLanguage(other) === askedLanguage(view),
  );
