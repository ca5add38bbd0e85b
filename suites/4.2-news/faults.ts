import { LANGUAGES, NEWS_CATEGORY_IDS, type Language } from '../../src/spec/values.ts';
import { dataTime } from '../../src/reference/content.ts';
import { faultsOf, type Fault } from '../../src/reference/faults/fault.ts';
import type { Context, Hooks } from '../../src/reference/hooks.ts';
import { isObject, textOf } from '../../src/reference/json.ts';
import { Refusal } from '../../src/reference/refusal.ts';
import {
  all,
  asked,
  crashing,
  edit,
  endpointIs,
  ignoring,
  inLanguage,
  not,
  notAsked,
  oneRowIn,
  onMembers,
  onPage,
  onQuery,
  onRecord,
  put,
  setting,
  type Condition,
  type RecordChange,
  afterPage,
  onBody,
  onRows,
  onError,
  onSuccess,
} from '../../src/reference/vocabulary.ts';
import type { Json, JsonObject } from '../../src/reference/world.ts';
import type { EndpointPath } from '../../src/spec/endpoints.ts';
import { DAY } from '../../src/spec/time.ts';
import {
  changePage,
  withoutMaximum,
  refusing,
  showingPage,
} from '../families/pages/paging-faults.ts';
import { ERRORS } from '../../src/spec/error-codes.ts';

const news = endpointIs('/news');

const unlistedLanguage = ({ query }: Context): boolean =>
  query.has('language') && !LANGUAGES.some((language) => language === query.get('language'));
const unlistedCategory = ({ query }: Context): boolean =>
  query.has('category') && !NEWS_CATEGORY_IDS.some((id) => String(id) === query.get('category'));

/** The same item in another language. */
const itemIn = (language: Language, { world, now }: Context, id: Json | undefined): JsonObject =>
  world
    .news(dataTime(now))
    .find((item) => item.id === id)
    ?.item(language) ?? {};

/** Shows fields of an item in a fixed language. */
const inOther =
  (language: Language, ...fields: readonly string[]): RecordChange =>
  (record, context) => {
    const other = itemIn(language, context, record['id']);
    return { ...record, ...Object.fromEntries(fields.map((name) => [name, other[name] ?? null])) };
  };

const quoteInEnglish: RecordChange = edit('/quote_info', (value, record, context) => {
  const quote = itemIn('en', context, record['id'])['quote_info'];
  return isObject(value) && isObject(quote) ? { ...value, content: quote['content'] ?? '' } : value;
});

const otherId = edit('/id', (value) => `${textOf(value)}0`);

/** Changes the items at these indexes of a page. */
const itemsAt =
  (indexes: readonly number[], change: RecordChange): RecordChange =>
  (record, context, index) =>
    indexes.includes(index) ? change(record, context, index) : record;

/** Changes items of `GET /news`. */
const onItems = (change: RecordChange, when?: Condition): Hooks =>
  onRecord('news-item', change, when);

/** Refuses as not found. */
const notFoundWhen = (when: Condition, name: string): Hooks =>
  onQuery(when, (query) => {
    throw new Refusal('notFound', 'News not found', { [name]: query.get(name) ?? null });
  });

const NEWS: EndpointPath = '/news';
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

const FEATURED: EndpointPath = '/news/featured';
const featured = endpointIs(FEATURED);

