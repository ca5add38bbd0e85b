import type { Hooks } from '../conduct/hooks.ts';

import { isList, isObject, type Json, type JsonObject } from '../core/json.ts';

import type { Defect } from './defect.ts';
import {
  each,
  FEATURED,
  field,
  good,
  mild,
  NEWS,
  one,
  plain,
  recordsOf,
  rows,
  subtle,
  said,
} from './tools.ts'; /** Fields that every item has, and another value for each. */
const FIELDS: readonly (readonly [
  name: string,
  what: string,
  value: (was: Json) => Json | undefined,
])[] = [
  ['id', 'a number', (was) => Number(was)],
  ['source_link', 'null', () => null],
  ['original_link', 'left out', () => undefined],
  ['release_time', 'in seconds', (was) => Math.floor(Number(was) / 1000)],
  ['release_time', 'a text', String],
  ['title', 'null', () => null],
  ['content', 'left out', () => undefined],
  ['author', 'an object', (was) => ({ name: was })],
  ['author_description', 'left out', () => undefined],
  ['author_avatar_url', 'null', () => null],
  ['impression_count', 'a text', String],
  ['like_count', 'left out', () => undefined],
  ['reply_count', 'null', () => null],
  ['repost_count', 'a fraction', () => 1.5],
  ['category', 'a text', String],
  ['feature_image', 'left out', () => undefined],
  ['nick_name', 'null', () => null],
  ['is_blue_verified', 'a boolean', (was) => was === 1],
  ['is_blue_verified', '2', () => 2],
  ['verified_type', 'left out', () => undefined],
  ['matched_currencies', 'null', () => null],
  [
    'matched_currencies',
    'a list of texts',
    (was) =>
      isList(was) ? was.map((entry) => (isObject(entry) ? (entry['name'] ?? '') : '')) : was,
  ],
  ['tags', 'one text', () => 'markets,etf'],
  ['tags', 'null', () => null],
  ['media_info', 'null', () => null],
  ['quote_info', 'left out', () => undefined],
  ['quote_info', 'an empty object', (was) => (was === null ? {} : was)],
];

function inside(name: string, change: (entry: JsonObject) => void): Hooks {
  return each(NEWS, (record) => {
    const value = record[name];
    if (isList(value)) value.filter(isObject).forEach(change);
    else if (isObject(value)) change(value);
  });
}

/** Defects of the fields of news. */
export const NEWS_FIELDS: readonly Defect[] = [
  ...FIELDS.map(([name, what, value]) =>
    plain(
      `news-${name.replaceAll('_', '-')}-${what.replaceAll(' ', '-')}`,
      `${name} of news is ${what}.`,
      field(NEWS, name, value),
    ),
  ),
  subtle(
    'featured-original-link',
    'Featured news have original_link.',
    each(FEATURED, (record) => {
      record['original_link'] = 'https://paper.example.net/1';
    }),
  ),
  subtle(
    'featured-like-count',
    'One featured item has like_count.',
    one(FEATURED, -1, (record) => {
      record['like_count'] = 4;
    }),
  ),
  plain(
    'featured-title-missing',
    'Featured news have no title.',
    field(FEATURED, 'title', () => undefined),
  ),
  plain(
    'media-type',
    'Attachments are of type image.',
    inside('media_info', (entry) => {
      entry['type'] = 'image';
    }),
  ),
  plain(
    'media-short-url',
    'Attachments lack short_url.',
    inside('media_info', (entry) => delete entry['short_url']),
  ),
  plain(
    'matched-full-name',
    'Matched currencies lack full_name.',
    inside('matched_currencies', (entry) => delete entry['full_name']),
  ),
  plain(
    'matched-id-number',
    'Ids of matched currencies are numbers.',
    inside('matched_currencies', (entry) => {
      entry['id'] = Number(entry['id']);
    }),
  ),
  plain(
    'quote-created-seconds',
    'created_at of quotes is in seconds.',
    inside('quote_info', (entry) => {
      entry['created_at'] = Math.floor(Number(entry['created_at']) / 1000);
    }),
  ),
  plain(
    'quote-nick-name',
    'Quotes lack nick_name.',
    inside('quote_info', (entry) => delete entry['nick_name']),
  ),
  plain(
    'quote-likes-text',
    'like_count of quotes is a text.',
    inside('quote_info', (entry) => {
      entry['like_count'] = said(entry['like_count']);
    }),
  ),
  plain(
    'quote-media-null',
    'media_info of quotes is null.',
    inside('quote_info', (entry) => {
      entry['media_info'] = null;
    }),
  ),
  subtle(
    'news-html-script',
    'One content holds a script.',
    one(NEWS, 3, (record) => {
      record['content'] = '<p>Hello</p><script>track()</script>';
    }),
  ),
  subtle(
    'news-html-table',
    'Contents hold tables.',
    each(NEWS, (record, index) => {
      if (index % 5 === 2) record['content'] = '<table><tr><td>1</td></tr></table>';
    }),
  ),
  subtle(
    'news-id-twice',
    'Two items of a page share an id.',
    rows(NEWS, (list) => {
      const [first, second, ...rest] = list;
      return isObject(first) && isObject(second)
        ? [first, { ...second, id: first['id'] }, ...rest]
        : list;
    }),
  ),
  subtle(
    'news-oldest-title',
    'The last item of a page has no title.',
    one(NEWS, -1, (record) => delete record['title']),
  ),
  mild(
    'news-future',
    'The newest item is released tomorrow.',
    one(NEWS, 0, (record, call) => {
      record['release_time'] = call.now + 86_400_000;
    }),
  ),
  plain(
    'news-flat',
    'GET /news has items instead of list.',
    good(NEWS, (body) =>
      isObject(body) ? { items: recordsOf(body), page: 1, page_size: 20, total: 240 } : undefined,
    ),
  ),
];
