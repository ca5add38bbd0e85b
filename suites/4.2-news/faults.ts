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
} from '../../src/reference/vocabulary.ts';
import type { Json, JsonObject } from '../../src/reference/world.ts';

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

/** Faults in languages and filters of `GET /news` (§4.2). */
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
});
