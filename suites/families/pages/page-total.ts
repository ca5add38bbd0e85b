// §2.5, §2.7: `total` counts the items of the list, so it is the same on every page.
import {
  DEEP_PAGE,
  FEW_MORE,
  LEAP_SHARE,
  MOVING_LIST_MS,
  NEW_EACH,
  SAME_MINUTES_MS,
} from '../../numbers.ts';
import { judgeAll, type Judge, type OwnJudgement } from '../../../src/judge/judge.ts';
import {
  PAGE_PARAMETERS,
  pageInUse,
  pageOf,
  sizeInUse,
  type Page,
  type PagedFacts,
} from '../../../src/judge/pages.ts';
import type { View } from '../../../src/judge/view.ts';
import { counted, requestsBetween, sameList } from '../../../src/judge/relations.ts';

/** Compares the total of each page with its content and with the totals of other pages. */
export const oneTotal = (pages: PagedFacts): Judge =>
  judgeAll((views, context, it) => {
    for (const group of sameList(views, pages.endpoint, PAGE_PARAMETERS, context)) {
      const shown = group.flatMap((view) => pageOf(pages, view) ?? []);
      // A total that one page lists in full is right, whatever the last of several pages lacks, unless that is all.
      const whole = shown.filter((page) => isWhole(pages, page)).map(({ total }) => total);
      for (const page of shown)
        if (page.rows === 0 || !whole.includes(page.total)) judgeCount(pages, page, it);
      judgeSameTotal(shown, it);
    }
  });

/** True for a first page with room for more items than its total, and as many as that. */
const isWhole = (pages: PagedFacts, page: Page): boolean =>
  page.rows === page.total &&
  pageInUse(pages, page) === 1 &&
  page.rows < (sizeInUse(pages, page) ?? 0);

/** A page and those before it never hold more than total; up to the last page they hold exactly that. */
function judgeCount(pages: PagedFacts, page: Page, it: OwnJudgement): void {
  const { view, rows, total: value } = page;
  const number = pageInUse(pages, page);
  const perPage = sizeInUse(pages, page);
  if (value === undefined || number === undefined || perPage === undefined) return;
  if (rows > perPage || (page.size === rows && rows !== perPage && value > rows)) return;
  const before = (number - 1) * perPage;
  const seen = before + rows;
  // `full` judges a short page that is not the last; a page beyond the end says nothing about the total.
  if (value >= number * perPage || (rows === 0 && value <= before) || before > DEEP_PAGE) return;
  it.expect(view, value === seen, () => ({
    kind: 'total-of-items',
    expected: `${rows === 0 ? `at most ${before}` : seen}: ${counted(rows, pages.item)} on the last page, number ${number}`,
    actual: `total: ${value}`,
    pointer: `${view.root}/total`,
  }));
}

/** How much a total may change by itself: a little at once, more over time. */
const drift = (of: number, ms: number): number => Math.max(3, of / 100) + ms / 20_000;

type Counted = Page & { readonly total: number };

const apart = (a: Page, b: Page): number => Math.abs(a.view.now - b.view.now);

const agreeOn = (a: Counted, b: Counted): boolean =>
  Math.abs(a.total - b.total) <= drift(a.total, apart(a, b));

/**
 * Compares each total with the one before it. Lists change between requests, for example when an exchange is delisted,
 * so a difference counts only if it is large or if a later answer has the old total again.
 */
function judgeSameTotal(shown: readonly Page[], it: OwnJudgement): void {
  const known = shown.filter((page): page is Counted => page.total !== undefined && page.rows > 0);
  for (const [index, page] of known.entries()) {
    const { view, total } = page;
    const before = known.slice(0, index).findLast((other) => isOtherPage(page, other));
    if (before === undefined) continue;
    const agrees = agreeOn(before, page);
    const change = Math.abs(before.total - total);
    const mayGrow = total > before.total && !isPast(view, before.view);
    const news = mayGrow ? NEW_EACH * requestsBetween(before.view, view) : 0;
    const most = Math.max(FEW_MORE, LEAP_SHARE * Math.max(before.total, total), news);
    const leaps = apart(before, page) <= MOVING_LIST_MS && change > most;
    // After hours, any total may recur.
    const recurs = known.slice(index + 1).some(
      (after) =>
        after.view.now - before.view.now <= SAME_MINUTES_MS &&
        agreeOn(before, after) &&
        // Steady growth would eventually account for the change.
        2 * Math.abs(after.total - before.total) < change,
    );
    if (!agrees && !leaps && !recurs) continue;
    it.expect(view, agrees, () => ({
      kind: 'total-changes',
      expected: `total: ${before.total}, as in ${before.view.exchange.id}`,
      against: [before.view],
      actual: `total: ${total}`,
      pointer: `${view.root}/total`,
    }));
  }
}

/** Whether the range of a request had ended before another one: what arrives later is not part of it. */
function isPast({ query }: View, { now }: View): boolean {
  const end = Number(query.get('end_time') ?? Number.NaN);
  return end > 0 && end < now;
}

/** Whether two answers show different pages or page sizes. */
function isOtherPage({ view: a }: Page, { view: b }: Page): boolean {
  return PAGE_PARAMETERS.some((name) => a.query.get(name) !== b.query.get(name));
}
