import type { Language } from '../contract/values.ts';
import { isoTime, moment } from '../text/moment.ts';
import { isJudgeable } from './context.ts';
import { show } from './judgement.ts';
import { askedLanguage, idOf, newsItems, releaseTimeOf, type NewsItem } from './news-items.ts';
import { judgeAll, judgeEach, type OwnJudgement } from './own-rule.ts';
import { place } from './transport.ts';
import { isLinkOrEmpty } from './urls.ts';
import { isObject, type View } from './view.ts';

/** §2.7: an id names one news item of an answer. */
const idUnique = judgeEach((view, context, it) => {
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
        message: `Two news of ${place(view)} have the same id`,
        expected: `${show(id)} once, at ${first}`,
        actual: `${show(id)} at ${item.pointer} as well`,
        pointer: `${item.pointer}/id`,
      });
      return;
    }
  }
});

const COUNTS = ['impression_count', 'like_count', 'reply_count', 'repost_count'] as const;

/** §2.7: engagement counts, of the item and of the post that it quotes, count something. */
const countsNonNegative = judgeEach((view, context, it) => {
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
    message: `${negative.length} engagement counts of ${place(view)} are below zero`,
    expected: 'a count of 0 or more',
    actual: String(first.value),
    pointer: first.pointer,
  });
});

/** So much may the clock that stamps news be ahead of the one that is known, ms. */
const FUTURE_TOLERANCE_MS = 10 * 60_000;

/** §2.7: what is published was released before. Judged by the target's own clock. */
const releaseNotFuture = judgeEach((view, context, it) => {
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
    message: `${late.length} news of ${place(view)} are released in the future`,
    expected: `a release_time up to ${isoTime(now)}`,
    actual: moment(first.time),
    pointer: `${first.pointer}/release_time`,
  });
});

const URL_FIELDS = ['source_link', 'original_link', 'author_avatar_url', 'feature_image'] as const;

/** §2.7: links and images can be followed. An empty string stands for none. */
const urls = judgeEach((view, context, it) => {
  if (!isJudgeable(view, context)) return;
  const bad: { pointer: string; value: string }[] = [];
  for (const { pointer, value } of newsItems(view)) {
    for (const name of URL_FIELDS) {
      const link = value[name];
      if (typeof link !== 'string') continue;
      it.judged(view);
      if (!isLinkOrEmpty(link.trim())) bad.push({ pointer: `${pointer}/${name}`, value: link });
    }
  }
  const [first] = bad;
  if (first === undefined) return;
  it.found(view, {
    message: `${bad.length} links or images of ${place(view)} are no http(s) URLs`,
    expected: 'an http(s) URL, or an empty string',
    actual: show(first.value),
    pointer: first.pointer,
  });
});

/** Letters that an English sentence does not have. */
const FOREIGN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Cyrillic}\p{Script=Hangul}]/u;

/**
 * §2.7: the description of the author is English whatever is asked for, so it is the same in each language. One author
 * may edit it between two requests: that alone is no finding.
 */
const authorDescriptionLanguage = judgeAll((views, context, it) => {
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
    if (asked !== undefined && asked !== 'en') compareAuthors(view, asked, english, it);
  }
});

function compareAuthors(
  view: View,
  asked: Language,
  english: ReadonlyMap<string, string>,
  it: OwnJudgement,
): void {
  const authors = new Set<string>();
  let first: { item: NewsItem; text: string; other: string } | undefined;
  let foreign = false;
  for (const item of newsItems(view)) {
    const { author_description: text, author } = item.value;
    const other = english.get(idOf(item) ?? '');
    if (typeof text !== 'string' || other === undefined) continue;
    it.judged(view);
    if (text === other) continue;
    authors.add(String(author));
    const translation = FOREIGN.test(text) && !FOREIGN.test(other);
    if (first === undefined || (translation && !foreign)) first = { item, text, other };
    foreign ||= translation;
  }
  if (first === undefined || (authors.size < 2 && !foreign)) return;
  it.found(view, {
    message: `author_description of ${authors.size} authors of ${place(view)} changes with language=${asked}`,
    expected: `${show(first.other)}, as in English`,
    actual: show(first.text),
    pointer: `${first.item.pointer}/author_description`,
  });
}

/** How news items are judged, for §2.7. */
export const NEWS = {
  idUnique,
  countsNonNegative,
  releaseNotFuture,
  urls,
  authorDescriptionLanguage,
};
