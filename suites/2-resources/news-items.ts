// §2.7: news items, including featured ones.
import { FUTURE_TOLERANCE_MS } from '../numbers.ts';
import { check, part } from '../../src/ask/index.ts';
import { bothLists } from '../4.2-news/featured-requests.ts';
import { withCurrencyInfo, largest, plainAndLargest } from '../4.2-news/requests.ts';
import { NEWS_HTML_TAGS } from '../../src/spec/values.ts';
import { about, must, should } from '../../src/requirements/definition.ts';
import { isJudgeable } from '../../src/judge/context.ts';
import { markupOf } from '../../src/judge/text/html.ts';
import { show } from '../../src/judge/judgement.ts';
import { idOf, newsItems, releaseTimeOf } from '../../src/judge/news-items.ts';
import { judgeEach } from '../../src/judge/judge.ts';
import { isObject } from '../../src/judge/view.ts';
import { isoTime, readableTime } from '../../src/text/time.ts';
import { fieldsOf } from '../families/field.ts';
import { NON_NEGATIVE, URLS } from './advice.ts';
import { sameInEachLanguage } from './author-descriptions.ts';
import { isLinkOrEmpty } from './judge.ts';
import { matchedNames } from './matched-names.ts';

const IN_BOTH_LISTS = check(bothLists);

/** Engagement counts of an item and of the post it quotes. */
const COUNTS = ['impression_count', 'like_count', 'reply_count', 'repost_count'] as const;

const LINKS = ['source_link', 'original_link', 'author_avatar_url', 'feature_image'] as const;

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
        const seen = new Map<string, string>();
        for (const item of items) {
          const id = idOf(item);
          if (id === undefined) continue;
          it.judged(view);
          const first = seen.get(id);
          if (first === undefined) seen.set(id, item.pointer);
          else {
            it.found(view, {
              kind: 'id-twice',
              expected: `${show(id)} once, at ${first}`,
              actual: `${show(id)} at ${item.pointer} as well`,
              pointer: `${item.pointer}/id`,
            });
            return;
          }
        }
      }),
    }),
    '2.7/html-tags': must({
      title: 'Content contains only the HTML tags listed in the specification',
      clauses: ['2.7 html tags', '2.7 content'],
      why: 'Clients allow only the listed tags: others are shown as text, dropped, or used for attacks.',
      usually: [
        'Content from another site is passed through with its tables, frames or scripts.',
        'A tag is allowed, but its attributes are not: see the finding.',
      ],
      checks: [IN_BOTH_LISTS, part('holds for 100 news', largest)],
      judge: judgeEach((view, context, it) => {
        if (!isJudgeable(view, context)) return;
        let first: { readonly pointer: string; readonly tag: string } | undefined;
        const others = new Set<string>();
        let items = 0;
        for (const { pointer, value } of newsItems(view)) {
          const { content } = value;
          if (typeof content !== 'string') continue;
          it.judged(view);
          const bad = unlistedTags(content);
          if (bad.length === 0) continue;
          items += 1;
          for (const tag of bad) others.add(tag);
          first ??= { pointer: `${pointer}/content`, tag: bad[0] ?? '' };
        }
        if (first === undefined) return;
        it.found(view, {
          kind: 'unlisted-tags',
          facts: { items },
          expected: `only ${NEWS_HTML_TAGS.join(', ')}`,
          actual: `<${first.tag}>${others.size > 1 ? `, in all ${[...others].slice(0, 8).join(', ')}` : ''}`,
          pointer: first.pointer,
        });
      }),
    }),
    '2.7/counts-non-negative': should({
      title: 'Engagement counts are not negative',
      clauses: ['2.7 impression_count, like_count, reply_count, repost_count'],
      ...NON_NEGATIVE,
      checks: [IN_BOTH_LISTS],
      judge: judgeEach((view, context, it) => {
        if (!isJudgeable(view, context)) return;
        const negative: { pointer: string; value: number }[] = [];
        for (const { pointer, value } of newsItems(view)) {
          const quote = value['quote_info'];
          const holders = [[pointer, value] as const];
          if (isObject(quote)) holders.push([`${pointer}/quote_info`, quote]);
          for (const [at, holder] of holders) {
            for (const name of COUNTS) {
              const count = holder[name];
              if (typeof count !== 'number') continue;
              it.judged(view);
              if (count < 0) negative.push({ pointer: `${at}/${name}`, value: count });
            }
          }
        }
        const [first] = negative;
        if (first === undefined) return;
        it.found(view, {
          kind: 'negative-counts',
          facts: { counts: negative.length },
          expected: 'a count of 0 or more',
          actual: String(first.value),
          pointer: first.pointer,
        });
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
        const late = newsItems(view).flatMap((item) => {
          const time = releaseTimeOf(item);
          if (time === undefined) return [];
          it.judged(view);
          return time > now + FUTURE_TOLERANCE_MS ? [{ pointer: item.pointer, time }] : [];
        });
        const [first] = late;
        if (first === undefined) return;
        it.found(view, {
          kind: 'released-in-future',
          facts: { items: late.length },
          expected: `a release_time up to ${isoTime(now)}`,
          actual: readableTime(first.time),
          pointer: `${first.pointer}/release_time`,
        });
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
      judge: judgeEach((view, context, it) => {
        if (!isJudgeable(view, context)) return;
        const bad: { pointer: string; value: string }[] = [];
        for (const { pointer, value } of newsItems(view)) {
          for (const name of LINKS) {
            const link = value[name];
            if (typeof link !== 'string') continue;
            it.judged(view);
            if (!isLinkOrEmpty(link.trim()))
              bad.push({ pointer: `${pointer}/${name}`, value: link });
          }
        }
        const [first] = bad;
        if (first === undefined) return;
        it.found(view, {
          kind: 'links-not-urls',
          facts: { links: bad.length },
          expected: 'an http(s) URL, or an empty string',
          actual: show(first.value),
          pointer: first.pointer,
        });
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
      shownBy: 'news about a currency, and its currency info',
      why: 'Clients look up prices by the symbol in `name`.',
      usually: [
        '`name` is copied from the field of that name in currency info.',
        'The two fields are swapped.',
      ],
      checks: [check(withCurrencyInfo)],
      judge: matchedNames,
    }),
  }),
};

const ALLOWED: ReadonlySet<string> = new Set(NEWS_HTML_TAGS);

/** Tags of the content that §2.7 does not list. `source` is allowed as part of a `picture`. */
function unlistedTags(content: string): readonly string[] {
  const { tags } = markupOf(content);
  const inPicture = tags.includes('picture');
  return tags.filter((tag) => !ALLOWED.has(tag) && !(inPicture && tag === 'source'));
}
