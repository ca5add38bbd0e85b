import { DAY } from '../../spec/time.ts';
import { NEWS_CATEGORY_IDS } from '../../spec/values.ts';
import type { Context } from '../hooks.ts';
import { isObject, textOf } from '../json.ts';
import { edit, endpointIs, onBody, onQuery, onRecord } from '../vocabulary.ts';
import type { NewsRecord } from '../world.ts';
import type { Variant } from './variant.ts';

const news = endpointIs('/news', '/news/featured');

const unlisted = ({ query }: Context): boolean =>
  query
    .get('category')
    ?.split(',')
    .some((part) => !NEWS_CATEGORY_IDS.some((id) => String(id) === part)) === true;

/** Pins one item of the day to the top. */
function pinned(list: readonly NewsRecord[]): readonly NewsRecord[] {
  const chosen = list[7];
  return chosen === undefined ? list : [chosen, ...list.filter((item) => item !== chosen)];
}

/** Text of HTML without tags and entities. */
const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:amp|quot|lt|gt);/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Other forms that news may have (§2.7, §4.2). */
export const NEWS_VARIANTS: readonly Variant[] = [
  {
    id: 'news-pinned',
    title: 'One news item is pinned to the top of the list',
    section: '4.2',
    question: 'display order of news',
    hooks: {
      world: (world) => ({
        news: (now) => pinned(world.news(now)),
        featuredNews: (now) => pinned(world.featuredNews(now)),
      }),
    },
  },
  {
    id: 'news-oldest-first',
    title: 'News is sorted oldest first',
    section: '4.2',
    question: 'display order of news',
    hooks: {
      world: (world) => ({
        // Items beyond the window must not be pinned.
        news: (now) =>
          world
            .news(now)
            .filter(({ releaseTime }) => releaseTime > now - 6 * DAY)
            .toReversed(),
      }),
    },
  },
  {
    id: 'news-plain-text',
    title: 'The content of news is plain text without tags',
    section: '2.7',
    question: 'markup of news',
    hooks: onRecord(
      ['news-item', 'featured-news-item'],
      edit('/content', (value) => plain(textOf(value))),
    ),
  },
  {
    id: 'news-loose-markup',
    title:
      'Content has pictures with several sources, and comparison signs and placeholders between tags',
    section: '2.7',
    question: 'markup of news',
    hooks: onRecord(
      ['news-item', 'featured-news-item'],
      edit(
        '/content',
        (value) =>
          `${textOf(value)}<picture><source srcset="a.webp"><img src="a.png"/></picture><p>x<y <amount></p>`,
      ),
    ),
  },
  {
    id: 'news-upper-case-tags',
    title: 'Tags in the content of news are in upper case, with attributes',
    section: '2.7',
    question: 'markup of news',
    hooks: onRecord(
      ['news-item', 'featured-news-item'],
      edit('/content', (value) =>
        textOf(value).replaceAll(/<(\/?)(p|ul|li|div)>/g, (_, slash: string, tag: string) =>
          slash === '' ? `<${tag.toUpperCase()} CLASS=text>` : `</${tag.toUpperCase()}>`,
        ),
      ),
    ),
  },
  {
    id: 'news-without-links',
    title: 'News has no original link and no images: the strings are empty',
    section: '2.7',
    question: 'links of news',
    hooks: onRecord(
      ['news-item', 'featured-news-item'],
      (record) => ({
        ...record,
        ...('original_link' in record ? { original_link: '' } : {}),
        author_avatar_url: '',
        feature_image: '',
      }),
      news,
    ),
  },
  {
    id: 'news-terse-titles',
    title: 'Some news titles are only a name or a figure, the same in every language',
    section: '4.2',
    question: 'titles of news',
    hooks: onRecord(['news-item', 'featured-news-item'], (record, _context, index) =>
      index % 3 === 0 ? { ...record, title: 'Bitcoin Cash Foundation Exchange BTC/USDT' } : record,
    ),
  },
  {
    id: 'category-unknown-empty',
    title: 'An unknown category returns an empty list',
    section: '4.2',
    question: 'unknown category',
    hooks: [
      onQuery(unlisted, (query) => query.delete('category')),
      onBody(unlisted, (value) => (isObject(value) ? { ...value, list: [], total: 0 } : value)),
    ],
  },
];