/** Faults in §4.2. */
export const NEWS_FAULTS: readonly Fault[] = faultsOf({
  'news-language-ignored': {
    title: 'News is always English',
    kills: ['4.2/language'],
    hooks: ignoring('language', news),
  },
  'news-japanese-title-english': {
    title: 'Titles stay English when `language` is ja',
    kills: ['4.2/language'],
    needsData: true,
    hooks: onItems(inOther('en', 'title'), inLanguage('ja')),
  },
  'news-traditional-as-simplified': {
    title: 'News requested in Traditional Chinese is in Simplified Chinese',
    kills: ['4.2/language'],
    hooks: setting('language', 'zh', all(news, inLanguage('tc'))),
  },
  'news-chinese-one-item-english': {
    title: 'One item in thirty on a Chinese page has its content in English',
    kills: ['4.2/language'],
    needsData: true,
    hooks: onItems(oneRowIn(30, inOther('en', 'content')), inLanguage('zh')),
  },
  'news-every-second-english': {
    title: 'Every second item on a page in another language keeps its English title',
    kills: ['4.2/language'],
    needsData: true,
    hooks: onItems(oneRowIn(2, inOther('en', 'title'))),
  },
  'news-every-second-quote-english': {
    title: 'Every second quote stays English in every language',
    kills: ['4.2/quote-language'],
    needsData: true,
    hooks: onItems(oneRowIn(2, quoteInEnglish)),
  },
  'news-two-titles-english': {
    title: 'The fourth and ninth items on a page keep their English titles in every language',
    kills: ['4.2/language'],
    needsData: true,
    hooks: onItems(itemsAt([3, 8], inOther('en', 'title'))),
  },
  'news-one-content-english': {
    title: 'The content of the fourth item on a Russian page stays English',
    kills: ['4.2/language'],
    profile: 'full',
    needsData: true,
    hooks: onItems(itemsAt([3], inOther('en', 'content')), inLanguage('ru')),
  },
  'news-default-french-page-2': {
    title: 'The second page of news without `language` is in French',
    kills: ['4.2/language-default'],
    hooks: setting('language', 'fr', all(news, notAsked('language'), onPage(2))),
  },
  'news-french-ids': {
    title: 'French news has different ids',
    kills: ['4.2/languages-share-ids'],
    profile: 'full',
    hooks: onItems(otherId, inLanguage('fr')),
  },
  'news-japanese-item-replaced': {
    title: 'The second item on a Japanese page differs from the one in English',
    kills: ['4.2/languages-share-ids'],
    hooks: onItems(itemsAt([1], otherId), inLanguage('ja')),
  },
  'news-unknown-language-crash': {
    title: 'An unknown language causes an internal error',
    kills: ['4.2/language-unknown'],
    profile: 'full',
    hooks: crashing(all(news, unlistedLanguage)),
  },
  'news-unknown-language-404': {
    title: 'An unknown language is refused as not found',
    kills: ['4.2/language-unknown'],
    profile: 'full',
    hooks: notFoundWhen(all(news, unlistedLanguage), 'language'),
  },
  'news-category-ignored': {
    title: 'The category filter is ignored',
    kills: ['4.2/category-filter'],
    hooks: ignoring('category', all(news, not(unlistedCategory))),
  },
  'news-category-empty': {
    title: 'A category filter returns nothing',
    kills: ['4.2/category-filter'],
    hooks: onMembers(all(news, asked('category'), notAsked('currency_id')), () => ({
      list: [],
      total: 0,
    })),
  },
  'news-unknown-category-404': {
    title: 'An unknown category is refused as not found',
    kills: ['4.2/category-unknown'],
    profile: 'full',
    hooks: notFoundWhen(all(news, unlistedCategory), 'category'),
  },
  'news-project-ignored-in-other-languages': {
    title: 'project_id is ignored in languages other than English',
    kills: ['4.2/languages-share-ids'],
    profile: 'full',
    hooks: ignoring('project_id', all(news, asked('language'), not(inLanguage('en')))),
  },
  'featured-category-5-accepted': {
    title: 'Featured news accepts category 5, although other unlisted categories are refused',
    kills: ['4.2/category-unknown'],
    profile: 'full',
    hooks: ignoring('category', all(endpointIs('/news/featured'), asked('category', '5'))),
  },
  'news-currency-one-stranger': {
    title: 'One item in nineteen does not match the requested currency',
    kills: ['4.2/currency-filter'],
    hooks: onItems(oneRowIn(19, put('/matched_currencies', [])), asked('currency_id')),
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
  'featured-partial-content': {
    title: 'Featured news is returned with status 206',
    kills: ['4.2/featured'],
    hooks: onSuccess(featured, (answer) => ({ ...answer, status: 206 })),
  },
  'featured-page-code': {
    title: 'Featured news without `page` is refused as an invalid value',
    kills: ['4.2/featured-page-required'],
    hooks: onError(
      'missingParameter',
      { code: ERRORS.invalidValue.code },
      all(featured, notAsked('page')),
    ),
  },
  'featured-page-zero': {
    title: 'Page 0 of featured news is returned instead of refused',
    kills: ['4.2/featured-page-minimum'],
    hooks: showingPage('1', all(featured, asked('page', '0'))),
  },
  'featured-no-maximum': {
    title: 'A featured page_size above 100 is used unchanged',
    kills: ['4.2/featured-page-size-max'],
    hooks: withoutMaximum(FEATURED, 'page_size'),
  },
  'featured-page-short-100': {
    title: 'A page of 100 featured news items lacks its last item',
    kills: ['4.2/featured-page-full'],
    hooks: onRows(all(featured, asked('page_size', '100')), (rows) => rows.slice(0, -1)),
  },
  'featured-page-2-refused': {
    title: 'The second page of featured news is not found',
    kills: ['4.2/featured-pages-differ'],
    hooks: refusing(all(featured, afterPage(1))),
  },
  'featured-like-count-one-row': {
    title: 'One featured item in nineteen has like_count',
    kills: ['4.2/featured-excluded-fields'],
    hooks: onRecord(
      'featured-news-item',
      oneRowIn(19, (record) => ({ ...record, like_count: 3 })),
    ),
  },
  'featured-first-category-only': {
    title: 'Only the first of several categories is used',
    kills: ['4.2/featured-category-list'],
    hooks: onQuery(all(featured, asked('category')), (query) =>
      query.set('category', query.get('category')?.split(',', 1)[0] ?? ''),
    ),
  },
  'featured-category-list-refused': {
    title: 'Several categories are refused',
    kills: ['4.2/featured-category-list'],
    hooks: setting(
      'category',
      '0',
      all(featured, ({ query }) => query.get('category')?.includes(',') === true),
    ),
  },
});
