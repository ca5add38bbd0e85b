import { check, each, part } from '../../src/ask/index.ts';
import { NEWS_MAX_ITEMS } from '../../src/spec/limits.ts';
import { READINGS } from '../../src/spec/readings.ts';
import { about, must, observe } from '../../src/requirements/definition.ts';
import { optionalPagesOf, pagesOf } from '../families/pages/pages.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import { PAGE_PARAMETERS, pageOf, PAGES } from '../../src/judge/pages.ts';
import { counted, reactionOf, sameList, wholeNumber } from '../../src/judge/relations.ts';
import { pagesOfFiltered, pagesOfProject } from './filtered-requests.ts';
import {
  allInvalid,
  betweenMaximums,
  invalid,
  largest,
  largestPages,
  mostItems,
  overMaximum,
  pagesOfPlain,
  plainAndLargest,
  plainNews,
} from './requests.ts';

const LIST = '4.2 GET /news';

const words = { list: 'news', bounds: '8 news page_size' };
const PAGE = pagesOf(PAGES['/news'], {
  ...words,
  size: 'A news `page_size`',
  envelope: '2.7 page envelope',
});
const OPTIONAL = optionalPagesOf(PAGES['/news'], {
  ...words,
  without: 'News without `page_size` is returned',
  page: 'A news `page`',
});

const ON_PAGE_2 = part('on page 2 with several filters', pagesOfFiltered);
const ON_LAST_OF_PROJECT = part('on the last page of the news of a project', pagesOfProject);

/** §4.2: without `page`, news is page 1, as its envelope tells. */
const firstByDefault = judgeAll((views, context, it) => {
  for (const view of sameList(views, '/news', PAGE_PARAMETERS, context).flat()) {
    const { page: told, rows = 0 } = pageOf(PAGES['/news'], view) ?? {};
    if (view.query.has('page') || told === undefined || rows === 0) continue;
    it.expect(view, told === 1, () => ({
      kind: 'default-other-page',
      expected: 'page: 1',
      actual: `page: ${told}`,
      pointer: `${view.root}/page`,
    }));
  }
});

export const NEWS_PAGE_REQUIREMENTS = about(['/news'], {
  '4.2/page-default': must({
    title: 'News without `page` returns page 1',
    clauses: [`${LIST} ?page`],
    hinderedBy: ['2.5/page-page'],
    shownBy: 'a response to a request without `page` that tells the number of its page',
    rulings: [22],
    why: 'The specification promises the first page.',
    usually: ['Pages are counted from 0 internally, and the default is 1.'],
    checks: [check(plainAndLargest, { atOnce: true })],
    judge: firstByDefault,
  }),
  '4.2/page-size-default': must({ ...OPTIONAL.sizeDefault, checks: [check(plainNews)] }),
  '4.2/page-size-max': must({ ...PAGE.maximum, checks: [check(overMaximum)] }),
  '4.2/page-size-max-accepted': must({ ...PAGE.accepted, checks: [check(largest)] }),
  '4.2/page-size-reading': observe({
    title: 'Response to a news `page_size` from 101 to 200',
    clauses: ['4.2 rule 4', '8 news per request'],
    basis: 'contradictory',
    rulings: [4],
    checks: [check(betweenMaximums)],
    judge: judgeAll((views, context, it) => {
      const { question, refused, broughtDown, upTo200 } = READINGS.newsMaximum;
      const { maximum } = PAGES['/news'];
      for (const view of sameList(views, '/news', PAGE_PARAMETERS, context).flat()) {
        const asked = wholeNumber(view.query.get('page_size')) ?? 0;
        if (asked <= maximum || asked > NEWS_MAX_ITEMS) continue;
        const { rows = 0, total = 0 } = pageOf(PAGES['/news'], view) ?? {};
        if (reactionOf(view, context) === 'refused') it.read(question, refused, view);
        else if (rows > maximum) it.read(question, upTo200, view);
        else if (total > rows) {
          it.read(question, rows === maximum ? broughtDown : `brought down to ${rows}`, view);
        }
      }
    }),
  }),
  '4.2/max-items': must({
    title: 'No response contains more than 200 news items',
    clauses: ['4.2 rule 4', '8 news per request'],
    shownBy: 'a request for more than the maximum',
    rulings: [4],
    why: '200 is the stated maximum for one response, whatever the `page_size`.',
    usually: ['`page_size` is not bounded at all.', 'The limit is only applied with some filters.'],
    checks: [check(mostItems)],
    judge: judgeAll((views, context, it) => {
      const { maximum, item } = PAGES['/news'];
      for (const view of sameList(views, '/news', PAGE_PARAMETERS, context).flat()) {
        const asked = wholeNumber(view.query.get('page_size')) ?? 0;
        const rows = view.records.length;
        if (rows <= NEWS_MAX_ITEMS && (asked < maximum || rows === 0)) continue;
        it.expect(view, rows <= NEWS_MAX_ITEMS, () => ({
          kind: 'too-many-news',
          expected: `at most ${counted(NEWS_MAX_ITEMS, item)}`,
          actual: counted(rows, item),
          pointer: view.records[NEWS_MAX_ITEMS]?.pointer ?? view.root,
        }));
      }
    }),
  }),
  '4.2/page-full': must({
    ...PAGE.full,
    checks: [check(plainAndLargest), ON_LAST_OF_PROJECT, ON_PAGE_2],
  }),
  '4.2/page-invalid': must({
    ...OPTIONAL.invalid,
    checks: [
      part('answers bad values or refuses them', allInvalid),
      ...each(
        [
          { page: -1, page_size: 0, start_time: '', end_time: 'abc' },
          { page: 'abc', page_size: -5 },
          { page: '', page_size: '', language: '', category: '' },
        ],
        'answers %j or refuses it',
        invalid,
      ),
    ],
  }),
  '4.2/page-echo': must({ ...PAGE.echo, checks: [check(plainAndLargest), ON_PAGE_2] }),
  '4.2/pages-join': must({
    ...OPTIONAL.join,
    checks: [check(pagesOfPlain), ON_LAST_OF_PROJECT, ON_PAGE_2],
  }),
  '4.2/total': must({
    ...PAGE.total,
    checks: [
      part('on a later page with page_size=100', largestPages),
      ON_PAGE_2,
      ON_LAST_OF_PROJECT,
    ],
  }),
});
