import { LANGUAGES, type Language } from '../spec/values.ts';
import { isObject, type View } from './view.ts';

/** A record of news that is an object, as it should be; others are the schema's business. */
export interface NewsItem {
  /** JSON pointer from the root of the body as sent. */
  readonly pointer: string;
  readonly value: Readonly<Record<string, unknown>>;
}

const NONE: readonly NewsItem[] = [];
const known = new WeakMap<View, readonly NewsItem[]>();

/** The news of a bare, successful answer of one of the two endpoints with a stated shape (§2.7); else none. */
export function newsItems(view: View): readonly NewsItem[] {
  const { resource } = view;
  if (!view.ok || !view.isJson || view.wrapped) return NONE;
  if (resource !== 'news-item' && resource !== 'featured-news-item') return NONE;
  let items = known.get(view);
  if (items === undefined) {
    items = view.records.flatMap(({ pointer, value }) =>
      isObject(value) ? [{ pointer, value }] : [],
    );
    known.set(view, items);
  }
  return items;
}

/** True for an answer with a list of news, be it empty. */
export function isNewsList(view: View): boolean {
  return (
    view.ok &&
    view.isJson &&
    !view.wrapped &&
    (view.resource === 'news-item' || view.resource === 'featured-news-item') &&
    isObject(view.body) &&
    Array.isArray(view.body['list'])
  );
}

/** The id of an item; `undefined` when it is not the stated string. */
export function idOf({ value }: NewsItem): string | undefined {
  const { id } = value;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Ids of the items that have one, in the order of the list. */
export const idsOf = (items: readonly NewsItem[]): readonly string[] =>
  items.flatMap((item) => idOf(item) ?? []);

/** `release_time`, epoch ms; `undefined` when it is no number. */
export function releaseTimeOf({ value }: NewsItem): number | undefined {
  const { release_time: time } = value;
  return typeof time === 'number' && Number.isFinite(time) ? time : undefined;
}

/** Defaults of the paging parameters of `/news` (§4.2): leaving one out asks for the same page. */
const DEFAULTS: Readonly<Record<string, string>> = { page: '1', page_size: '20' };

/** Names the page of news that a request asks for: endpoint and query, but for the parameters in `without`. */
export function seriesOf(view: View, without: readonly string[]): string {
  const query = new Map<string, string>(Object.entries(DEFAULTS));
  for (const [name, value] of view.query) query.set(name, value);
  for (const name of without) query.delete(name);
  const parts = [...query].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([view.exchange.endpoint, parts]);
}

/** `total` of the envelope; `undefined` when it is no number. */
export function totalOf({ body }: View): number | undefined {
  const total = isObject(body) ? body['total'] : undefined;
  return typeof total === 'number' ? total : undefined;
}

/** The listed language that a request asks for, English by default; `undefined` for one that is not listed. */
export function askedLanguage(view: View): Language | undefined {
  const sent = view.query.get('language');
  if (sent === undefined) return LANGUAGES[0];
  return LANGUAGES.find((language) => language === sent);
}
