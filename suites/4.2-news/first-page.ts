import { isJudgeable } from '../../src/rules/context.ts';
import { idsOf, newsItems, seriesOf, totalOf } from '../../src/rules/news-items.ts';
import { wholeNumber } from '../../src/rules/relations.ts';
import { judgeAll, type OwnCriterion, type OwnJudgement } from '../../src/rules/own-rule.ts';
import { place } from '../../src/rules/transport.ts';
import type { View } from '../../src/rules/view.ts';

/** Lists that are further apart in time than this say nothing about each other, ms. */
const NEAR_MS = 120_000;
/** So many of the news have to be known for their place to tell the page. */
const TELLING = 5;

/**
 * §4.2: news without `page` is page 1. In whatever language the two are, news that stand far down on a larger first page
 * are not the first ones.
 */
export const beginsAtPage1: OwnCriterion = judgeAll((views, context, it) => {
  const lists = views.filter(
    (view) =>
      view.resource === 'news-item' && newsItems(view).length > 0 && isJudgeable(view, context),
  );
  const wholes = lists.filter(({ query }) => query.get('page') === '1');
  for (const view of lists) {
    if (!view.query.has('page')) for (const whole of wholes) judge(view, whole, it);
  }
});

/** News that come in meanwhile change a total by no more than this. */
const DRIFT = 5;

/** Lists of two languages that count the same news: one with fewer in a language would count fewer. */
function isOneList(a: View, b: View): boolean {
  const [one, other] = [totalOf(a), totalOf(b)];
  return one !== undefined && other !== undefined && Math.abs(one - other) <= DRIFT;
}

const APART = ['language', 'page', 'page_size'];

function judge(view: View, whole: View, it: OwnJudgement): void {
  const own = idsOf(newsItems(view));
  const all = idsOf(newsItems(whole));
  if (seriesOf(view, APART) !== seriesOf(whole, APART) || all.length < own.length) return;
  if (Math.abs(view.now - whole.now) > NEAR_MS) return;
  const places = own.flatMap((id) => {
    const index = all.indexOf(id);
    return index === -1 ? [] : [index];
  });
  const asked = wholeNumber(view.query.get('page_size') ?? '20') ?? 0;
  // A size below 1 may be brought into the range (ruling 4); to which size, the length of the answer tells.
  const size = asked >= 1 ? asked : own.length;
  // What came in meanwhile stands before what was the first page.
  const came = Math.abs((totalOf(whole) ?? 0) - (totalOf(view) ?? 0));
  const first = places.filter((index) => index < size + came).length;
  // News may come in between, and may be missing in one of the languages; a few steps are no page.
  const apart = places.length === 0 && own.length >= TELLING && isOneList(view, whole);
  if (!apart && (places.length < TELLING || places.length * 2 < own.length)) return;
  it.expect(view, first > 0, () => ({
    message: `${place(view)} without page does not begin where page 1 begins`,
    expected: `news from the beginning of ${whole.exchange.id}`,
    actual: apart ? 'none of its news' : `news from number ${Math.min(...places) + 1} of it on`,
    pointer: `${view.root}/list`,
  }));
}
