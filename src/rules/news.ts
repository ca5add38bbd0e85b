import { isJudgeable } from './context.ts';
import { show, type Judgement, type Rule } from './judgement.ts';
import { matchedNames } from './matched-names.ts';
import { categoryFilter, featuredCategoryList } from './news-categories.ts';
import { emptied } from './news-emptied.ts';
import { firstPage } from './news-first-page.ts';
import { currencyFilter, projectFilter } from './news-filters.ts';
import { htmlTags } from './news-html.ts';
import { idOf, newsItems, releaseTimeOf, type NewsItem } from './news-items.ts';
import { languageRules } from './news-language.ts';
import { listedRefused, newsRefusals } from './news-refusals.ts';
import { sharedIds } from './news-shared-ids.ts';
import { place } from './transport.ts';
import { isLinkOrEmpty } from './urls.ts';
import { isObject, type View } from './view.ts';
import { isoTime, moment } from '../text/moment.ts';
import { criteria } from './criterion.ts';

/** What this file decides. */
export const NEWS = criteria('idUnique', 'countsNonNegative', 'releaseNotFuture', 'urls', 'order');

/** §2.7: an id names one news item of an answer. */
const idUnique: Rule = {
  name: 'news-id-unique',
  judges: [NEWS.idUnique],
  each(view, context, into) {
    const items = newsItems(view);
    if (items.length < 2 || !isJudgeable(view, context)) return;
    const seen = new Map<string, string>();
    for (const item of items) {
      const id = idOf(item);
      if (id === undefined) continue;
      into.judged(NEWS.idUnique, view);
      const first = seen.get(id);
      if (first === undefined) seen.set(id, item.pointer);
      else {
        into.found(NEWS.idUnique, view, {
          message: `Two news of ${place(view)} have the same id`,
          expected: `${show(id)} once, at ${first}`,
          actual: `${show(id)} at ${item.pointer} as well`,
          pointer: `${item.pointer}/id`,
        });
        return;
      }
    }
  },
};

const COUNTS = ['impression_count', 'like_count', 'reply_count', 'repost_count'] as const;

/** §2.7: engagement counts, of the item and of the post that it quotes, count something. */
const counts: Rule = {
  name: 'news-counts',
  judges: [NEWS.countsNonNegative],
  each(view, context, into) {
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
          into.judged(NEWS.countsNonNegative, view);
          if (count < 0) negative.push({ pointer: `${at}/${name}`, value: count });
        }
      }
    }
    const [first] = negative;
    if (first === undefined) return;
    into.found(NEWS.countsNonNegative, view, {
      message: `${negative.length} engagement counts of ${place(view)} are below zero`,
      expected: 'a count of 0 or more',
      actual: String(first.value),
      pointer: first.pointer,
    });
  },
};

/** So much may the clock that stamps news be ahead of the one that is known, ms. */
const FUTURE_TOLERANCE_MS = 10 * 60_000;

/** §2.7: what is published was released before. Judged by the target's own clock. */
const releaseNotFuture: Rule = {
  name: 'news-release-not-future',
  judges: [NEWS.releaseNotFuture],
  each(view, context, into) {
    if (!isJudgeable(view, context)) return;
    const date = Date.parse(view.response.headers['date'] ?? '');
    const now = Math.max(view.now, Number.isNaN(date) ? 0 : date);
    const late = newsItems(view).flatMap((item) => {
      const time = releaseTimeOf(item);
      if (time === undefined) return [];
      into.judged(NEWS.releaseNotFuture, view);
      return time > now + FUTURE_TOLERANCE_MS ? [{ pointer: item.pointer, time }] : [];
    });
    const [first] = late;
    if (first === undefined) return;
    into.found(NEWS.releaseNotFuture, view, {
      message: `${late.length} news of ${place(view)} are released in the future`,
      expected: `a release_time up to ${isoTime(now)}`,
      actual: moment(first.time),
      pointer: `${first.pointer}/release_time`,
    });
  },
};

const URL_FIELDS = ['source_link', 'original_link', 'author_avatar_url', 'feature_image'] as const;

/** §2.7: links and images can be followed. An empty string stands for none. */
const urls: Rule = {
  name: 'news-urls',
  judges: [NEWS.urls],
  each(view, context, into) {
    if (!isJudgeable(view, context)) return;
    const bad: { pointer: string; value: string }[] = [];
    for (const { pointer, value } of newsItems(view)) {
      for (const name of URL_FIELDS) {
        const link = value[name];
        if (typeof link !== 'string') continue;
        into.judged(NEWS.urls, view);
        if (!isLinkOrEmpty(link.trim())) bad.push({ pointer: `${pointer}/${name}`, value: link });
      }
    }
    const [first] = bad;
    if (first === undefined) return;
    into.found(NEWS.urls, view, {
      message: `${bad.length} links or images of ${place(view)} are no http(s) URLs`,
      expected: 'an http(s) URL, or an empty string',
      actual: show(first.value),
      pointer: first.pointer,
    });
  },
};

/** §4.2 rule 2: the display order is the platform's own, so it is only recorded. */
const order: Rule = {
  name: 'news-order',
  judges: [NEWS.order],
  each(view, context, into) {
    if (view.resource !== 'news-item' || !isJudgeable(view, context)) return;
    readOrder(view, newsItems(view), into);
  },
};

function readOrder(view: View, items: readonly NewsItem[], into: Judgement): void {
  const times = items.flatMap((item) => releaseTimeOf(item) ?? []);
  if (new Set(times).size < 3) return;
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const answer = steps.every((step) => step <= 0)
    ? 'newest first'
    : steps.every((step) => step >= 0)
      ? 'oldest first'
      : 'not by release_time';
  into.read('Order of news', answer, view, NEWS.order);
}

/** Rules of §4.2 and §2.7 that no other endpoint shares. */
export const NEWS_RULES: readonly Rule[] = [
  idUnique,
  htmlTags,
  counts,
  releaseNotFuture,
  urls,
  order,
  categoryFilter,
  featuredCategoryList,
  emptied,
  currencyFilter,
  projectFilter,
  newsRefusals,
  listedRefused,
  sharedIds,
  firstPage,
  matchedNames,
  ...languageRules,
];
