/** News (§2.7). */
import { FEATURED_EXCLUDED_FIELDS, MEDIA_TYPES } from '../values.ts';
import {
  name,
  text,
  milliseconds,
  long,
  integer,
  category,
  mark,
  choice,
  shared,
  one,
  list,
  texts,
} from './value.ts';
import type { Resource, Resources } from './value.ts';

/** They share a row of the table. */
const COUNTS = { row: 'impression_count, like_count, reply_count, repost_count' };

const MATCHED_CURRENCY = shared(
  'matchedCurrency',
  'Matched currency',
  'A currency that a news item is about (§2.7).',
  {
    id: name('Currency identifier.', '1673723677362319867'),
    full_name: text('Full name.', 'Bitcoin'),
    name: text('Symbol.', 'BTC'),
  },
);

const NEWS_MEDIA = shared(
  'newsMedia',
  'News attachment',
  'An attachment of a news item or of the post that it quotes (§2.7).',
  {
    platform_url: text('Address on the CDN of the service.', 'https://cdn.example/media/1.jpg'),
    original_url: text('Address at the source; may be empty.', ''),
    short_url: text('Short address.', 'https://s.example/1'),
    type: choice(MEDIA_TYPES, 'Kind of the attachment.', 'photo'),
  },
);

const NEWS_QUOTE = shared(
  'newsQuote',
  'Quoted post',
  'The post that a news item quotes; null when the item does not come from a social network (§2.7).',
  {
    content: text('Text in the requested language.', 'Fifth day in a row.'),
    impression_count: long('How often it was shown.', 900),
    like_count: long('Likes.', 30),
    reply_count: long('Replies.', 2),
    repost_count: long('Reposts.', 8),
    created_at: milliseconds('Time of the post, epoch milliseconds.', 1_767_222_000_000),
    media_info: list('Attachments of the post.', NEWS_MEDIA, { example: [] }),
    original_url: text('Address of the post.', 'https://social.example/post/8999'),
    author_avatar_url: text(
      'Address of the picture of the author.',
      'https://cdn.example/avatars/2.png',
    ),
    author: text('Handle of the author.', 'another_author'),
    nick_name: text('Display name of the author.', 'Another Author'),
    is_blue_verified: mark('Verified mark of the author.', 0),
    verified_type: text('Kind of the verified mark; Business is an enterprise.', ''),
  },
  { nullable: true },
);

/** §2.7. */
const NEWS_ITEM: Resource = {
  section: '2.7',
  title: 'News item',
  says: 'A record of GET /news (§2.7).',
  called: 'a news item',
  item: 'news item',
  identity: ['id'],
  fields: {
    id: name('Identifier of the item.', '9001'),
    source_link: text(
      'Address on the platform of the service.',
      'https://platform.example/news/9001',
    ),
    original_link: text('Address at the source.', 'https://social.example/post/9001'),
    release_time: milliseconds('Time of publication, epoch milliseconds.', 1_767_225_600_000),
    title: text('Title in the requested language.', 'ETF inflows continue'),
    content: text(
      'Body as HTML in the requested language.',
      '<p>Inflows continued for a fifth day.</p>',
    ),
    author: text('Handle of the author on the social network.', 'example_author'),
    author_description: text('About the author, in English.', 'Writes about markets.'),
    author_avatar_url: text(
      'Address of the picture of the author.',
      'https://cdn.example/avatars/1.png',
    ),
    impression_count: integer('How often it was shown.', 1200, COUNTS),
    like_count: integer('Likes.', 45, COUNTS),
    reply_count: integer('Replies.', 3, COUNTS),
    repost_count: integer('Reposts.', 12, COUNTS),
    category: category('Kind of the item.', 1),
    feature_image: text('Address of the cover image.', 'https://cdn.example/covers/9001.jpg'),
    nick_name: text('Display name on the social network.', 'Example Author'),
    is_blue_verified: mark('Verified mark of the author.', 1),
    verified_type: text(
      'Kind of the verified mark: Business is an enterprise with a gold badge, any other value a regular badge.',
      'Business',
    ),
    matched_currencies: list('Currencies that the item is about; may be empty.', MATCHED_CURRENCY, {
      is: 'an array (may be empty) of objects with id, full_name and name',
    }),
    tags: texts('Tags.', ['ETF']),
    media_info: list('Attachments.', NEWS_MEDIA, {
      is: 'an array of attachments: platform_url, original_url, short_url, type',
      also: ['2.7 media_info item'],
    }),
    quote_info: one(NEWS_QUOTE, 'Quoted post, or null.', {
      is: 'an object of the stated quote shape, or null',
      also: ['2.7 quote_info'],
    }),
  },
};

const isFeatured = (field: string): boolean =>
  !FEATURED_EXCLUDED_FIELDS.some((excluded) => excluded === field);

/** §4.2: a news item without some of its fields. */
const FEATURED_NEWS_ITEM: Resource = {
  ...NEWS_ITEM,
  title: 'Featured news item',
  says: 'A record of GET /news/featured: a news item (§2.7) without the five fields that featured news leaves out (§4.2). That they are absent is judged by a rule of its own, so that a schema error always means a wrong type or a missing field.',
  called: 'a featured news item',
  fields: Object.fromEntries(
    Object.entries(NEWS_ITEM.fields).filter(([field]) => isFeatured(field)),
  ),
};

export const NEWS = {
  'news-item': NEWS_ITEM,
  'featured-news-item': FEATURED_NEWS_ITEM,
} as const satisfies Resources;
