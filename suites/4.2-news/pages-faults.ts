import type { EndpointPath } from '../../src/spec/endpoints.ts';
import { DAY } from '../../src/spec/time.ts';
import { dataTime } from '../../src/reference/content.ts';
import { faultsOf, type Fault } from '../../src/reference/faults/fault.ts';
import {
  changePage,
  crashingBeyondLast,
  overMaximum,
  showingPage,
  withoutMaximum,
} from '../families/pages/paging-faults.ts';
import type { Context } from '../../src/reference/hooks.ts';
import { isObject } from '../../src/reference/json.ts';
import {
  afterPage,
  all,
  asked,
  crashing,
  endpointIs,
  ignoring,
  inLanguage,
  not,
  notAsked,
  onBody,
  onPage,
  onQuery,
  onRows,
  setting,
  type Condition,
} from '../../src/reference/vocabulary.ts';
import type { Json } from '../../src/reference/world.ts';

const NEWS: EndpointPath = '/news';
const news = endpointIs(NEWS);
const beyondWindow: Condition = ({ query, now }) =>
  Number(query.get('start_time') ?? now) < now - 9 * DAY;

/** News in a range, however old. */
const unbounded = (_value: Json, { world, now, query }: Context): Json => {
  const from = Number(query.get('start_time'));
  const to = Number(query.get('end_time') ?? now);
  const list = world
    .news(dataTime(now))
    .filter(({ releaseTime }) => releaseTime >= from && releaseTime <= to)
    .map((item) => item.item('en'));
  return { page: 1, page_size: 20, total: list.length, list: list.slice(0, 20) };
};

/** Faults in pages and time ranges of `GET /news` (§4.2). */
export const NEWS_PAGE_FAULTS: readonly Fault[] = faultsOf('4.2', {
  'news-default-page-2': {
    title: 'News without `page` returns page 2',
    kills: ['4.2/page-default'],
    hooks: setting('page', '2', all(news, notAsked('page'))),
  },
  'news-default-size-10': {
    title: 'Without page_size, news comes in pages of 10',
    kills: ['4.2/page-size-default'],
    hooks: setting('page_size', '10', all(news, notAsked('page_size'))),
  },
  'news-default-size-japanese': {
    title: 'Without page_size, Japanese news comes in pages of 30',
    kills: ['4.2/page-size-default'],
    hooks: setting('page_size', '30', all(news, notAsked('page_size'), inLanguage('ja'))),
  },
  'news-no-maximum': {
    title: 'A news page_size above 200 is used unchanged',
    kills: ['4.2/page-size-max', '4.2/max-items'],
    hooks: withoutMaximum(NEWS, 'page_size'),
  },
  'news-maximum-echoed-wrong': {
    title: 'A news page_size of 201 is clamped to 100, but the envelope says 201',
    kills: ['4.2/page-size-max'],
    hooks: {
      ...onQuery(all(news, asked('page_size', '201')), (query) => query.set('page_size', '100')),
      ...changePage(all(news, asked('page_size', '201')), () => ({ page_size: 201 })),
    },
  },
  'news-100-refused': {
    title: 'A news page_size of exactly 100 is refused',
    kills: ['4.2/page-size-max-accepted'],
    hooks: overMaximum(all(news, asked('page_size', '100')), 'page_size'),
  },
  'news-page-short': {
    title: 'The second page of news lacks its last item',
    kills: ['4.2/page-full'],
    hooks: onRows(all(news, onPage(2)), (rows) => (rows.length > 1 ? rows.slice(0, -1) : rows)),
  },
  'news-page-text-crash': {
    title: 'A news page_size that is not a number causes an internal error',
    kills: ['4.2/page-invalid'],
    hooks: crashing(all(news, ({ query }) => Number.isNaN(Number(query.get('page_size') ?? 1)))),
  },
  'news-page-zero-crash': {
    title: 'Page 0 of news causes an internal error',
    kills: ['4.2/page-invalid'],
    profile: 'full',
    hooks: crashing(all(news, asked('page', '0'))),
  },
  'news-echo-size': {
    title: 'The envelope of news always has page_size 20',
    kills: ['4.2/page-echo'],
    hooks: changePage(news, () => ({ page_size: 20 })),
  },
  'news-echo-page-1': {
    title: 'The envelope of the second page of news says page 1',
    kills: ['4.2/page-echo'],
    hooks: changePage(all(news, onPage(2)), () => ({ page: 1 })),
  },
  'news-total-drifts': {
    title: '`total` of news is halved from the second page on',
    kills: ['4.2/total'],
    hooks: changePage(all(news, afterPage(1)), (_rows, total) => ({ total: Math.ceil(total / 2) })),
  },
  'news-last-page-empty': {
    title: 'A partial last page of news is empty',
    kills: ['4.2/total'],
    hooks: onRows(all(news, afterPage(1)), (rows, { query }) =>
      rows.length < Number(query.get('page_size') ?? 20) ? [] : rows,
    ),
  },
  'news-echo-late': {
    title: 'The envelope of news says page 2 from page 3 on',
    kills: ['4.2/page-echo'],
    hooks: changePage(all(news, afterPage(2)), () => ({ page: 2 })),
  },
  'news-total-drifts-late': {
    title: '`total` of news is one too low from page 3 on',
    kills: ['4.2/total'],
    profile: 'full',
    hooks: changePage(all(news, afterPage(2)), (_rows, total) => ({ total: total - 1 })),
  },
  'news-beyond-crash': {
    title: 'A page of news beyond the last one causes an internal error',
    kills: ['4/no-5xx'],
    hooks: crashingBeyondLast(NEWS),
  },
  'news-inverted-range-crash': {
    title: 'A news range that ends before it begins causes an internal error',
    kills: ['4/no-5xx'],
    hooks: crashing(
      all(
        news,
        ({ query }) => Number(query.get('start_time')) > Number(query.get('end_time') ?? Infinity),
      ),
    ),
  },
  'news-overlap': {
    title: 'Page 2 of news shows page 1 again',
    kills: ['4.2/pages-join'],
    hooks: showingPage('1', all(news, onPage(2))),
  },
  'news-start-ignored': {
    title: 'start_time is ignored',
    kills: ['4.2/time-filter'],
    hooks: ignoring('start_time', all(news, not(beyondWindow))),
  },
  'news-end-ignored': {
    title: 'end_time is ignored',
    kills: ['4.2/time-filter'],
    hooks: ignoring('end_time', news),
  },
  'news-range-thinned': {
    title: 'A time range omits every third item',
    kills: ['4.2/time-filter'],
    hooks: onBody(all(news, asked('start_time')), (value) => {
      const list = isObject(value) ? value['list'] : undefined;
      if (!isObject(value) || !Array.isArray(list)) return value;
      const kept = (list as readonly Json[]).filter((_item, index) => index % 3 !== 2);
      return { ...value, list: kept, total: kept.length };
    }),
  },
  'news-too-old': {
    title: 'A range that ended nine days ago returns news from nine days ago',
    kills: ['4.2/window'],
    needsData: true,
    hooks: onBody(all(news, beyondWindow), unbounded),
  },
  'news-old-range-crash': {
    title: 'A range beyond 7 days causes an internal error',
    kills: ['4.2/window-answer'],
    hooks: crashing(all(news, beyondWindow)),
  },
});
