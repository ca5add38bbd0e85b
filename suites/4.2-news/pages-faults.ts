import type { EndpointPath } from '../../src/spec/endpoints.ts';
import { DAY } from '../../src/spec/time.ts';
import { dataTime } from '../../src/reference/content.ts';
import { faultsOf, type Fault } from '../../src/reference/faults/fault.ts';
import { changePage, withoutMaximum } from '../families/pages/paging-faults.ts';
import type { Context } from '../../src/reference/hooks.ts';
import { isObject } from '../../src/reference/json.ts';
import {
  afterPage,
  all,
  asked,
  crashing,
  endpointIs,
  inLanguage,
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
export const NEWS_PAGE_FAULTS: readonly Fault[] = faultsOf({
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
  'news-page-short': {
    title: 'The second page of news lacks its last item',
    kills: ['4.2/page-full'],
    hooks: onRows(all(news, onPage(2)), (rows) => (rows.length > 1 ? rows.slice(0, -1) : rows)),
  },
  'news-last-page-empty': {
    title: 'A partial last page of news is empty',
    kills: ['4.2/total'],
    hooks: onRows(all(news, afterPage(1)), (rows, { query }) =>
      rows.length < Number(query.get('page_size') ?? 20) ? [] : rows,
    ),
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
