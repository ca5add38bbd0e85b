import { isJudgeable, type Context } from '../../src/judge/context.ts';
import { show } from '../../src/judge/judgement.ts';
import { askedLanguage, idOf, newsItems, type NewsItem } from '../../src/judge/news-items.ts';
import { judgeAll, judgeEach } from '../../src/judge/judge.ts';
import { objectsOf, valuesAt } from '../../src/judge/values-at.ts';
import { isObject, type View } from '../../src/judge/view.ts';
import {
  judgeValues,
  everyValue,
  isLinkOrEmpty,
  isNumber,
  isText,
  NON_NEGATIVE,
  URLS,
} from './judge.ts';
import { FUTURE_TOLERANCE_MS } from '../numbers.ts';
import { check, part } from '../../src/ask/index.ts';
import { bothLists, withCurrencyInfo, largest, plainAndLargest } from '../4.2-news/requests.ts';
import { NEWS_HTML_TAGS } from '../../src/spec/values.ts';
import { about, must, should } from '../../src/requirements/definition.ts';
import { markupOf } from '../../src/judge/text/html.ts';
import { isoTime, readableTime } from '../../src/text/time.ts';
import { fieldsOf } from '../families/field.ts';

// §2.7 author_description: always English.

/**
 * The description does not depend on the language. An author may edit it between two requests, so a single differing
 * author is not a finding.
 */
const sameInEachLanguage = judgeAll((views, context, it) => {
  const judgeable = views.filter((view) => isJudgeable(view, context));
  const english = new Map<string, string>();
  for (const view of judgeable) {
    if (askedLanguage(view) !== 'en') continue;
    for (const item of newsItems(view)) {
      const { author_description: text } = item.value;
      const id = idOf(item);
      if (id !== undefined && typeof text === 'string') english.set(id, text);
    }
  }
  for (const view of judgeable) {
    const asked = askedLanguage(view);
    if (asked === undefined || asked === 'en') continue;
    const differing: { item: NewsItem; text: string; other: string }[] = [];
    for (const item of newsItems(view)) {
      const { author_description: text } = item.value;
      const other = english.get(idOf(item) ?? '');
      if (typeof text !== 'string' || other === undefined) continue;
      it.judged(view);
      if (text !== other) differing.push({ item, text, other });
    }
    const authors = new Set(differing.map(({ item }) => String(item.value['author'])));
    const [first] = differing;
    if (first === undefined || authors.size < 2) continue;
    it.found(view, {
      kind: 'author-text-differs',
      facts: { authors: authors.size, language: asked },
      expected: `${show(first.other)}, as in English`,
      actual: show(first.text),
      pointer: `${first.item.pointer}/author_description`,
    });
  }
});

// §2.7 matched_currencies: names of matched currencies.

/** Ruling 22: `full_name` is the name in currency info (§2.1), `name` the symbol. Other spellings are not judged. */
const matchedNames = judgeAll((views, context, it) => {
  const known = knownCurrencies(views, context);
  for (const view of known.size === 0 ? [] : views) {
    const matched = isJudgeable(view, context)
      ? newsItems(view).flatMap((item) => valuesAt(item, '/matched_currencies/*'))
      : [];
    judgeValues(
      view,
      matched.filter(({ value }) => isObject(value) && known.has(String(value['id']))),
      {
        kind: 'name-for-symbol',
        expected: 'name: the symbol of currency info; full_name: its name',
        holds: (value) => !isObject(value) || !isSwapped(value, known),
        actual: ({ value }) =>
          isObject(value)
            ? `name ${show(value['name'])}, full_name ${show(value['full_name'])}`
            : show(value),
      },
      it,
    );
  }
});

const upper = (value: unknown): string =>
  typeof value === 'string' ? value.trim().toUpperCase() : '';

