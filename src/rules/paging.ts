import type { RequirementId } from '../contract/requirements.ts';
import { isInvalidRequestStatus } from './expectation.ts';
import type { Judgement, Rule } from './judgement.ts';
import {
  PAGE_PARAMETERS,
  PAGED,
  pageInUse,
  pageOf,
  sizeInUse,
  type Page,
  type PagedFacts,
} from './pages.ts';
import { counted, sameList, wholeNumber } from './relations.ts';
import { place } from './transport.ts';
import type { View } from './view.ts';

/** Lists that move (news, rankings) are compared only when asked for within this time, ms. */
const NEAR_MS = 120_000;

/** A page with its place in the list: items `from` to `from + rows`. */
interface Placed extends Page {
  readonly number: number;
  readonly perPage: number;
  readonly from: number;
  readonly items: readonly string[];
}

/** The page as a piece of the list; undefined when its place or its items cannot be told. */
function placed(facts: PagedFacts, view: View): Placed | undefined {
  const page = pageOf(facts, view);
  if (page === undefined || page.items === undefined || page.rows === 0) return undefined;
  const number = pageInUse(page);
  const asked = sizeInUse(facts, page);
  if (number === undefined || asked === undefined) return undefined;
  // A service with pages of another size than asked for says so in the envelope.
  const perPage = page.size === page.rows && number === 1 ? page.rows : asked;
  return { ...page, items: page.items, number, perPage, from: (number - 1) * perPage };
}

const sameItems = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);

/** True when the totals say that the list grew or shrank a little in between: then nothing can be compared. */
function hasMoved(a: Page, b: Page): boolean {
  if (a.total === undefined || b.total === undefined || a.total === b.total) return false;
  return Math.abs(a.total - b.total) <= 5;
}

/** Ruling 22: pages 1 and 2 are parts of one list, so they make up one page of double size and share no item. */
const pagesJoin: Rule = {
  name: 'pages-join',
  requirements: PAGED.flatMap(({ ids }) => [ids.join, ids.differ].flatMap((id) => id ?? [])),
  all(views, context, into) {
    for (const facts of PAGED) {
      for (const group of sameList(views, facts.endpoint, PAGE_PARAMETERS, context)) {
        const pages = group.flatMap((view) => placed(facts, view) ?? []);
        for (const later of pages) {
          if (later.number < 2) continue;
          for (const first of pages) {
            if (first.number !== later.number - 1 || first.perPage !== later.perPage) continue;
            if (Math.abs(first.view.now - later.view.now) > NEAR_MS) continue;
            judgeOverlap(facts, first, later, pages, into);
            judgeJoin(facts, first, later, pages, into);
          }
        }
      }
    }
  },
};

/** Items of a page that the page before it showed already. */
function judgeOverlap(
  facts: PagedFacts,
  first: Placed,
  later: Placed,
  pages: readonly Placed[],
  into: Judgement,
): void {
  const requirement = facts.ids.differ ?? facts.ids.join;
  if (requirement === undefined || first.rows < first.perPage) return;
  if (facts.ids.differ !== undefined) into.judged(facts.ids.differ, later.view);
  const shown = new Set(first.items);
  const twice = later.items.findIndex((item) => shown.has(item));
  if (twice === -1 || movedDown(first, later, pages)) return;
  const number = later.items.filter((item) => shown.has(item)).length;
  into.found(requirement, later.view, {
    message: `Page ${later.number} of ${place(later.view)} repeats ${counted(number, facts.item)} of page ${first.number}`,
    expected: `other items than ${first.view.exchange.id} has`,
    actual: `${later.items[twice] ?? ''} on both pages`,
    pointer: later.view.records[twice]?.pointer ?? later.view.root,
  });
}

/**
 * True when new items at the head of the list may have pushed the last ones of a page to the next. Not so when the
 * first page is seen unchanged after the second one was asked for.
 */
function movedDown(first: Placed, later: Placed, pages: readonly Placed[]): boolean {
  const before = inOrderOfArrival(first, later);
  const unchanged = pages.some(
    (page) =>
      page !== first &&
      page.from <= first.from &&
      inOrderOfArrival(before ? later : first, page) &&
      page.view.now - later.view.now <= NEAR_MS &&
      covers(page, first) &&
      sameItems(partOf(page, first), first.items),
  );
  if (unchanged && before) return false;
  const tail = first.items.findIndex((item) => later.items.includes(item));
  const pushed = first.items.slice(tail);
  // What was pushed down stands at the head of the next page, in the same order, and is only a few.
  const head = later.items.slice(0, pushed.length);
  const few = pushed.length <= Math.max(2, Math.floor(first.perPage / 4));
  const swapped = later.items.filter((item) => first.items.includes(item)).length <= 2;
  return few && (sameItems(head, pushed) || swapped);
}

