import type { Hooks } from '../../src/reference/hooks.ts';
import { isObject, textOf } from '../../src/reference/json.ts';
import {
  all,
  asked,
  edit,
  editOneIn,
  endpointIs,
  firstRow,
  inLanguage,
  oneRowIn,
  onRecord,
  onRows,
  put,
  type Condition,
  type RecordChange,
} from '../../src/reference/vocabulary.ts';
import type { Json } from '../../src/reference/world.ts';
import { faultsOf, type Fault } from '../../src/reference/faults/fault.ts';

const swapped = (one: Json): Json =>
  isObject(one) ? { ...one, full_name: one['name'] ?? '', name: one['full_name'] ?? '' } : one;
const onItems = (change: RecordChange, when?: Condition): Hooks =>
  onRecord('news-item', change, when);
/** Repeats the first item at the end. */
const repeating = (when: Condition): Hooks =>
  onRows(when, (rows) => (rows.length > 1 ? [...rows.slice(0, -1), rows[0] ?? null] : rows));

/** Faults in the meaning of news fields (§2.7) that affect only some answers or rows. */
export const NEWS_ITEM_FAULTS: readonly Fault[] = faultsOf({
  'news-id-twice': {
    title: 'A page of news repeats its first item at the end',
    kills: ['2.7/id-unique'],
    hooks: repeating(endpointIs('/news')),
  },
  'news-script-tag': {
    title: 'One news item in nineteen has an iframe in its content',
    kills: ['2.7/html-tags'],
    hooks: onItems(
      editOneIn(19, '/content', (value) => `${textOf(value)}<iframe src="about:blank"></iframe>`),
    ),
  },
  'news-negative-likes': {
    title: 'The like count of the first news item is negative',
    kills: ['2.7/counts-non-negative'],
    hooks: onItems(firstRow(put('/like_count', -1))),
  },
  'news-relative-link': {
    title: 'Links in news have no scheme',
    kills: ['2.7/urls'],
    hooks: onItems(put('/source_link', '//news.example/item')),
  },
  'news-author-translated': {
    title: 'The author description is translated to Japanese',
    kills: ['2.7/author-description-language'],
    hooks: onItems(put('/author_description', '暗号資産の記者'), inLanguage('ja')),
  },
  'news-category-unlisted': {
    title: 'One news item in nineteen has category 5',
    kills: ['2.7/category'],
    hooks: onItems(oneRowIn(19, put('/category', 5))),
  },
  'news-matched-null': {
    title: 'matched_currencies is null if no currency matches',
    kills: ['2.7/matched-currencies'],
    hooks: onItems(
      edit('/matched_currencies', (value) =>
        Array.isArray(value) && value.length === 0 ? null : value,
      ),
    ),
  },
  'news-id-twice-in-100': {
    title: 'A page of 100 news items repeats its first item at the end',
    kills: ['2.7/id-unique'],
    hooks: repeating(all(endpointIs('/news'), asked('page_size', '100'))),
  },
  'featured-content-table': {
    title: 'One featured item in seven has a table row in its content',
    kills: ['2.7/html-tags'],
    hooks: onRecord(
      'featured-news-item',
      editOneIn(7, '/content', (value) => `${textOf(value)}<tr></tr>`),
    ),
  },
  'news-content-script-chinese': {
    title: 'One item in fifty on a Chinese page has a script in its content',
    kills: ['2.7/html-tags'],
    hooks: onItems(
      editOneIn(50, '/content', (value) => `<SCRIPT>1</SCRIPT>${textOf(value)}`),
      inLanguage('zh'),
    ),
  },
  'news-quote-negative-views': {
    title: 'View counts on quoted posts are negative',
    kills: ['2.7/counts-non-negative'],
    hooks: onItems(put('/quote_info/impression_count', -1)),
  },
  'featured-from-tomorrow': {
    title: 'The first featured item is released an hour from now',
    kills: ['2.7/release-not-future'],
    hooks: onRecord(
      'featured-news-item',
      firstRow((record, { now }) => ({ ...record, release_time: now + 3_600_000 })),
    ),
  },
  'news-matched-names-swapped': {
    title: 'Matched currencies have the symbol in `full_name` and the full name in `name`',
    kills: ['2.7/matched-names'],
    hooks: onItems(edit('/matched_currencies/*', swapped)),
  },
  'news-matched-name-bitcoin': {
    title: 'News about Bitcoin has the full name in `name`, too',
    kills: ['2.7/matched-names'],
    hooks: onItems(
      edit('/matched_currencies/*', (one) =>
        isObject(one) && one['name'] === 'BTC' ? { ...one, name: one['full_name'] ?? '' } : one,
      ),
    ),
  },
  'news-cover-scheme': {
    title: 'One cover image in nineteen has a `data:` URL',
    kills: ['2.7/urls'],
    hooks: onItems(oneRowIn(19, put('/feature_image', 'data:image/png;base64,'))),
  },
});
