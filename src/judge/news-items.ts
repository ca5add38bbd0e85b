import { LANGUAGES, type Language } from '../spec/values.ts';
import { perObject } from '../text/remembered.ts';
import { hasStatedKind } from './relations.ts';
import { objectsIn, type ObjectAt } from './values-at.ts';
import type { View } from './view.ts';

/** A news record that is an object; the schema rules report other values. */
export type NewsItem = ObjectAt;

/** Whether an answer is a news list, possibly empty. */
export const isNewsList = (view: View): boolean =>
  view.ok &&
  !view.wrapped &&
  (view.resource === 'news-item' || view.resource === 'featured-news-item') &&
  hasStatedKind(view);

/** News items of a bare, successful answer from an endpoint with a specified shape (§2.7). */
export const newsItems = perObject((view: View): readonly NewsItem[] =>
  isNewsList(view) ? objectsIn(view.records) : [],
);

/** The id of an item, if it is a non-empty string. */
export function idOf({ value }: NewsItem): string | undefined {
  const { id } = value;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

export const idsOf = (items: readonly NewsItem[]): readonly string[] =>
  items.flatMap((item) => idOf(item) ?? []);

/** `release_time` in epoch ms, if it is a number. */
export function releaseTimeOf({ value }: NewsItem): number | undefined {
  const { release_time: time } = value;
  return typeof time === 'number' && Number.isFinite(time) ? time : undefined;
}

/** Paging defaults of `/news` (§4.2): omitting a parameter requests the same page. */
const DEFAULTS: Readonly<Record<string, string>> = { page: '1', page_size: '20' };

/** Identifies a list of news by endpoint and query, ignoring the parameters in `without`. */
export function seriesOf(view: View, without: readonly string[]): string {
  const query = new Map<string, string>(Object.entries(DEFAULTS));
  for (const [name, value] of view.query) query.set(name, value);
  for (const name of without) query.delete(name);
  const parts = [...query].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([view.exchange.endpoint, parts]);
}

/** The requested language, English by default; `undefined` if it is not listed. */
export function askedLanguage(view: View): Language | undefined {
  const sent = view.query.get('language');
  if (sent === undefined) return LANGUAGES[0];
  return LANGUAGES.find((language) => language === sent);
}
