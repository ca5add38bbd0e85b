import { STATUS } from '../contract/finding.ts';
import { isJudgeable, type Context } from './context.ts';
import { describeAnswer } from './errors.ts';
import { expectationOf, isInvalidRequestStatus } from './expectation.ts';
import { show, type Judgement, type Rule } from './judgement.ts';
import { idsOf, isNewsList, newsItems, seriesOf, type NewsItem } from './news-items.ts';
import { matchedWith } from './news-wanted.ts';
import { place } from './transport.ts';
import type { View } from './view.ts';
import { criteria } from './criterion.ts';

/** What this file decides. */
export const NEWS_FILTERS = criteria('currencyFilter', 'projectFilter');

/** §4.2: `currency_id` selects by `matched_currencies`, the only field that names currencies. */
export const currencyFilter: Rule = {
  name: 'news-currency-filter',
  judges: [NEWS_FILTERS.currencyFilter],
  each(view, context, into) {
    const currency = view.query.get('currency_id');
    if (view.resource !== 'news-item' || currency === undefined || currency === '') return;
    const items = newsItems(view);
    if (items.length === 0 || !isJudgeable(view, context)) return;
    const strangers = items.filter(
      (item) => !matchedWith(item).some(({ id }) => String(id) === currency),
    );
    const [first] = strangers;
    into.expect(NEWS_FILTERS.currencyFilter, view, first === undefined, () => ({
      message: `${strangers.length} of ${items.length} news of ${place(view)} with currency_id=${currency} are not matched with that currency`,
      expected: `matched_currencies with the id ${show(currency)}`,
      actual: `ids ${show(first && matchedWith(first).map(({ id }) => id))}`,
      pointer: `${first?.pointer ?? view.root}/matched_currencies`,
    }));
  },
  all(views, context, into) {
    const known = new Set<string>();
    for (const { ok, exchange } of views) {
      const { currency_id: id } = exchange.pathParameters;
      if (ok && id !== undefined) known.add(id);
    }
    for (const view of views) judgeRefused(view, known, context, into);
  },
};

/** A currency that other endpoints know is no bad value for the filter. */
function judgeRefused(
  view: View,
  known: ReadonlySet<string>,
  context: Context,
  into: Judgement,
): void {
  if (view.resource !== 'news-item' || !isInvalidRequestStatus(view.status)) return;
  if (!known.has(view.query.get('currency_id') ?? '') || !isJudgeable(view, context)) return;
  const expectation = expectationOf(view, context);
  if (expectation.kind !== 'open' || expectation.parameters.join() !== 'currency_id') return;
  into.found(NEWS_FILTERS.currencyFilter, view, {
    message: `${place(view)} refuses a currency_id that other endpoints answer for`,
    expected: 'status 200',
    actual: describeAnswer(view),
    header: STATUS,
  });
}

/** §4.2: what a project has to do with news is not shown, so it is only recorded. */
export const projectFilter: Rule = {
  name: 'news-project-filter',
  judges: [NEWS_FILTERS.projectFilter],
  all(views, context, into) {
    for (const view of views) {
      if (view.resource !== 'news-item' || !view.query.has('project_id')) continue;
      if (view.query.get('project_id') !== '' && isJudgeable(view, context)) {
        readProject(view, views, into);
      }
    }
  },
};

function readProject(view: View, views: readonly View[], into: Judgement): void {
  if (!isNewsList(view) && !isInvalidRequestStatus(view.status)) return;
  const items = newsItems(view);
  const ids = idsOf(items).join();
  const series = seriesOf(view, ['project_id', 'language']);
  const base = views.find(
    (other) =>
      !other.query.has('project_id') && seriesOf(other, ['project_id', 'language']) === series,
  );
  const answer = view.ok
    ? items.length === 0
      ? 'no news for this project'
      : base !== undefined && idsOf(newsItems(base)).join() === ids
        ? 'nothing: the same news come without it'
        : inCommon(items)
    : `refused (${describeAnswer(view)})`;
  into.read('What project_id filters news by', answer, view, NEWS_FILTERS.projectFilter);
}

/** What all the items share. */
function inCommon(items: readonly NewsItem[]): string {
  const [first, ...others] = items.map((item) => matchedWith(item).map(({ name }) => name));
  const shared = (first ?? []).filter((name) => others.every((names) => names.includes(name)));
  return shared.length > 0
    ? `matched currency: all its news have ${shared.map(String).join(', ').slice(0, 60)}`
    : 'a link to the project that no field of the news shows';
}
