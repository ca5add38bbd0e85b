import type { RequirementId } from '../contract/requirement-id.ts';
import { isJudgeable, type Context } from './context.ts';
import { describeAnswer, detailsOf, namedParameter } from './errors.ts';
import { expectationOf, isInvalidRequestStatus } from './expectation.ts';
import { show, type Rule } from './judgement.ts';
import { askedLanguage } from './news-language.ts';
import { isNewsList } from './news-items.ts';
import { askedCategories } from './news-wanted.ts';
import { isMaintenance, place } from './transport.ts';
import type { View } from './view.ts';

const CASES: readonly { readonly name: string; readonly requirement: RequirementId }[] = [
  { name: 'language', requirement: '4.2/language-unknown' },
  { name: 'category', requirement: '4.2/category-unknown' },
];

/**
 * Ruling 9: a language or category that is not listed is refused, or the service falls back on another answer, which is
 * recorded. Anything else (another cause, a failure of the server) is a finding.
 */
export const newsRefusals: Rule = {
  name: 'news-unknown-values',
  requirements: CASES.map(({ requirement }) => requirement),
  each(view, context, into) {
    for (const { name, requirement } of CASES) {
      if (!isUnknownValue(view, name, context)) continue;
      const refused = isInvalidRequestStatus(view.status);
      into.expect(requirement, view, refused || isNewsList(view), () => ({
        message: `${place(view)} with ${name}=${show(view.query.get(name))} is not refused as a bad request`,
        expected: 'a 400-class error, or news as a fallback',
        actual: describeAnswer(view),
      }));
      const fallback = view.records.length === 0 ? 'an empty list' : 'news, as if it were not sent';
      if (refused || isNewsList(view)) {
        into.read(
          `Answer to an unknown ${name}`,
          refused ? 'refused' : fallback,
          view,
          requirement,
        );
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
  requirements: [
    '4.2/language',
    '4.2/category-filter',
    '4.2/featured-language',
    '4.2/featured-category-filter',
    '4.2/featured-category-list',
  ],
  each(view, context, into) {
    if (!isInvalidRequestStatus(view.status) || !isJudgeable(view, context)) return;
    const name = namedParameter(view) ?? detailsOf(view)['field'];
    const requirement = refusedValue(view, name);
    if (requirement === undefined) return;
    into.found(requirement, view, {
      message: `${place(view)} refuses ${String(name)}=${view.query.get(String(name)) ?? ''}, which is listed`,
      expected: 'no refusal for it',
      actual: describeAnswer(view),
      pointer: '/message',
    });
  },
};

/** The requirement that a refusal for this parameter violates; undefined when its value may be refused. */
function refusedValue(view: View, name: unknown): RequirementId | undefined {
  const sent = view.exchange.request.query.filter(([one]) => one === name);
  if (sent.length !== 1 || view.endpoint?.query['language'] === undefined) return undefined;
  const isFeatured = view.resource === 'featured-news-item';
  if (name === 'language' && askedLanguage(view) !== undefined) {
    return isFeatured ? '4.2/featured-language' : '4.2/language';
  }
  const categories = name === 'category' ? askedCategories(view) : undefined;
  if (categories === undefined) return undefined;
  if (!isFeatured) return '4.2/category-filter';
  return categories.length > 1 ? '4.2/featured-category-list' : '4.2/featured-category-filter';
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
