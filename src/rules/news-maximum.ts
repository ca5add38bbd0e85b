import { READINGS } from '../contract/readings.ts';
import { NEWS_MAX_ITEMS } from '../contract/limits.ts';
import type { Context } from './context.ts';
import type { Judgement, Rule } from './judgement.ts';
import { PAGE_PARAMETERS, PAGES, pageOf, type PagedFacts } from './pages.ts';
import { counted, reactionOf, sameList, wholeNumber } from './relations.ts';
import type { View } from './view.ts';
import { criteria } from './criterion.ts';

/** What this file decides. */
export const NEWS_MAXIMUM = criteria('maxItems', 'pageSizeReading');

/** §4.2 rule 4: no answer holds more than 200 news; sizes from 101 to 200 are a reading. */
export const newsMaximum: Rule = {
  name: 'news-maximum',
  judges: [NEWS_MAXIMUM.maxItems, NEWS_MAXIMUM.pageSizeReading],
  all(views, context, into) {
    const news = PAGES['/news'];
    for (const group of sameList(views, '/news', PAGE_PARAMETERS, context)) {
      for (const view of group) judgeNewsMaximum(news, view, context, into);
    }
  },
};

function judgeNewsMaximum(news: PagedFacts, view: View, context: Context, into: Judgement): void {
  const asked = wholeNumber(view.query.get('page_size'));
  const rows = view.records.length;
  if (rows > NEWS_MAX_ITEMS || (asked !== undefined && asked >= news.maximum && rows > 0)) {
    into.expect(NEWS_MAXIMUM.maxItems, view, rows <= NEWS_MAX_ITEMS, () => ({
      message: 'An answer holds more news than one request may bring',
      expected: `at most ${counted(NEWS_MAX_ITEMS, news.item)}`,
      actual: counted(rows, news.item),
      pointer: view.records[NEWS_MAX_ITEMS]?.pointer ?? view.root,
    }));
  }
  if (asked === undefined || asked <= news.maximum || asked > NEWS_MAX_ITEMS) return;
  const page = pageOf(news, view);
  const reaction = reactionOf(view, context);
  const { question, refused, broughtDown, upTo200 } = READINGS.newsMaximum;
  if (reaction === 'refused') {
    into.read(question, refused, view, NEWS_MAXIMUM.pageSizeReading);
  } else if (page !== undefined && page.rows > news.maximum) {
    into.read(question, upTo200, view, NEWS_MAXIMUM.pageSizeReading);
  } else if (page?.total !== undefined && page.total > page.rows) {
    const answer = page.rows === news.maximum ? broughtDown : `brought down to ${page.rows}`;
    into.read(question, answer, view, NEWS_MAXIMUM.pageSizeReading);
  }
}
