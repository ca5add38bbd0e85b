import { DAY } from '../../spec/time.ts';
import { bounded } from '../data/memo.ts';
import { isObject, textOf } from '../json.ts';
import type { Language } from '../../spec/values.ts';
import type { Json, JsonObject, NewsRecord, World } from '../world.ts';
import { data, dimension, type Choice, type Dimension } from './dimension.ts';

/** Changes what every item of news says; `place` tells items apart. */
function items(
  change: (item: JsonObject, language: Language, place: number) => JsonObject,
): Choice {
  return data((world) => {
    const known = bounded<NewsRecord, NewsRecord>(6000);
    const changed = (record: NewsRecord): NewsRecord =>
      known.get(record, () => ({
        ...record,
        item: (language) => change(record.item(language), language, record.releaseTime),
      }));
    return onLists(world, (list) => list.map(changed));
  });
}

function onLists(
  world: World,
  change: (list: readonly NewsRecord[], now: number) => readonly NewsRecord[],
): Pick<World, 'news' | 'featuredNews' | 'hotNews'> {
  return {
    news: (now) => change(world.news(now), now),
    featuredNews: (now) => change(world.featuredNews(now), now),
    hotNews: (now) => change(world.hotNews(now), now),
  };
}

const kept = (keeps: (record: NewsRecord) => boolean): Choice =>
  data((world) => onLists(world, (list) => list.filter(keeps)));

const isSocial = (record: NewsRecord): boolean => record.item('en')['quote_info'] !== null;

/** The first sentence of the body, as one paragraph. */
function brief(html: string): string {
  const text = html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return `<p>${/^.*?[.!?。！？](?=\s|$|[^\s\d])/u.exec(text)?.[0] ?? text.slice(0, 80)}</p>`;
}

const inQuote = (item: JsonObject, change: (quote: JsonObject) => JsonObject): JsonObject => {
  const quote = item['quote_info'];
  return isObject(quote) ? { ...item, quote_info: change(quote) } : item;
};

const withoutMedia = (item: JsonObject): JsonObject => ({
  ...inQuote(item, (quote) => ({ ...quote, media_info: [] })),
  media_info: [],
});

/** Releases as they would be stamped had the newest one come `ageMs` ago. */
const aged = (ageMs: number): Choice =>
  data((world) => ({
    news: (now) => world.news(now).filter(({ releaseTime }) => releaseTime < now - ageMs),
    featuredNews: (now) =>
      world.featuredNews(now).filter(({ releaseTime }) => releaseTime < now - ageMs),
  }));

const RTL = '\u200Fبيتكوين يصعد';