const inOrderOfArrival = (a: Page, b: Page): boolean =>
  a.view.exchange.sentAt <= b.view.exchange.sentAt && a.view.now <= b.view.now && a !== b;
const covers = (page: Placed, other: Placed): boolean =>
  page.from <= other.from && page.from + page.rows >= other.from + other.rows;
const partOf = (page: Placed, other: Placed): readonly string[] =>
  page.items.slice(other.from - page.from, other.from - page.from + other.rows);

/** Two pages next to each other against one that covers both. Judged only when nothing moved in between. */
function judgeJoin(
  facts: PagedFacts,
  first: Placed,
  later: Placed,
  pages: readonly Placed[],
  into: Judgement,
): void {
  const requirement = facts.ids.join;
  if (requirement === undefined) return;
  for (const double of pages) {
    if (double === first || double === later || double.from > first.from) continue;
    if (double.from + double.rows < later.from + later.rows || !covers(double, first)) continue;
    if (Math.abs(double.view.now - later.view.now) > NEAR_MS) continue;
    if (!liesBetween(later, first, double)) continue;
    if (hasMoved(first, double) || hasMoved(later, double)) continue;
    if (!sameItems(partOf(double, first), first.items)) continue;
    judgeAgainst(facts, requirement, later, double, into);
  }
}

/** True when `page` was asked for after one of the others and before the other one. */
function liesBetween(page: Page, a: Page, b: Page): boolean {
  return (
    (inOrderOfArrival(a, page) && inOrderOfArrival(page, b)) ||
    (inOrderOfArrival(b, page) && inOrderOfArrival(page, a))
  );
}

function judgeAgainst(
  facts: PagedFacts,
  requirement: RequirementId,
  later: Placed,
  double: Placed,
  into: Judgement,
): void {
  const expected = partOf(double, later);
  // Neighbours in a ranking may change places around the end of the page.
  const slack = facts.identityOf === PAGED[0]?.identityOf ? Math.max(2, later.perPage / 5) : 0;
  const end = later.from - double.from + later.rows;
  const beyond = new Set(double.items.slice(end, end + slack));
  const allowed = new Set(expected);
  const wrong = later.items.findIndex((item, index) =>
    slack === 0 ? item !== expected[index] : !allowed.has(item) && !beyond.has(item),
  );
  const own = new Set(later.items);
  const missing = expected.find((item, index) => !own.has(item) && index < expected.length - slack);
  const holds = wrong === -1 && missing === undefined;
  into.expect(requirement, later.view, holds, () => ({
    message: `Page ${later.number} of ${place(later.view)} is not the second part of the page of ${double.perPage}`,
    expected:
      wrong === -1
        ? `${missing} on it, as in ${double.view.exchange.id}`
        : `${expected[wrong] ?? 'nothing'}, as in ${double.view.exchange.id}`,
    actual: wrong === -1 ? 'it is on neither page' : (later.items[wrong] ?? ''),
    pointer:
      wrong === -1
        ? `${later.view.root}/list`
        : (later.view.records[wrong]?.pointer ?? later.view.root),
  }));
}

/** §2.5, §2.7: `total` counts the items of the list, so every page has the same. */
const total: Rule = {
  name: 'total',
  requirements: PAGED.flatMap(({ ids }) => ids.total ?? []),
  all(views, context, into) {
    for (const facts of PAGED) {
      const requirement = facts.ids.total;
      if (requirement === undefined) continue;
      for (const group of sameList(views, facts.endpoint, PAGE_PARAMETERS, context)) {
        const pages = group.flatMap((view) => pageOf(facts, view) ?? []);
        for (const page of pages) judgeCount(facts, requirement, page, into);
        judgeSameTotal(requirement, pages, into);
      }
    }
  },
};

/** A page and what is before it never hold more than total, and on the last page they hold exactly that. */
function judgeCount(
  facts: PagedFacts,
  requirement: RequirementId,
  page: Page,
  into: Judgement,
): void {
  const { view, rows, total: said } = page;
  const number = pageInUse(page);
  const perPage = sizeInUse(facts, page);
  if (said === undefined || number === undefined || perPage === undefined || rows === 0) return;
  if (rows > perPage || (page.size === rows && rows !== perPage && said > rows)) return;
  const seen = (number - 1) * perPage + rows;
  // A short page that claims more to come is one that is not full.
  if (said >= number * perPage) return;
  into.expect(requirement, view, said === seen, () => ({
    message: `total of ${place(view)} does not count the items`,
    expected: `${seen}: ${counted(rows, facts.item)} on the last page, number ${number}`,
    actual: `total: ${said}`,
    pointer: `${view.root}/total`,
  }));
}