/** Name and symbol of currencies by id, in upper case, from currency info (§2.1), if both are present and differ. */
const knownCurrencies = (views: readonly View[], context: Context) =>
  new Map(
    views
      .flatMap((view) => objectsOf(view, context, 'currency-info'))
      .flatMap(({ value }) => {
        const [name, symbol] = [upper(value['name']), upper(value['symbol'])];
        const { currency_id: id } = value;
        const isTelling = typeof id === 'string' && name !== '' && symbol !== '' && name !== symbol;
        return isTelling ? [[id, { name, symbol }] as const] : [];
      }),
  );

/** Whether a name looks like a symbol, such as POL: it may be another or a former symbol of the currency. */
const couldBeSymbol = (name: unknown): boolean =>
  typeof name === 'string' && /^[A-Z0-9.$-]{1,10}$/.test(name.trim());

/**
 * Whether `name` of a matched currency is its full name. A `full_name` that equals the symbol proves nothing: some
 * currencies use XRP for both.
 */
function isSwapped(
  matched: Readonly<Record<string, unknown>>,
  known: ReturnType<typeof knownCurrencies>,
): boolean {
  const { name, symbol } = known.get(String(matched['id'])) ?? {};
  if (name === undefined || upper(matched['name']) !== name) return false;
  return upper(matched['full_name']) === symbol || !couldBeSymbol(matched['name']);
}

// §2.7: news items, including featured ones.

const IN_BOTH_LISTS = check(bothLists);

/** Engagement counts of an item and of the post it quotes. */
const COUNTS = ['', '/quote_info'].flatMap((at) =>
  ['impression_count', 'like_count', 'reply_count', 'repost_count'].map((name) => `${at}/${name}`),
);

const LINKS = ['/source_link', '/original_link', '/author_avatar_url', '/feature_image'];

const NEWS = ['news-item', 'featured-news-item'] as const;

