import { isJudgeable } from './context.ts';
import { show, type Judgement, type Rule } from './judgement.ts';
import { idOf, newsItems, seriesOf, totalOf } from './news-items.ts';
import { askedCategories, categoryOf } from './news-wanted.ts';
import { place } from './transport.ts';
import type { View } from './view.ts';
import { criteria, type Criterion } from './criterion.ts';

/** What this file decides. */
export const NEWS_CATEGORIES = criteria(
  'categoryFilter',
  'featuredCategoryFilter',
  'featuredCategoryList',
);

/** §4.2: only news of the categories asked for, on every page and beside every other filter. */
export const categoryFilter: Rule = {
  name: 'news-category-filter',
  judges: [NEWS_CATEGORIES.categoryFilter, NEWS_CATEGORIES.featuredCategoryFilter],
  each(view, context, into) {
    const asked = askedCategories(view);
    const criterion = criterionOf(view);
    if (asked === undefined || criterion === undefined || !isJudgeable(view, context)) return;
    const items = newsItems(view);
    if (items.length === 0) return;
    const strangers = items.filter((item) => !asked.includes(categoryOf(item)));
    const [first] = strangers;
    into.expect(criterion, view, first === undefined, () => ({
      message: `${strangers.length} of ${items.length} news of ${place(view)} with category=${asked.join(',')} have another category`,
      expected: `category ${asked.join(' or ')}`,
      actual: `category ${show(first?.value['category'])}`,
      pointer: `${first?.pointer ?? view.root}/category`,
    }));
  },
};

function criterionOf(view: View): Criterion | undefined {
  if (view.resource === 'news-item') return NEWS_CATEGORIES.categoryFilter;
  return view.resource === 'featured-news-item'
    ? NEWS_CATEGORIES.featuredCategoryFilter
    : undefined;
}

/** First pages that differ from this one in category, language and size only. */
function unfiltered(view: View, views: readonly View[]): readonly View[] {
  const apart = ['category', 'language', 'page_size'];
  const series = seriesOf(view, apart);
  if ((view.query.get('page') ?? '1') !== '1') return [];
  return views.filter((other) => !other.query.has('category') && seriesOf(other, apart) === series);
}

/** So many news of a category have to be known before it counts that none is shown. */
const EVIDENCE = 2;

/**
 * §4.2: several categories give news of all of them. The order of the list is the platform's own, so a listed category
 * that does not show up is missing only from an answer that shows the whole list.
 */
export const featuredCategoryList: Rule = {
  name: 'featured-category-list',
  judges: [NEWS_CATEGORIES.featuredCategoryList],
  all(views, context, into) {
    for (const view of views) {
      const asked = askedCategories(view) ?? [];
      if (view.resource !== 'featured-news-item' || asked.length < 2) continue;
      if (isJudgeable(view, context)) judgeList(view, asked, views, into);
    }
  },
};

function judgeList(
  view: View,
  asked: readonly number[],
  views: readonly View[],
  into: Judgement,
): void {
  const items = newsItems(view);
  const absent = asked.filter((category) => !items.some((item) => categoryOf(item) === category));
  if (items.length === 0) return;
  if (absent.length === 0) {
    into.judged(NEWS_CATEGORIES.featuredCategoryList, view);
    return;
  }
  if (!isWhole(view)) return;
  for (const base of unfiltered(view, views)) {
    // What is featured later may have come in between.
    if (base.exchange.sentAt > view.exchange.sentAt) continue;
    for (const category of absent) {
      const known = newsItems(base).filter((item) => categoryOf(item) === category);
      const [first] = known;
      if (first === undefined || known.length < EVIDENCE) continue;
      into.found(NEWS_CATEGORIES.featuredCategoryList, view, {
        message: `${place(view)} with category=${asked.join(',')} shows no news of category ${category}, although ${known.length} are featured`,
        expected: `news of category ${asked.join(' and ')}, such as ${show(idOf(first))} of ${base.exchange.id}`,
        actual: `only category ${[...new Set(items.map(categoryOf))].join(', ')}`,
        pointer: `${view.root}/list`,
      });
      return;
    }
  }
}

/** True for a page that shows all that its envelope counts. */
const isWhole = (view: View): boolean =>
  (totalOf(view) ?? Number.POSITIVE_INFINITY) <= view.records.length;
