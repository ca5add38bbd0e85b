import { isJudgeable, type Context } from '../../src/judge/context.ts';
import { describeAnswer, detailsOf, namedParameter } from '../../src/judge/errors.ts';
import { expectationOf, isInvalidRequestStatus } from '../../src/judge/expectation.ts';
import { show } from '../../src/judge/judgement.ts';
import {
  askedLanguage,
  isNewsList,
  idOf,
  idsOf,
  newsItems,
  releaseTimeOf,
  seriesOf,
  type NewsItem,
} from '../../src/judge/news-items.ts';
import { judgeAll, judgeEach, type Judge } from '../../src/judge/judge.ts';
import { isMaintenance } from '../../src/judge/transport.ts';
import { type View, totalOf } from '../../src/judge/view.ts';
import {
  askedCategories,
  BETWEEN_CATEGORIES,
  categoryOf,
  filtersOf,
  matchedWith,
  hasNewsInLanguage,
  wantedBy,
  type Filter,
} from './asked.ts';
import { FILTER_EVIDENCE } from '../numbers.ts';
import { STATUS } from '../../src/spec/finding.ts';
import type { Advice } from '../../src/requirements/definition.ts';
import { mayReachBeyond, NEWS_BY_TIME, requestedRange } from '../../src/judge/series.ts';
import { SURELY_RECENT_MS } from '../families/range.ts';

// Refusals of `language` and `category` (§4.2).

/**
 * Ruling 9: an unlisted language or category is refused, or the service falls back to another answer, which is
 * recorded. Anything else, such as a server failure, is a finding.
 */
export const unlistedRefused = (name: 'language' | 'category'): Judge =>
  judgeEach((view, context, it) => {
    if (!isUnknownValue(view, name, context)) return;
    const refused = isInvalidRequestStatus(view.status);
    it.expect(view, refused || isNewsList(view), () => ({
      kind: 'not-refused',
      facts: { parameter: name, value: show(view.query.get(name)) },
      expected: 'a 400-class error, or news as a fallback',
      actual: describeAnswer(view),
    }));
    const fallback =
      view.records.length === 0 ? 'an empty list' : 'news, as if the parameter had not been sent';
    if (refused || isNewsList(view)) {
      it.read(`Answer to an unknown ${name}`, refused ? 'refused' : fallback, view);
    }
  });

/**
 * A service that refuses unlisted categories between the listed ones refuses all of them. Beyond the largest listed one
 * it may check a range only.
 */
export const oneForAllBetween: Judge = judgeAll((views, context, it) => {
  const between = views.filter(
    (view) =>
      BETWEEN_CATEGORIES.includes(Number(view.query.get('category'))) &&
      isUnknownValue(view, 'category', context),
  );
  for (const view of between) {
    const against = between.find(
      (other) =>
        other.exchange.endpoint === view.exchange.endpoint && isInvalidRequestStatus(other.status),
    );
    if (against === undefined) continue;
    it.expect(view, !isNewsList(view), () => ({
      kind: 'not-refused',
      facts: { parameter: 'category', value: show(view.query.get('category')) },
      expected: `a 400-class error, as for category=${against.query.get('category') ?? ''}`,
      against: [against],
      actual: describeAnswer(view),
    }));
  }
});

/** Whether the only unusual thing about the request is an unlisted value of the parameter. */
function isUnknownValue(view: View, name: string, context: Context): boolean {
  if (view.resource !== 'news-item' && view.resource !== 'featured-news-item') return false;
  const value = view.query.get(name) ?? '';
  // Only featured news takes a comma-separated list; other news may accept it.
  if (value === '' || value.includes(',')) return false;
  const crashed = view.status >= 500 && !isMaintenance(view);
  if (!crashed && !isJudgeable(view, context)) return false;
  const expectation = expectationOf(view, context);
  return expectation.kind === 'open' && expectation.parameters.join() === name;
}

/** Parameters with listed values that must never be refused, and whether a request uses one. */
const LISTED = {
  language: (view: View) => askedLanguage(view) !== undefined,
  category: (view: View) => askedCategories(view)?.length === 1,
  categories: (view: View) => (askedCategories(view)?.length ?? 0) > 1,
} as const;

/**
 * A refusal never names a listed value, whatever else is wrong, so every refusal also tests the valid parameters.
 * `categories` is a list of several in one request.
 */