export const NEWS_ITEMS = {
  ...fieldsOf('news-item', 'featured-news-item'),
  ...about(['/news', '/news/featured'], {
    '2.7/id-unique': must({
      title: 'News ids are unique within a response',
      clauses: ['2.7 id'],
      why: 'Clients use the id as a list key; a duplicate overwrites or hides an item.',
      usually: [
        'An item is listed once for each of its categories or currencies.',
        'Pinned items are added to the front but not removed from the list.',
      ],
      checks: [IN_BOTH_LISTS],
      judge: judgeEach((view, context, it) => {
        const items = newsItems(view);
        if (items.length < 2 || !isJudgeable(view, context)) return;
        const ids = items.flatMap((item) => {
          const id = idOf(item);
          return id === undefined ? [] : [{ id, pointer: item.pointer }];
        });
        const first = new Map(ids.toReversed().map(({ id, pointer }) => [id, pointer]));
        const twice = ids.filter(({ id, pointer }) => first.get(id) !== pointer);
        if (ids.length === 0) return;
        it.none(view, twice, ({ id, pointer }) => ({
          kind: 'id-twice',
          expected: `${show(id)} once, at ${first.get(id)}`,
          actual: `${show(id)} at ${pointer} as well`,
          pointer: `${pointer}/id`,
        }));
      }),
    }),
    '2.7/html-tags': must({
      title: 'Content contains only the HTML tags listed in the specification',
      clauses: ['2.7 html tags', '2.7 content'],
      why: 'Clients expect only the listed tags: others are shown as text, dropped, or used for attacks.',
      usually: [
        'Content from another site is passed through with its tables, frames or scripts.',
        'The list of allowed tags in the service is longer than the specified list.',
      ],
      checks: [IN_BOTH_LISTS, part('holds for 100 news items', largest)],
      // Scripts are attacks; the rest is only unexpected.
      judge: [true, false].map((scripts) =>
        everyValue(NEWS, ['/content'], isText, {
          kind: scripts ? 'script-tags' : 'unlisted-tags',
          facts: (items, total) => ({ items, total }),
          expected: `only ${NEWS_HTML_TAGS.join(', ')}`,
          holds: (content) => {
            const tags = unlistedTags(content);
            return tags.length === 0 || tags.includes('script') !== scripts;
          },
          actual: ({ value }, failed) => {
            const [tag] = unlistedTags(value);
            const all = [...new Set(failed.flatMap((one) => unlistedTags(one.value)))];
            return `<${scripts ? 'script' : tag}>${all.length > 1 ? `, in all ${all.slice(0, 8).join(', ')}` : ''}`;
          },
        }),
      ),
    }),
    '2.7/counts-non-negative': should({
      title: 'Engagement counts are not negative',
      clauses: ['2.7 impression_count, like_count, reply_count, repost_count'],
      ...NON_NEGATIVE,
      checks: [IN_BOTH_LISTS],
      judge: everyValue(NEWS, COUNTS, isNumber, {
        kind: 'negative-counts',
        facts: (counts) => ({ counts }),
        expected: 'a count of 0 or more',
        holds: (count) => Number(count) >= 0,
      }),
    }),
    '2.7/release-not-future': should({
      title: 'No news item has a release time in the future',
      clauses: ['2.7 release_time'],
      rulings: [22],
      why: 'News dated in the future stays at the top for hours.',
      usually: ['Local time is stored as UTC.', 'Scheduled items are published early.'],
      checks: [IN_BOTH_LISTS],
      // Judged by the target's clock.
      judge: judgeEach((view, context, it) => {
        if (!isJudgeable(view, context)) return;
        const date = Date.parse(view.response.headers['date'] ?? '');
        const now = Math.max(view.now, Number.isNaN(date) ? 0 : date);
        judgeValues(
          view,
          newsItems(view)
            .flatMap((item) => valuesAt(item, '/release_time'))
            .filter(({ value }) => isNumber(value)),
          {
            kind: 'released-in-future',
            facts: (items, total) => ({ items, total }),
            expected: `a release_time up to ${isoTime(now)}`,
            holds: (time) => Number(time) <= now + FUTURE_TOLERANCE_MS,
            actual: ({ value }) => readableTime(Number(value)),
          },
          it,
        );
      }),
    }),
    '2.7/urls': should({
      title: 'Links and images in news are http(s) URLs or empty',
      clauses: [
        '2.7 source_link',
        '2.7 original_link',
        '2.7 author_avatar_url',
        '2.7 feature_image',
      ],
      ...URLS,
      checks: [IN_BOTH_LISTS],
      judge: everyValue(NEWS, LINKS, isText, {
        kind: 'links-not-urls',
        facts: (links) => ({ links }),
        expected: 'an http(s) URL, or an empty string',
        holds: (link) => isLinkOrEmpty(String(link).trim()),
      }),
    }),
    '2.7/author-description-language': should({
      title: 'The author description is the same English text in every language',
      clauses: ['2.7 author_description'],
      rulings: [22],
      why: 'The specification promises the description in English.',
      usually: ['The description is translated with the rest of the item.'],
      checks: [check(plainAndLargest)],
      judge: sameInEachLanguage,
    }),
    '2.7/matched-names': should({
      title: 'A matched currency has its full name in `full_name` and its symbol in `name`',
      clauses: ['2.7 matched_currencies', '2.1 name', '2.1 symbol'],
      rulings: [22],
      needs: ['currencyIds'],
      shownBy: 'news about a currency, and the info of that currency',
      hinderedBy: ['2.1/name', '2.1/symbol', '2.7/matched-currencies'],
      why: 'Clients look up prices by the symbol in `name`.',
      usually: [
        '`name` is copied from the field with the same name in currency info.',
        'The two fields are swapped.',
      ],
      checks: [check(withCurrencyInfo)],
      judge: matchedNames,
    }),
  }),
};

const ALLOWED: ReadonlySet<string> = new Set(NEWS_HTML_TAGS);

/** Tags of the content that §2.7 does not list. `source` is allowed as part of a `picture`. */
function unlistedTags(content: unknown): readonly string[] {
  const { tags } = markupOf(String(content));
  const inPicture = tags.includes('picture');
  return tags.filter((tag) => !ALLOWED.has(tag) && !(inPicture && tag === 'source'));
}
