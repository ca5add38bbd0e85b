// Refusals of `language` and `category` (§4.2).
import { isJudgeable, type Context } from '../../src/judge/context.ts';
import { describeAnswer, detailsOf, namedParameter } from '../../src/judge/errors.ts';
import { expectationOf, isInvalidRequestStatus } from '../../src/judge/expectation.ts';
import { show } from '../../src/judge/judgement.ts';
import { askedLanguage, isNewsList } from '../../src/judge/news-items.ts';
import { judgeAll, judgeEach, type Judge } from '../../src/judge/judge.ts';
import { isMaintenance } from '../../src/judge/transport.ts';
import type { View } from '../../src/judge/view.ts';
import { askedCategories, BETWEEN_CATEGORIES } from './asked.ts';

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
