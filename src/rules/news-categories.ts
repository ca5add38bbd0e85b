import type { RequirementId } from '../contract/requirements.ts';
import { NEWS_CATEGORY_IDS } from '../contract/values.ts';
import { isJudgeable, type Context } from './context.ts';
import { show, type Judgement, type Rule } from './judgement.ts';
import { idOf, isNewsList, newsItems, seriesOf, type NewsItem } from './news-items.ts';
import { place } from './transport.ts';
import type { View } from './view.ts';

/**
 * The categories that a request asks for. `undefined` when it asks for none, or for something that is no category. A
 * list is stated for featured news only.
 */
export function askedCategories(view: View): readonly number[] | undefined {
  const sent = view.query.get('category');
  if (sent === undefined) return undefined;
  const parts = sent.split(',').map((part) => part.replaceAll(/^ +| +$/g, ''));
  if (parts.length > 1 && view.resource !== 'featured-news-item') return undefined;
  const known = NEWS_CATEGORY_IDS.filter((id) => parts.includes(String(id)));
  return known.length === new Set(parts).size ? known : undefined;
}

/** `category`, read leniently: its type is judged with the field. */
const categoryOf = ({ value }: NewsItem): number => Number(value['category'] ?? Number.NaN);

/** §4.2: only news of the categories asked for, on every page and beside every other filter. */
export const categoryFilter: Rule = {
  name: 'news-category-filter',
  requirements: ['4.2/category-filter', '4.2/featured-category-filter'],
  each(view, context, into) {
    const asked = askedCategories(view);
    const requirement = requirementOf(view);
    if (asked === undefined || requirement === undefined || !isJudgeable(view, context)) return;
    const items = newsItems(view);
    if (items.length === 0) return;
    const strangers = items.filter((item) => !asked.includes(categoryOf(item)));
    const [first] = strangers;
    into.expect(requirement, view, first === undefined, () => ({
      message: `${strangers.length} of ${items.length} news of ${place(view)} with category=${asked.join(',')} have another category`,
      expected: `category ${asked.join(' or ')}`,
      actual: `category ${show(first?.value['category'])}`,
      pointer: `${first?.pointer ?? view.root}/category`,
    }));
  },
  all(views, context, into) {
    for (const view of views) judgeEmptied(view, views, context, into);
  },
};

function requirementOf(view: View): RequirementId | undefined {
  if (view.resource === 'news-item') return '4.2/category-filter';
  return view.resource === 'featured-news-item' ? '4.2/featured-category-filter' : undefined;
}

/** How many news of a category must be known before an empty answer counts against the filter. */
const EVIDENCE = 2;

/** A filter that lets nothing through, although news of the category were shown before without it. */
function judgeEmptied(view: View, views: readonly View[], context: Context, into: Judgement): void {
  const asked = askedCategories(view);
  const requirement = requirementOf(view);
  if (asked === undefined || requirement === undefined || !isJudgeable(view, context)) return;
  if (!isNewsList(view) || view.records.length > 0) return;
  for (const base of unfiltered(view, views)) {
    if (base.exchange.receivedAt > view.exchange.sentAt) continue;
    const known = newsItems(base).filter((item) => asked.includes(categoryOf(item)));
    const [first] = known;
    if (first === undefined || known.length < EVIDENCE) continue;
    into.found(requirement, view, {
      message: `${place(view)} with category=${asked.join(',')} is empty, although ${known.length} news of that category were shown without the filter`,
      expected: `news of category ${asked.join(' or ')}, such as ${show(idOf(first))} of ${base.exchange.id}`,
      actual: 'an empty list',
      pointer: `${view.root}/list`,
    });
    return;
  }
}

/** First pages that differ from this one in category, language and size only. */
function unfiltered(view: View, views: readonly View[]): readonly View[] {
  const apart = ['category', 'language', 'page_size'];
  const series = seriesOf(view, apart);
  if ((view.query.get('page') ?? '1') !== '1') return [];
  return views.filter((other) => !other.query.has('category') && seriesOf(other, apart) === series);
}

/**
 * §4.2: several categories give news of all of them. A listed category that does not show up is a violation only when
 * the same list without the filter shows at least two news of it before a news item that the filtered list has too: in
 * display order they had to come first.
 */
export const featuredCategoryList: Rule = {
  name: 'featured-category-list',
  requirements: ['4.2/featured-category-list'],
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
    into.judged('4.2/featured-category-list', view);
    return;
  }
  const shown = new Set(items.map(idOf));
  for (const base of unfiltered(view, views)) {
    const list = newsItems(base);
    const last = list.findLastIndex((item) => idOf(item) !== undefined && shown.has(idOf(item)));
    const before = list.slice(0, Math.max(last, 0));
    for (const category of absent) {
      const known = before.filter((item) => categoryOf(item) === category);
      const [first] = known;
      if (first === undefined || known.length < EVIDENCE) continue;
      into.found('4.2/featured-category-list', view, {
        message: `${place(view)} with category=${asked.join(',')} shows no news of category ${category}, although ${known.length} come before the last one it shows`,
        expected: `news of category ${asked.join(' and ')}, such as ${show(idOf(first))} of ${base.exchange.id}`,
        actual: `only category ${[...new Set(items.map(categoryOf))].join(', ')}`,
        pointer: `${view.root}/list`,
      });
      return;
    }
  }
}