export const listedTaken = (which: keyof typeof LISTED): Judge =>
  judgeEach((view, context, it) => {
    if (!isInvalidRequestStatus(view.status) || !isJudgeable(view, context)) return;
    const name = which === 'categories' ? 'category' : which;
    if ((namedParameter(view) ?? detailsOf(view)['field']) !== name) return;
    const sent = view.exchange.request.query.filter(([one]) => one === name);
    if (sent.length !== 1 || !LISTED[which](view)) return;
    it.found(view, {
      kind: 'listed-value-refused',
      facts: { parameter: name, value: view.query.get(name) ?? '' },
      expected: 'no refusal for this value',
      actual: describeAnswer(view),
      pointer: '/message',
    });
  });

// Filters of news (§4.2): category, currency_id, project_id, start_time and end_time.

export const CATEGORY: Advice = {
  shownBy: 'a request with that parameter',
  why: 'A feed for one category must not contain items from others.',
  usually: [
    'The parameter is ignored for one of the categories, often the one with the highest number.',
    'Only the first of several categories is used, or the list is not split at commas.',
  ],
};

/** Only the requested categories, on every page and with any other filter. */
export const onlyOfCategory: Judge = judgeEach((view, context, it) => {
  const asked = askedCategories(view);
  if (asked === undefined || !isJudgeable(view, context)) return;
  const items = newsItems(view);
  if (items.length === 0) return;
  const others = items.filter((item) => !asked.includes(categoryOf(item)));
  it.none(view, others, ({ pointer, value }) => ({
    kind: 'other-category',
    facts: { others: others.length, items: items.length, category: asked.join(',') },
    expected: `category ${asked.join(' or ')}`,
    actual: `category ${show(value['category'])}`,
    pointer: `${pointer}/category`,
  }));
});

/**
 * Several categories return featured news from all of them. The order is up to the service, so a category is missing only
 * if the whole list is shown.
 */
export const ofEveryCategory: Judge = judgeAll((views, context, it) => {
  for (const view of views) {
    const asked = askedCategories(view) ?? [];
    if (view.resource !== 'featured-news-item' || asked.length < 2) continue;
    const items = newsItems(view);
    if (items.length === 0 || !isJudgeable(view, context)) continue;
    const shown = new Set(items.map(categoryOf));
    const absent = asked.filter((category) => !shown.has(category));
    if (absent.length === 0) it.judged(view);
    if ((totalOf(view) ?? Infinity) > view.records.length) continue;
    const [missing] = unfiltered(view, views)
      // Newly featured items do not count.
      .filter((base) => base.exchange.sentAt <= view.exchange.sentAt)
      .flatMap((base) =>
        absent.map((category) => {
          const known = newsItems(base).filter((item) => categoryOf(item) === category);
          return { base, category, known };
        }),
      )
      .filter(({ known }) => known.length >= FILTER_EVIDENCE);
    if (missing === undefined) continue;
    const { base, category, known } = missing;
    it.found(view, {
      kind: 'category-missing',
      facts: { asked: asked.join(','), category, known: known.length },
      expected: `news items of category ${asked.join(' and ')}, such as ${show(known[0] && idOf(known[0]))} in ${base.exchange.id}`,
      against: [base],
      actual: `only category ${[...shown].join(', ')}`,
      pointer: `${view.root}/list`,
    });
  }
});

/** First pages that differ only in category, language and size. */
function unfiltered(view: View, views: readonly View[]): readonly View[] {
  const apart = ['category', 'language', 'page_size'];
  const series = seriesOf(view, apart);
  if ((view.query.get('page') ?? '1') !== '1') return [];
  return views.filter((other) => !other.query.has('category') && seriesOf(other, apart) === series);
}

/** `currency_id` selects by `matched_currencies`, the only field with currencies. */
export const onlyOfCurrency: Judge = judgeEach((view, context, it) => {
  const currency = view.query.get('currency_id');
  if (view.resource !== 'news-item' || currency === undefined || currency === '') return;
  const items = newsItems(view);
  if (items.length === 0 || !isJudgeable(view, context)) return;
  const others = items.filter(
    (item) => !matchedWith(item).some(({ id }) => String(id) === currency),
  );
  it.none(view, others, (first) => ({
    kind: 'other-match',
    facts: { others: others.length, items: items.length, currency },
    expected: `matched_currencies with the id ${show(currency)}`,
    actual: `ids ${show(matchedWith(first).map(({ id }) => id))}`,
    pointer: `${first.pointer}/matched_currencies`,
  }));
});

/** A filter must accept currencies known to other endpoints. */
export const knownCurrencyTaken: Judge = judgeAll((views, context, it) => {
  for (const view of views) {
    if (view.resource !== 'news-item' || !isInvalidRequestStatus(view.status)) continue;
    if (!isKnownCurrency(view, views) || !isJudgeable(view, context)) continue;
    const expectation = expectationOf(view, context);
    if (expectation.kind !== 'open' || expectation.parameters.join() !== 'currency_id') continue;
    it.found(view, {
      kind: 'known-id-refused',
      expected: 'status 200',
      actual: describeAnswer(view),
      header: STATUS,
    });
  }
});

