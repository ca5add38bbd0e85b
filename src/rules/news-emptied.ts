import { isJudgeable, type Context } from './context.ts';
import { show, type Judgement, type Rule } from './judgement.ts';
import { askedLanguage } from './news-language.ts';
import {
  idOf,
  isNewsList,
  newsItems,
  releaseTimeOf,
  totalOf,
  type NewsItem,
} from './news-items.ts';
import { filtersOf, speaksToo, wantedBy, type Filter } from './news-wanted.ts';
import { DAY } from '../contract/time.ts';
import { place } from './transport.ts';
import type { View } from './view.ts';
import { criteria, type Criterion } from './criterion.ts';

/** What this file decides. */
export const NEWS_EMPTIED = criteria(
  'categoryFilter',
  'currencyFilter',
  'timeFilter',
  'featuredCategoryFilter',
);

/** So many news that pass the filters have to be known before an empty answer counts against them. */
const EVIDENCE = 2;
/** News older than this may be beyond the recent window (§4.2 rule 3). */
const SURELY_RECENT_MS = 6 * DAY;

/** §4.2: a filter does not keep out what it asks for. What passes it is known from answers without it. */
export const emptied: Rule = {
  name: 'news-emptied',
  judges: [
    NEWS_EMPTIED.categoryFilter,
    NEWS_EMPTIED.currencyFilter,
    NEWS_EMPTIED.timeFilter,
    NEWS_EMPTIED.featuredCategoryFilter,
  ],
  all(views, context, into) {
    for (const view of views) {
      if (isEmptied(view, context)) judgeEmptied(view, views, into);
    }
  },
};

/** True for a first page without news that was asked for by a filter. */
const isEmptied = (view: View, context: Context): boolean =>
  isNewsList(view) &&
  view.records.length === 0 &&
  (view.query.get('page') ?? '1') === '1' &&
  filtersOf(view).length > 0 &&
  isJudgeable(view, context);

function judgeEmptied(view: View, views: readonly View[], into: Judgement): void {
  const wanted = wantedBy(view);
  const filters = filtersOf(view);
  if (wanted === undefined || !isKnownCurrency(view, views)) return;
  const otherLanguage = speaksToo(view, views);
  const known = new Map<string, { readonly item: NewsItem; readonly from: View }>();
  for (const base of views) {
    if (base.exchange.endpoint !== view.exchange.endpoint) continue;
    if (base.exchange.receivedAt > view.exchange.sentAt) continue;
    // News may be missing in a language altogether.
    if (askedLanguage(base) !== askedLanguage(view) && !otherLanguage) continue;
    for (const item of newsItems(base)) {
      const id = idOf(item);
      const isRecent = (releaseTimeOf(item) ?? 0) > view.now - SURELY_RECENT_MS;
      if (id !== undefined && isRecent && wanted(item)) known.set(id, { item, from: base });
    }
    for (const id of known.keys()) if (isGone(id, base)) known.delete(id);
  }
  const [first] = known.values();
  if (first === undefined || known.size < EVIDENCE) return;
  const asked = filters.map((name) => `${name}=${view.query.get(name) ?? ''}`).join(' and ');
  for (const criterion of new Set(filters.map((name) => criterionOf(view, name)))) {
    into.found(criterion, view, {
      message: `${place(view)} with ${asked} is empty, although ${known.size} such news were shown without`,
      expected: `news such as ${show(idOf(first.item))} of ${first.from.exchange.id}`,
      actual: 'an empty list',
      pointer: `${view.root}/list`,
    });
  }
}

/** True when a whole list, without filters, no longer has the item: some services show the latest news only. */
function isGone(id: string, base: View): boolean {
  if (filtersOf(base).length > 0 || totalOf(base) !== base.records.length) return false;
  return newsItems(base).every((item) => idOf(item) !== id);
}

function criterionOf(view: View, filter: Filter): Criterion {
  if (filter === 'currency_id') return NEWS_EMPTIED.currencyFilter;
  if (filter !== 'category') return NEWS_EMPTIED.timeFilter;
  return view.resource === 'featured-news-item'
    ? NEWS_EMPTIED.featuredCategoryFilter
    : NEWS_EMPTIED.categoryFilter;
}

/** Only an identifier that other endpoints know is one for sure. */
function isKnownCurrency(view: View, views: readonly View[]): boolean {
  const currency = view.query.get('currency_id');
  return (
    currency === undefined ||
    views.some(({ ok, exchange }) => ok && exchange.pathParameters['currency_id'] === currency)
  );
}
