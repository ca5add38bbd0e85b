import { isJudgeable, type Context } from './context.ts';
import { describeAnswer, detailsOf, namedParameter } from './errors.ts';
import { expectationOf, isInvalidRequestStatus } from './expectation.ts';
import { show, type Rule } from './judgement.ts';
import { askedLanguage } from './news-language.ts';
import { isNewsList } from './news-items.ts';
import { askedCategories } from './news-wanted.ts';
import { isMaintenance, place } from './transport.ts';
import type { View } from './view.ts';
import { criteria, type Criterion } from './criterion.ts';

/** What this file decides. */
export const NEWS_REFUSALS = criteria(
  'languageUnknown',
  'categoryUnknown',
  'language',
  'categoryFilter',
  'featuredLanguage',
  'featuredCategoryFilter',
  'featuredCategoryList',
);

const CASES: readonly { readonly name: string; readonly criterion: Criterion }[] = [
  { name: 'language', criterion: NEWS_REFUSALS.languageUnknown },
  { name: 'category', criterion: NEWS_REFUSALS.categoryUnknown },
];

/**
 * Ruling 9: a language or category that is not listed is refused, or the service falls back on another answer, which is
 * recorded. Anything else (another cause, a failure of the server) is a finding.
 */
export const newsRefusals: Rule = {
  name: 'news-unknown-values',
  judges: CASES.map(({ criterion }) => criterion),
  each(view, context, into) {
    for (const { name, criterion } of CASES) {
      if (!isUnknownValue(view, name, context)) continue;
      const refused = isInvalidRequestStatus(view.status);
      into.expect(criterion, view, refused || isNewsList(view), () => ({
        message: `${place(view)} with ${name}=${show(view.query.get(name))} is not refused as a bad request`,
        expected: 'a 400-class error, or news as a fallback',
        actual: describeAnswer(view),
      }));
      const fallback = view.records.length === 0 ? 'an empty list' : 'news, as if it were not sent';
      if (refused || isNewsList(view)) {
        into.read(`Answer to an unknown ${name}`, refused ? 'refused' : fallback, view, criterion);
      }
    }
  },
};

/**
 * §4.2: a listed language or category is never what a refusal is for, whatever else is wrong with the request. So every
 * refusal tells something of the values beside the bad one.
 */
export const listedRefused: Rule = {
  name: 'news-listed-refused',
  judges: [
    NEWS_REFUSALS.language,
    NEWS_REFUSALS.categoryFilter,
    NEWS_REFUSALS.featuredLanguage,
    NEWS_REFUSALS.featuredCategoryFilter,
    NEWS_REFUSALS.featuredCategoryList,
  ],
  each(view, context, into) {
    if (!isInvalidRequestStatus(view.status) || !isJudgeable(view, context)) return;
    const name = namedParameter(view) ?? detailsOf(view)['field'];
    const criterion = refusedValue(view, name);
    if (criterion === undefined) return;
    into.found(criterion, view, {
      message: `${place(view)} refuses ${String(name)}=${view.query.get(String(name)) ?? ''}, which is listed`,
      expected: 'no refusal for it',
      actual: describeAnswer(view),
      pointer: '/message',
    });
  },
};

/** What judges a refusal for this parameter; undefined when its value may be refused. */
function refusedValue(view: View, name: unknown): Criterion | undefined {
  const sent = view.exchange.request.query.filter(([one]) => one === name);
  if (sent.length !== 1 || view.endpoint?.query['language'] === undefined) return undefined;
  const isFeatured = view.resource === 'featured-news-item';
  if (name === 'language' && askedLanguage(view) !== undefined) {
    return isFeatured ? NEWS_REFUSALS.featuredLanguage : NEWS_REFUSALS.language;
  }
  const categories = name === 'category' ? askedCategories(view) : undefined;
  if (categories === undefined) return undefined;
  if (!isFeatured) return NEWS_REFUSALS.categoryFilter;
  return categories.length > 1
    ? NEWS_REFUSALS.featuredCategoryList
    : NEWS_REFUSALS.featuredCategoryFilter;
}

/** True when the one thing that is unusual about the request is an unlisted value of the parameter. */
function isUnknownValue(view: View, name: string, context: Context): boolean {
  if (view.resource !== 'news-item' && view.resource !== 'featured-news-item') return false;
  const value = view.query.get(name) ?? '';
  // A comma-separated list is stated for featured news only; on other news it may be taken as one.
  if (value === '' || value.includes(',')) return false;
  const crashed = view.status >= 500 && !isMaintenance(view);
  if (!crashed && !isJudgeable(view, context)) return false;
  const expectation = expectationOf(view, context);
  return expectation.kind === 'open' && expectation.parameters.join() === name;
}
