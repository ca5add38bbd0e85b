import { boundsOf, type EndpointPath } from '../contract/endpoints.ts';
import { NEWS_MAX_ITEMS } from '../contract/limits.ts';
import { criteria, type Criterion } from './criterion.ts';
import { wholeNumber } from './relations.ts';
import { isObject, type View } from './view.ts';

/** An endpoint that answers in pages, and what is judged about them. */
export interface PagedFacts {
  readonly endpoint: EndpointPath;
  /** What an item is called in findings. */
  readonly item: string;
  /** Items of a page when page_size is not sent; null when it must be sent. */
  readonly fallback: number | null;
  /** Smallest page_size; 1 where none is stated. */
  readonly minimum: number;
  /** Largest page_size that is stated. */
  readonly maximum: number;
  /** Largest page_size that any reading of the specification allows (ruling 4). */
  readonly utmost: number;
  /** Whether page 1 is said to be the default. */
  readonly startsAtOne: boolean;
  readonly identityOf: (record: unknown) => string | undefined;
  /** True for a ranking by a figure that moves: neighbours may change places between two requests. */
  readonly ranked: boolean;
  readonly judges: PageCriteria;
}

/** What is judged about the pages of a list; what is missing does not apply to it. */
export interface PageCriteria {
  readonly sizeDefault?: Criterion;
  readonly over: Criterion;
  readonly accepted: Criterion;
  readonly full: Criterion;
  /** Values below 1 and values that are no numbers, where no minimum is stated. */
  readonly invalid?: Criterion;
  readonly belowPage?: Criterion;
  readonly belowSize?: Criterion;
  readonly echo: Criterion;
  readonly join?: Criterion;
  readonly differ?: Criterion;
  readonly total: Criterion;
  readonly pageDefault?: Criterion;
}

const newsId = (record: unknown): string | undefined => {
  const id = isObject(record) ? record['id'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
};

/** A pair is known by what is traded for what, and where (§2.5). */
export function pairIdentity(record: unknown): string | undefined {
  if (!isObject(record)) return undefined;
  const parts = [record['market'], record['base'], record['target']];
  return parts.every((part) => typeof part === 'string') ? parts.join(' ') : undefined;
}

/** §4.1: the markets of a currency. */
export const PAIR_PAGES = {
  endpoint: '/currencies/{currency_id}/pairs',
  item: 'pair',
  ...boundsOf('/currencies/{currency_id}/pairs', 'page_size'),
  utmost: boundsOf('/currencies/{currency_id}/pairs', 'page_size').maximum,
  startsAtOne: false,
  identityOf: pairIdentity,
  ranked: true,
  judges: criteria('sizeDefault', 'over', 'accepted', 'full', 'invalid', 'echo', 'join', 'total'),
} satisfies PagedFacts;

/** §4.2: news. */
export const NEWS_PAGES = {
  endpoint: '/news',
  item: 'news item',
  ...boundsOf('/news', 'page_size'),
  utmost: NEWS_MAX_ITEMS,
  startsAtOne: true,
  identityOf: newsId,
  ranked: false,
  judges: criteria(
    'sizeDefault',
    'over',
    'accepted',
    'full',
    'invalid',
    'echo',
    'join',
    'total',
    'pageDefault',
  ),
} satisfies PagedFacts;

/** §4.2: featured news. */
export const FEATURED_PAGES = {
  endpoint: '/news/featured',
  item: 'news item',
  ...boundsOf('/news/featured', 'page_size'),
  utmost: boundsOf('/news/featured', 'page_size').maximum,
  startsAtOne: false,
  identityOf: newsId,
  ranked: false,
  judges: criteria('over', 'accepted', 'full', 'belowPage', 'belowSize', 'echo', 'differ', 'total'),
} satisfies PagedFacts;

/** All endpoints with a paging envelope (§2.5, §2.7). */
export const PAGED: readonly PagedFacts[] = [PAIR_PAGES, NEWS_PAGES, FEATURED_PAGES];

export const PAGE_PARAMETERS = ['page', 'page_size'] as const;

/** One page of a list as it arrived. */
export interface Page {
  readonly view: View;
  /** `page` and `page_size` as sent; undefined when not sent or no whole number. */
  readonly askedPage: number | undefined;
  readonly askedSize: number | undefined;
  /** The figures of the envelope; undefined when they are no whole numbers. */
  readonly page: number | undefined;
  readonly size: number | undefined;
  readonly total: number | undefined;
  readonly rows: number;
  /** Identities of the items, in order; undefined when one cannot be told. */
  readonly items: readonly string[] | undefined;
}

const whole = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;

/** The page in an answer; undefined when the answer is none. */
export function pageOf(facts: PagedFacts, view: View): Page | undefined {
  const { body, ok, query, records } = view;
  if (!ok || view.wrapped || !isObject(body) || !Array.isArray(body['list'])) return undefined;
  const identities = records.map(({ value }) => facts.identityOf(value));
  const items = identities.filter((identity) => identity !== undefined);
  const page = body['page'];
  return {
    view,
    askedPage: wholeNumber(query.get('page')),
    askedSize: wholeNumber(query.get('page_size')),
    page: typeof page === 'number' && Number.isInteger(page) ? page : undefined,
    size: whole(body['page_size']),
    total: whole(body['total']),
    rows: records.length,
    items: items.length === records.length ? items : undefined,
  };
}

/** The size of the pages as asked for or by default, when that is within the bounds. */
export function sizeInUse(facts: PagedFacts, { view, askedSize }: Page): number | undefined {
  if (!view.query.has('page_size')) return facts.fallback ?? undefined;
  if (askedSize === undefined || askedSize < facts.minimum || askedSize > facts.maximum) {
    return undefined;
  }
  return askedSize;
}

/** The page as asked for or the first one, when that is within the bounds. */
export function pageInUse({ view, askedPage }: Page): number | undefined {
  if (!view.query.has('page')) return 1;
  return askedPage === undefined || askedPage < 1 ? undefined : askedPage;
}
