import { DAY } from '../../spec/time.ts';
import { NEWS_CATEGORY_IDS } from '../../spec/values.ts';
import { bounded } from '../data/memo.ts';
import { isObject, textOf } from '../json.ts';
import type { Context } from '../hooks.ts';
import { endpointIs, ignoring, onBody, onField, onQuery, onRecord } from '../vocabulary.ts';
import type { JsonObject, NewsRecord } from '../world.ts';
import { data, dimension, newsLists, variant, type Choice, type Dimension } from './choice.ts';

/** Changes records of news, each once. */
const records = (change: (record: NewsRecord) => NewsRecord): Choice =>
  data((world) => {
    const known = bounded<NewsRecord>(6000);
    return newsLists(world, (list) => list.map((one) => known(one, () => change(one))));
  });

/** Changes what every item of news says; `index` tells items apart. */
const items = (change: (item: JsonObject, index: number) => JsonObject): Choice =>
  records((record) => ({
    ...record,
    item: (language) => change(record.item(language), record.releaseTime),
  }));

/** Changes when news were released. */
const stamped = (change: (time: number) => number): Choice =>
  records((record) => {
    const releaseTime = change(record.releaseTime);
    return {
      ...record,
      releaseTime,
      item: (language) => ({ ...record.item(language), release_time: releaseTime }),
    };
  });

/** Changes what the bodies of news are. */
const bodies = (change: (html: string) => string): Choice =>
  items((item) => ({ ...item, content: change(textOf(item['content'])) }));

/** Text of HTML without tags. */
const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

const inQuote = (item: JsonObject, change: (quote: JsonObject) => JsonObject): JsonObject => {
  const quote = item['quote_info'];
  return isObject(quote) ? { ...item, quote_info: change(quote) } : item;
};

/** Releases as they would be stamped had the newest one come `ageMs` ago. */
const aged = (ageMs: number): Choice =>
  data((world) =>
    newsLists(world, (list, now) => list.filter(({ releaseTime }) => releaseTime < now - ageMs), [
      'news',
      'featuredNews',
    ]),
  );

const RESOURCES = ['news-item', 'featured-news-item'] as const;

/** Changes the content as it is sent. */
const content = (change: (html: string) => string): Choice =>
  onField(RESOURCES, '/content', (html) => change(textOf(html)));

/** Pins one item of the day to the top. */
function pinned(list: readonly NewsRecord[]): readonly NewsRecord[] {
  const chosen = list[7];
  return chosen === undefined ? list : [chosen, ...list.filter((item) => item !== chosen)];
}

const unlisted = ({ query }: Context): boolean =>
  query
    .get('category')
    ?.split(',')
    .some((part) => !NEWS_CATEGORY_IDS.some((id) => String(id) === part)) === true;

/** Mixtures of news (§2.7, §4.2). */
export const NEWS: readonly Dimension[] = [
  dimension('age-of-news', 'fresh', {
    'two-days-ago': aged(2 * DAY),
    'nine-days-ago': aged(9 * DAY),
  }),
  dimension('texts-of-news', 'long', {
    'short-quotes': items((item) =>
      inQuote(item, (quote) => ({
        ...quote,
        content:
          textOf(quote['content'])
            .split(/(?<=[.!?。！？,，、])/u)[0]
            ?.trim() ?? '',
      })),
    ),
    'quotes-of-a-ticker': items((item, index) =>
      index % 3 === 0 ? inQuote(item, (quote) => ({ ...quote, content: '$BTC 🚀🚀' })) : item,
    ),
    'empty-quotes': items((item, index) =>
      index % 2 === 0 ? inQuote(item, (quote) => ({ ...quote, content: '' })) : item,
    ),
  }),
  dimension('markup-of-news', 'tidy', {
    'news-plain-text': variant(
      'The content of news is plain text without tags',
      content((html) => plain(html.replaceAll(/&(?:amp|quot|lt|gt);/g, ' '))),
    ),
    'news-loose-markup': variant(
      'Content has pictures with several sources, and comparison signs and placeholders between tags',
      content(
        (html) =>
          `${html}<picture><source srcset="a.webp"><img src="a.png"/></picture><p>x<y <amount></p>`,
      ),
    ),
    'news-upper-case-tags': variant(
      'Tags in the content of news are in upper case, with attributes',
      content((html) =>
        html.replaceAll(/<(\/?)(p|ul|li|div)>/g, (_, slash: string, tag: string) =>
          slash === '' ? `<${tag.toUpperCase()} CLASS=text>` : `</${tag.toUpperCase()}>`,
        ),
      ),
    ),
    comments: bodies((html) => `<!-- 12 -->${html}<br/>`),
    unclosed: bodies((html) => html.replaceAll('</p>', '').replaceAll('</li>', '')),
    entities: bodies((html) => `${html}<p>&nbsp;&#8212; &copy; &lt;script&gt;</p>`),
    'attributes-with-markup': bodies(
      (html) => `${html}<img alt="a<b>c" title='<svg>' src="https://cdn.example.com/c.png">`,
    ),
  }),
  dimension('links-of-news', 'all', {
    'news-without-links': variant(
      'News has no original link and no images: the strings are empty',
      onRecord(
        RESOURCES,
        (record) => ({
          ...record,
          ...('original_link' in record ? { original_link: '' } : {}),
          author_avatar_url: '',
          feature_image: '',
        }),
        endpointIs('/news', '/news/featured'),
      ),
    ),
  }),
  dimension('titles-of-news', 'telling', {
    'news-terse-titles': variant(
      'Some news titles are only a name or a figure, the same in every language',
      onRecord(RESOURCES, (record, _context, index) =>
        index % 3 === 0
          ? { ...record, title: 'Bitcoin Cash Foundation Exchange BTC/USDT' }
          : record,
      ),
    ),
  }),
  dimension('display-order-of-news', 'newest-first', {
    'news-pinned': variant('One news item is pinned to the top of the list', {
      world: (world) => newsLists(world, pinned, ['news', 'featuredNews']),
    }),
    'news-oldest-first': variant('News is sorted oldest first', {
      world: (world) => ({
        // Items beyond the window must not be pinned.
        news: (now) =>
          world
            .news(now)
            .filter(({ releaseTime }) => releaseTime > now - 6 * DAY)
            .toReversed(),
      }),
    }),
  }),
  dimension('unknown-category', 'refused', {
    'category-fallback': variant('An unknown category is ignored', ignoring('category', unlisted)),
    'category-unknown-empty': variant('An unknown category returns an empty list', {
      ...onQuery(unlisted, (query) => query.delete('category')),
      ...onBody(unlisted, (value) => (isObject(value) ? { ...value, list: [], total: 0 } : value)),
    }),
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
    'three-seconds-ahead': stamped((time) => time + 3000),
    'whole-minutes': stamped((time) => time - (time % 60_000)),
  }),
];
