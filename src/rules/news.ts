import { isJudgeable } from './context.ts';
import type { Judgement, Rule } from './judgement.ts';
import { categoryFilter, featuredCategoryList } from './news-categories.ts';
import { emptied } from './news-emptied.ts';
import { firstPage } from './news-first-page.ts';
import { currencyFilter, projectFilter } from './news-filters.ts';
import { newsItems, releaseTimeOf, type NewsItem } from './news-items.ts';
import { languageRules } from './news-language.ts';
import { listedRefused, newsRefusals } from './news-refusals.ts';
import { sharedIds } from './news-shared-ids.ts';
import type { View } from './view.ts';
import { criteria } from './criterion.ts';

/** What this file decides. */
export const NEWS = criteria('order');

/** §4.2 rule 2: the display order is the platform's own, so it is only recorded. */
const order: Rule = {
  name: 'news-order',
  judges: [NEWS.order],
  each(view, context, into) {
    if (view.resource !== 'news-item' || !isJudgeable(view, context)) return;
    readOrder(view, newsItems(view), into);
  },
};

function readOrder(view: View, items: readonly NewsItem[], into: Judgement): void {
  const times = items.flatMap((item) => releaseTimeOf(item) ?? []);
  if (new Set(times).size < 3) return;
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const answer = steps.every((step) => step <= 0)
    ? 'newest first'
    : steps.every((step) => step >= 0)
      ? 'oldest first'
      : 'not by release_time';
  into.read('Order of news', answer, view, NEWS.order);
}

/** Rules of §4.2 that no other endpoint shares. */
export const NEWS_RULES: readonly Rule[] = [
  order,
  categoryFilter,
  featuredCategoryList,
  emptied,
  currencyFilter,
  projectFilter,
  newsRefusals,
  listedRefused,
  sharedIds,
  firstPage,
  ...languageRules,
];
