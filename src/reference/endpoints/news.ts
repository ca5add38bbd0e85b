import { textOf } from '../json.ts';
import { FEATURED_EXCLUDED_FIELDS, LANGUAGES } from '../../spec/values.ts';
import type { Language } from '../../spec/values.ts';
import { askedRange } from '../ranges.ts';
import type { Json, JsonObject, NewsRecord } from '../world.ts';
import { paged } from './call.ts';
import type { Call, Handler } from './call.ts';

/** News with all filters of §4.2, in display order. */
const news: Handler = (call) => {
  const range = askedRange(call, 'time', 'news');
  const categories = call.query.numbers('category');
  const currencyId = call.query.text('currency_id');
  const projectId = call.query.text('project_id');
  const found = call.world
    .news(call.now)
    .filter(
      (item) =>
        (range === undefined || (item.releaseTime >= range.from && item.releaseTime <= range.to)) &&
        (categories === undefined || categories.includes(item.category)) &&
        (currencyId === undefined || item.currencyIds.includes(currencyId)) &&
        (projectId === undefined || item.projectIds.includes(projectId)),
    );
  return newsPage(call, found);
};

const featuredNews: Handler = (call) => {
  const categories = call.query.numbers('category');
  const found = call.world
    .featuredNews(call.now)
    .filter((item) => categories === undefined || categories.includes(item.category));
  return newsPage(call, found, withoutExcluded);
};

/** News whose title, or the name of a currency they match, holds the keyword in any case; all news for an empty one. */
const newsSearch: Handler = (call) => {
  const keyword = (call.query.text('keyword') ?? '').toLowerCase();
  const language = languageOf(call);
  const found = call.world.news(call.now);
  return newsPage(
    call,
    found.filter((item) => searchText(item.item(language)).includes(keyword)),
  );
};

/** An item in one language is large, so only those of the page are written out. */
function newsPage(
  call: Call,
  found: readonly NewsRecord[],
  shape: (item: JsonObject) => JsonObject = (item) => item,
): Json {
  const language = languageOf(call);
  const { list, ...envelope } = paged(call, found, (record) => shape(record.item(language)));
  return { ...envelope, list };
}

function languageOf(call: Call): Language {
  const asked = call.query.text('language');
  return LANGUAGES.find((language) => language === asked) ?? LANGUAGES[0];
}

function withoutExcluded(item: JsonObject): JsonObject {
  const excluded: readonly string[] = FEATURED_EXCLUDED_FIELDS;
  return Object.fromEntries(Object.entries(item).filter(([name]) => !excluded.includes(name)));
}

function searchText(item: JsonObject): string {
  const matched = item['matched_currencies'];
  return `${textOf(item['title'])} ${JSON.stringify(matched ?? [])}`.toLowerCase();
}

/** Which handler answers which endpoint. */
export const NEWS = {
  '/news': news,
  '/news/featured': featuredNews,
  '/news/hot': (call) => newsPage(call, call.world.hotNews(call.now)),
  '/news/search': newsSearch,
} as const satisfies Readonly<Record<string, Handler>>;