/** A filter does not exclude matching news, as far as answers without it show. */
export const notEmptied = (...names: readonly Filter[]): Judge =>
  judgeAll((views, context, it) => {
    for (const view of views) {
      const filters = filtersOf(view);
      if (!filters.some((filter) => names.includes(filter))) continue;
      const isEmpty = isNewsList(view) && view.records.length === 0;
      if (!isEmpty || (view.query.get('page') ?? '1') !== '1') continue;
      if (!isJudgeable(view, context)) continue;
      const known = knownToPass(view, views);
      const [first] = known;
      if (first === undefined || known.length < FILTER_EVIDENCE) continue;
      const asked = filters.map((name) => `${name}=${view.query.get(name) ?? ''}`).join(' and ');
      it.found(view, {
        kind: 'filter-empty',
        facts: { filter: asked, known: known.length },
        expected: `news items such as ${show(idOf(first.item))} in ${first.from.exchange.id}`,
        against: [first.from],
        actual: 'an empty list',
        pointer: `${view.root}/list`,
      });
    }
  });

/** News shown before that match all filters of a request and still exist. */
function knownToPass(
  view: View,
  views: readonly View[],
): readonly { readonly item: NewsItem; readonly from: View }[] {
  const wanted = wantedBy(view);
  if (wanted === undefined || !isKnownCurrency(view, views)) return [];
  // Ruling 5: a range that reaches beyond the window may have no records.
  const range = requestedRange(NEWS_BY_TIME, view);
  if (range && mayReachBeyond(NEWS_BY_TIME, range, view)) return [];
  const otherLanguage = hasNewsInLanguage(view, views);
  const known = new Map<string, { readonly item: NewsItem; readonly from: View }>();
  for (const base of views) {
    if (base.exchange.endpoint !== view.exchange.endpoint) continue;
    if (base.exchange.receivedAt > view.exchange.sentAt) continue;
    // A language may have no news at all.
    if (askedLanguage(base) !== askedLanguage(view) && !otherLanguage) continue;
    for (const item of newsItems(base)) {
      const id = idOf(item);
      const isRecent = (releaseTimeOf(item) ?? 0) > view.now - SURELY_RECENT_MS;
      if (id !== undefined && isRecent && wanted(item)) known.set(id, { item, from: base });
    }
    for (const id of known.keys()) if (isRemoved(id, base)) known.delete(id);
  }
  return [...known.values()];
}

/** Whether a complete, unfiltered list no longer has the item: some services show only the latest news. */
function isRemoved(id: string, base: View): boolean {
  if (filtersOf(base).length > 0 || totalOf(base) !== base.records.length) return false;
  return newsItems(base).every((item) => idOf(item) !== id);
}

/** An identifier is certain only if other endpoints accept it. */
function isKnownCurrency(view: View, views: readonly View[]): boolean {
  const currency = view.query.get('currency_id');
  return (
    currency === undefined ||
    views.some(({ ok, exchange }) => ok && exchange.pathParameters['currency_id'] === currency)
  );
}

/** What relates news to a project is unspecified, so it is only recorded. */
export const ofProject: Judge = judgeAll((views, context, it) => {
  for (const view of views) {
    if (view.resource !== 'news-item' || (view.query.get('project_id') ?? '') === '') continue;
    if (!isJudgeable(view, context)) continue;
    if (!isNewsList(view) && !isInvalidRequestStatus(view.status)) continue;
    const items = newsItems(view);
    const ids = idsOf(items).join();
    const apart = ['project_id', 'language'];
    const series = seriesOf(view, apart);
    const base = views.find(
      (other) => !other.query.has('project_id') && seriesOf(other, apart) === series,
    );
    const answer = view.ok
      ? items.length === 0
        ? 'no news for this project'
        : base !== undefined && idsOf(newsItems(base)).join() === ids
          ? 'nothing: the news is the same without project_id'
          : inCommon(items)
      : `refused (${describeAnswer(view)})`;
    it.read('What project_id filters by', answer, view);
  }
});

function inCommon(items: readonly NewsItem[]): string {
  const [first, ...others] = items.map((item) => matchedWith(item).map(({ name }) => name));
  const shared = (first ?? []).filter((name) => others.every((names) => names.includes(name)));
  return shared.length > 0
    ? `matched currency: all news items of the project have ${shared.map(String).join(', ').slice(0, 60)}`
    : 'a link to the project that no field of the news items shows';
}