/** How much a total may change by itself: a little at once, and more as time goes by. */
const drift = (of: number, ms: number): number => Math.max(3, of / 100) + ms / 20_000;

function judgeSameTotal(requirement: RequirementId, pages: readonly Page[], into: Judgement): void {
  const known = pages.flatMap((page) =>
    page.total === undefined || page.rows === 0 ? [] : [{ page, said: page.total }],
  );
  for (const [index, { page, said }] of known.entries()) {
    const { view } = page;
    const before = known.slice(0, index).findLast((other) => shownDifferently(page, other.page));
    if (before === undefined) continue;
    const tolerated = drift(before.said, Math.abs(before.page.view.now - view.now));
    into.expect(requirement, view, Math.abs(before.said - said) <= tolerated, () => ({
      message: `total of ${place(view)} differs from page to page`,
      expected: `total: ${before.said}, as in ${before.page.view.exchange.id}`,
      actual: `total: ${said}`,
      pointer: `${view.root}/total`,
    }));
  }
}

/** True for another page, or a page of another size, of the list. */
function shownDifferently({ view: a }: Page, { view: b }: Page): boolean {
  return PAGE_PARAMETERS.some((name) => a.query.get(name) !== b.query.get(name));
}

/** §4.2: without `page`, news is page 1. */
const pageDefault: Rule = {
  name: 'page-default',
  requirements: PAGED.flatMap(({ ids }) => ids.pageDefault ?? []),
  all(views, context, into) {
    for (const facts of PAGED) {
      const requirement = facts.ids.pageDefault;
      if (requirement === undefined) continue;
      for (const group of sameList(views, facts.endpoint, PAGE_PARAMETERS, context)) {
        const pages = group.flatMap((view) => placed(facts, view) ?? []);
        const explicit = pages.filter(({ askedPage }) => askedPage === 1);
        for (const page of pages) {
          if (!page.view.query.has('page')) judgeDefault(requirement, page, explicit, into);
        }
      }
    }
  },
};

function judgeDefault(
  requirement: RequirementId,
  page: Placed,
  explicit: readonly Placed[],
  into: Judgement,
): void {
  const { view } = page;
  if (page.page !== undefined && page.page !== 1) {
    into.found(requirement, view, {
      message: `${place(view)} without page says that it is another page than the first`,
      expected: 'page: 1',
      actual: `page: ${page.page}`,
      pointer: `${view.root}/page`,
    });
    return;
  }
  const near = explicit.find((other) => Math.abs(other.view.now - view.now) <= NEAR_MS);
  if (near === undefined) return;
  const length = Math.min(near.rows, page.rows);
  const head = new Set(near.items.slice(0, length));
  const shared = page.items.slice(0, length).filter((item) => head.has(item)).length;
  // New items may have come in between; a page of other items altogether is another page.
  into.expect(requirement, view, shared * 2 >= length, () => ({
    message: `${place(view)} without page has other items than page 1`,
    expected: `the items of ${near.view.exchange.id}`,
    actual: `${shared} of ${length} are the same`,
    pointer: `${view.root}/list`,
  }));
}

/** §4.1: what comes after the last page is left open. */
const beyondLast: Rule = {
  name: 'beyond-last',
  requirements: ['4.1/pairs-beyond-last'],
  all(views, context, into) {
    const [pairs] = PAGED;
    if (pairs === undefined) return;
    for (const group of sameList(views, pairs.endpoint, PAGE_PARAMETERS, context)) {
      const most = Math.max(0, ...group.map((view) => pageOf(pairs, view)?.total ?? 0));
      for (const view of group) {
        const number = wholeNumber(view.query.get('page')) ?? 1;
        const size = wholeNumber(view.query.get('page_size')) ?? pairs.fallback ?? 1;
        if (most === 0 || size < 1 || size > pairs.maximum || (number - 1) * size < most) continue;
        const answer = beyondInWords(view);
        if (answer === null) continue;
        into.read('Page beyond the last one of pairs', answer, view, '4.1/pairs-beyond-last');
      }
    }
  },
};

function beyondInWords(view: View): string | null {
  if (view.ok) return view.records.length === 0 ? 'an empty list' : 'a page with items';
  if (isInvalidRequestStatus(view.status) || view.status === 404) {
    return `refused with status ${view.status}`;
  }
  return null;
}

export const PAGING_RULES: readonly Rule[] = [pagesJoin, total, pageDefault, beyondLast];
