// Values of `language` and `category` that news are refused for (§4.2).
import { isJudgeable, type Context } from '../../src/judge/context.ts';
import { describeAnswer, detailsOf, namedParameter } from '../../src/judge/errors.ts';
import { expectationOf, isInvalidRequestStatus } from '../../src/judge/expectation.ts';
import { show } from '../../src/judge/judgement.ts';
import { askedLanguage, isNewsList } from '../../src/judge/news-items.ts';
import { judgeEach, type Judge } from '../../src/judge/judge.ts';
import { isMaintenance } from '../../src/judge/transport.ts';
import type { View } from '../../src/judge/view.ts';
import { askedCategories } from './asked.ts';

/**
 * Ruling 9: a language or category that is not listed is refused, or the service falls back on another answer, which is
 * recorded. Anything else (another cause, a failure of the server) is a finding.
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
    const fallback = view.records.length === 0 ? 'an empty list' : 'news, as if it were not sent';
    if (refused || isNewsList(view)) {
      it.read(`Answer to an unknown ${name}`, refused ? 'refused' : fallback, view);
    }
  });

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

/** Parameters whose stated values are never what a refusal is for, and whether a request has such a value. */
const LISTED = {
  language: (view: View) => askedLanguage(view) !== undefined,
  category: (view: View) => askedCategories(view)?.length === 1,
  categories: (view: View) => (askedCategories(view)?.length ?? 0) > 1,
} as const;

/**
 * A listed value is never what a refusal is for, whatever else is wrong with the request. So every refusal tells something
 * of the values beside the bad one. `categories` stands for several of them in one request.
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
      expected: 'no refusal for it',
      actual: describeAnswer(view),
      pointer: '/message',
    });
  });
