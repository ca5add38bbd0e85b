// The same news on a page in each language (§4.2 rule 1).
import { ENOUGH_NEWS, NEWS_DRIFT } from '../numbers.ts';
import { isJudgeable } from '../../src/judge/context.ts';
import { show } from '../../src/judge/judgement.ts';
import {
  askedLanguage,
  idOf,
  idsOf,
  isNewsList,
  newsItems,
  releaseTimeOf,
  seriesOf,
  type NewsItem,
} from '../../src/judge/news-items.ts';
import { judgeAll, type Judge, type OwnJudgement } from '../../src/judge/judge.ts';
import { totalOf, type View } from '../../src/judge/view.ts';
import { groupBy } from '../../src/text/group-by.ts';

interface LanguagePage {
  readonly view: View;
  readonly language: string;
  readonly ids: readonly string[];
  /** From the envelope; undefined if it has none. */
  readonly total: number | undefined;
}

/**
 * The language changes the texts of a page, but not its news. News keeps arriving during a run, so a difference counts
 * only if pages in another language before and after both have the missing item.
 */
export const sameNewsInEachLanguage: Judge = judgeAll((views, context, it) => {
  const pages = views.flatMap((view): LanguagePage[] => {
    const language = askedLanguage(view);
    if (view.resource !== 'news-item' || language === undefined) return [];
    const ids = idsOf(newsItems(view));
    if (ids.length === 0 || !isJudgeable(view, context)) return [];
    return [{ view, language, ids, total: totalOf(view) }];
  });
  for (const series of groupBy(pages, ({ view }) => seriesOf(view, ['language'])).values()) {
    for (const page of series) {
      const others = series.filter(
        (other) => other.language !== page.language && isOneList(page, other),
      );
      if (others.some((other) => agree(page, other))) {
        it.judged(page.view);
        continue;
      }
      const before = others.filter(
        ({ view }) => view.exchange.receivedAt <= page.view.exchange.sentAt,
      );
      const after = others.filter(
        ({ view }) => view.exchange.sentAt >= page.view.exchange.receivedAt,
      );
      for (const earlier of before) {
        const later = after.find(({ language }) => language === earlier.language);
        if (later !== undefined) judgeBetween(page, earlier, later, it);
      }
    }
  }
});

/**
 * News of a project in one language is news of it in another. Language by language, news that a complete list lacks
 * counts if the language had it before; some may be related by a text that only one language mentions.
 */
export const sameProjectInEachLanguage: Judge = judgeAll((views, context, it) => {
  const lists = views.filter(
    (view) => isNewsList(view) && askedLanguage(view) !== undefined && isJudgeable(view, context),
  );
  // When each item was first shown in a language.
  const known = new Map<string, number>();
  for (const view of lists) {
    const { receivedAt } = view.exchange;
    for (const key of newsItems(view).map((item) => keyOf(view, item)))
      known.set(key, Math.min(known.get(key) ?? Infinity, receivedAt));
  }
  const ofProject = lists.filter(({ query }) => (query.get('project_id') ?? '') !== '');
  const series = groupBy(ofProject, (view) => seriesOf(view, ['language', 'page', 'page_size']));
  for (const group of series.values()) {
    for (const whole of group.filter((view) => totalOf(view) === view.records.length)) {
      const own = new Set(newsItems(whole).map((item) => keyOf(whole, item)));
      for (const other of group.filter((view) => languageOf(view) !== languageOf(whole))) {
        const shared = newsItems(other).filter(
          (item) => (known.get(keyOf(whole, item)) ?? Infinity) <= whole.exchange.receivedAt,
        );
        const missing = shared.filter((item) => !own.has(keyOf(whole, item)));
        if (missing.length < ENOUGH_NEWS || missing.length <= shared.length / 2) continue;
        it.found(other, {
          kind: 'other-items-in-language',
          facts: { language: languageOf(other), other: languageOf(whole) },
          expected: `the ${whole.records.length} news items of ${whole.exchange.id}`,
          against: [whole],
          actual: `${missing.length} others, such as ${show(missing[0] && idOf(missing[0]))}`,
          pointer: `${other.root}/list`,
        });
      }
    }
  }
});

const languageOf = (view: View): string => String(askedLanguage(view));

/** An item in the language of a page. */
const keyOf = (view: View, item: NewsItem): string =>
  JSON.stringify([languageOf(view), idOf(item)]);

/** Different totals mean that the service has fewer news in one language, and that the lists differ. */
const isOneList = (a: LanguagePage, b: LanguagePage): boolean =>
  a.total === undefined || b.total === undefined || Math.abs(a.total - b.total) <= NEWS_DRIFT;

/**
 * Whether pages agree, apart from items that arrived at the top of the later one or left the end of the earlier one.
 */
function agree(a: LanguagePage, b: LanguagePage): boolean {
  const [earlier, later] = a.view.exchange.sentAt <= b.view.exchange.sentAt ? [a, b] : [b, a];
  const shown = new Set(later.ids);
  const known = new Set(earlier.ids);
  const kept = earlier.ids.filter((id) => shown.has(id));
  const head = later.ids.findIndex((id) => known.has(id));
  if (kept.length === 0 || head === -1) return false;
  return (
    kept.every((id, index) => earlier.ids[index] === id) &&
    later.ids.slice(head).every((id) => known.has(id)) &&
    earlier.ids.length - kept.length <= head
  );
}

/** Items on both neighbours in another language must be on the page in between. */
function judgeBetween(
  page: LanguagePage,
  earlier: LanguagePage,
  later: LanguagePage,
  it: OwnJudgement,
): void {
  it.judged(page.view);
  const own = new Set(page.ids);
  const still = new Set(later.ids);
  const newest = Math.max(...newsItems(page.view).map((item) => releaseTimeOf(item) ?? 0));
  // A slightly outdated page lacks the newest items, whatever its language.
  const missing = newsItems(earlier.view).filter((item) => {
    const id = idOf(item) ?? '';
    return still.has(id) && !own.has(id) && (releaseTimeOf(item) ?? 0) <= newest;
  });
  const [first] = missing;
  if (first === undefined) return;
  it.found(page.view, {
    kind: 'missing-in-language',
    facts: { missing: missing.length, from: earlier.language, language: page.language },
    expected: `news item ${show(idOf(first))} of ${earlier.view.exchange.id} and ${later.view.exchange.id}`,
    against: [earlier.view, later.view],
    actual: `missing among ${page.ids.length} news items`,
    pointer: `${page.view.root}/list`,
  });
}