/** Mixtures of news (§2.7, §4.2). */
export const NEWS_DIMENSIONS: readonly Dimension[] = [
  dimension('categories-of-news', 'all', {
    'news-only': kept(({ category }) => category === 1),
    'insights-only': kept(({ category }) => category === 4),
    'no-stock-news': kept(({ category }) => category !== 13),
    'no-official-news': kept(({ category }) => category !== 7 && category !== 2),
    'hardly-any-research': kept(
      ({ category, releaseTime }) => category !== 2 || releaseTime % 97 === 0,
    ),
  }),
  dimension('kinds-of-news', 'mixed', {
    'no-posts': kept((record) => !isSocial(record)),
    'posts-only': kept(isSocial),
    'few-posts': kept((record) => !isSocial(record) || record.releaseTime % 29 === 0),
    'about-no-currency': kept(({ currencyIds }) => currencyIds.length === 0),
    'about-no-project': kept(({ projectIds }) => projectIds.length === 0),
  }),
  dimension('age-of-news', 'fresh', {
    'two-days-ago': aged(2 * DAY),
    'nine-days-ago': aged(9 * DAY),
  }),
  dimension('texts-of-news', 'long', {
    brief: items((item) => ({ ...item, content: brief(textOf(item['content'])) })),
    'titles-of-two-words': items((item) => ({
      ...item,
      title: textOf(item['title']).split(/\s+/).slice(0, 2).join(' ').slice(0, 14),
    })),
    'short-quotes': items((item) =>
      inQuote(item, (quote) => ({
        ...quote,
        content:
          textOf(quote['content'])
            .split(/(?<=[.!?。！？,，、])/u)[0]
            ?.trim() ?? '',
      })),
    ),
    'quotes-of-a-ticker': items((item, _language, place) =>
      place % 3 === 0 ? inQuote(item, (quote) => ({ ...quote, content: '$BTC 🚀🚀' })) : item,
    ),
    'empty-quotes': items((item, _language, place) =>
      place % 2 === 0 ? inQuote(item, (quote) => ({ ...quote, content: '' })) : item,
    ),
    'empty-content': items((item, _language, place) =>
      place % 4 === 0 ? { ...item, content: '' } : item,
    ),
    'emoji-and-names': items((item) => ({
      ...item,
      title: `🚨 ${textOf(item['title'])} 📈🔥`,
      nick_name: '𝓑𝓲𝓽𝓬𝓸𝓲𝓷 🐋',
      tags: ['🔥', 'Döner', 'ETF'],
    })),
    'right-to-left-names': items((item) => ({ ...item, nick_name: RTL, author: 'علي_btc' })),
    'control-characters': items((item, _language, place) =>
      place % 5 === 0 ? { ...item, title: `${textOf(item['title'])}\u0007\u2028` } : item,
    ),
  }),
  dimension('html-of-news', 'tidy', {
    'source-in-picture': items((item) => ({
      ...item,
      content: `${textOf(item['content'])}<picture><source srcset="https://cdn.example.com/a.webp" type="image/webp"><img src="https://cdn.example.com/a.jpg"></picture>`,
    })),
    'bare-less-than': items((item) => ({
      ...item,
      content: `${textOf(item['content'])}<p>x<y && 5 < 7</p>`,
    })),
    comments: items((item) => ({ ...item, content: `<!-- 12 -->${textOf(item['content'])}<br/>` })),
    unclosed: items((item) => ({
      ...item,
      content: textOf(item['content']).replaceAll('</p>', '').replaceAll('</li>', ''),
    })),
    entities: items((item) => ({
      ...item,
      content: `${textOf(item['content'])}<p>&nbsp;&#8212; &copy; &lt;script&gt;</p>`,
    })),
    'attributes-with-markup': items((item) => ({
      ...item,
      content: `${textOf(item['content'])}<img alt="a<b>c" title='<svg>' src="https://cdn.example.com/c.png">`,
    })),
  }),
  dimension('media-of-news', 'some', {
    none: items(withoutMedia),
    'without-original-address': items((item) => ({
      ...item,
      media_info: asList(item['media_info']).map((one) =>
        isObject(one) ? { ...one, original_url: '' } : one,
      ),
    })),
  }),
  dimension('authors-of-news', 'known', {
    blank: items((item) => ({
      ...item,
      author: '',
      author_description: '',
      author_avatar_url: '',
      nick_name: '',
      is_blue_verified: null,
      verified_type: '',
      tags: [],
      ...('impression_count' in item
        ? { impression_count: 0, like_count: 0, reply_count: 0, repost_count: 0 }
        : {}),
    })),
  }),
  dimension('stamps-of-news', 'exact', {
    // The newsroom's clock is a little ahead of the service's.
    'three-seconds-ahead': data((world) => {
      const known = bounded<NewsRecord, NewsRecord>(6000);
      const ahead = (record: NewsRecord): NewsRecord =>
        known.get(record, () => ({
          ...record,
          releaseTime: record.releaseTime + 3000,
          item: (language) => ({
            ...record.item(language),
            release_time: record.releaseTime + 3000,
          }),
        }));
      return onLists(world, (list) => list.map(ahead));
    }),
    'whole-minutes': data((world) => {
      const known = bounded<NewsRecord, NewsRecord>(6000);
      const cut = (time: number): number => time - (time % 60_000);
      const rounded = (record: NewsRecord): NewsRecord =>
        known.get(record, () => ({
          ...record,
          releaseTime: cut(record.releaseTime),
          item: (language) => ({ ...record.item(language), release_time: cut(record.releaseTime) }),
        }));
      return onLists(world, (list) => list.map(rounded));
    }),
  }),
];

const asList = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : [];
