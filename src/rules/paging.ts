import { numberOf } from '../contract/exchange.ts';
import { isInvalidRequestStatus } from './expectation.ts';
import type { Judgement, Rule } from './judgement.ts';
import { placed, standingOf, type Placed } from './page-parts.ts';
import {
  PAGE_PARAMETERS,
  PAGED,
  PAGES,
  pageInUse,
  pageOf,
  sizeInUse,
  type Page,
  type PagedFacts,
} from './pages.ts';
import { counted, sameList, wholeNumber } from './relations.ts';
import { place } from './transport.ts';
import type { View } from './view.ts';
import { criteria, type Criterion } from './criterion.ts';

/** What this file decides. */
export const PAGING = criteria('pairsBeyondLast');

/** Lists that move (news, rankings) are compared only when asked for within this time, ms. */
const NEAR_MS = 120_000;

/** Ruling 22: the pages of a list are its parts, so page 2 goes on where page 1 ends and repeats nothing of it. */
const pagesJoin: Rule = {
  name: 'pages-join',
  judges: PAGED.flatMap(({ judges }) => [judges.join, judges.differ].flatMap((id) => id ?? [])),
  all(views, context, into) {
    for (const facts of PAGED) {
      for (const group of sameList(views, facts.endpoint, PAGE_PARAMETERS, context)) {
        const pages = group.flatMap((view) => placed(facts, view) ?? []);
        for (const later of pages) if (later.number > 1) judgeLater(facts, later, pages, into);
      }
    }
  },
};

function judgeLater(
  facts: PagedFacts,
  later: Placed,
  pages: readonly Placed[],
  into: Judgement,
): void {
  const criterion = facts.judges.join ?? facts.judges.differ;
  const standing = standingOf(facts, later, pages);
  if (criterion === undefined || standing === undefined || standing.kind === 'unclear') return;
  const { view } = later;
  if (standing.kind === 'joins') {
    into.judged(criterion, view);
    return;
  }
  const { against, departure } = standing;
  const pointer = departure.index === null ? undefined : view.records[departure.index]?.pointer;
  into.found(criterion, view, {
    message: `Page ${later.number} of ${place(view)} does not go on where page ${later.number - 1} ends`,
    expected: `${departure.expected}, going by ${against.view.exchange.id}`,
    actual: departure.actual,
    pointer: pointer ?? `${view.root}/list`,
  });
}

/** §2.5, §2.7: `total` counts the items of the list, so every page has the same. */
const total: Rule = {
  name: 'total',
  judges: PAGED.flatMap(({ judges }) => judges.total ?? []),
  all(views, context, into) {
    for (const facts of PAGED) {
      const criterion = facts.judges.total;
      if (criterion === undefined) continue;
      for (const group of sameList(views, facts.endpoint, PAGE_PARAMETERS, context)) {
        const pages = group.flatMap((view) => pageOf(facts, view) ?? []);
        for (const page of pages) judgeCount(facts, criterion, page, into);
        judgeSameTotal(criterion, pages, into);
      }
    }
  },
};

/** Stores do not reach beyond so many items: what such a page holds says nothing of the total. */
const DEEP = 5000;

/** A page and what is before it never hold more than total, and on the last page they hold exactly that. */
function judgeCount(facts: PagedFacts, criterion: Criterion, page: Page, into: Judgement): void {
  const { view, rows, total: said } = page;
  const number = pageInUse(facts, page);
  const perPage = sizeInUse(facts, page);
  if (said === undefined || number === undefined || perPage === undefined) return;
  if (rows > perPage || (page.size === rows && rows !== perPage && said > rows)) return;
  const before = (number - 1) * perPage;
  const seen = before + rows;
  // A short page that claims more to come is one that is not full; one beyond the last item says nothing of their number.
  if (said >= number * perPage || (rows === 0 && said <= before) || before > DEEP) return;
  into.expect(criterion, view, said === seen, () => ({
    message: `total of ${place(view)} does not count the items`,
    expected: `${rows === 0 ? `at most ${before}` : seen}: ${counted(rows, facts.item)} on the last page, number ${number}`,
    actual: `total: ${said}`,
    pointer: `${view.root}/total`,
  }));
}

/** How much a total may change by itself: a little at once, and more as time goes by. */
const drift = (of: number, ms: number): number => Math.max(3, of / 100) + ms / 20_000;
/** Whatever moves, a total that changes by more than this share within minutes counts something else. */
const LEAP = 0.25;
/** So many items may come in between two requests of a run, however short the list is. */
const FEW_MORE = 10;
/** So many may come in for each request in between on the busiest day. */
const NEW_EACH = 3;

/** A list of these minutes has not changed by so much that its total would mean nothing, ms. */
const SOON_MS = 600_000;

interface Told {
  readonly page: Page;
  readonly said: number;
}

const agreeOn = (a: Told, b: Told): boolean =>
  Math.abs(a.said - b.said) <= drift(a.said, Math.abs(a.page.view.now - b.page.view.now));

const isSoonAfter = (a: Told, b: Told): boolean => b.page.view.now - a.page.view.now <= SOON_MS;

/**
 * Each total against that of another page shown before it. A list may shrink or grow between two requests, as when an
 * exchange is taken off: a difference counts when it is a leap, or when an answer after it has the old total again.
 */
function judgeSameTotal(criterion: Criterion, pages: readonly Page[], into: Judgement): void {
  const known = pages.flatMap((page): Told[] =>
    page.total === undefined || page.rows === 0 ? [] : [{ page, said: page.total }],
  );
  for (const [index, told] of known.entries()) {
    const { view } = told.page;
    const before = known
      .slice(0, index)
      .findLast((other) => shownDifferently(told.page, other.page));
    if (before === undefined) continue;
    const agrees = agreeOn(before, told);
    const near = Math.abs(before.page.view.now - view.now) <= NEAR_MS;
    const change = Math.abs(before.said - told.said);
    const grows = told.said > before.said;
    const news = grows ? NEW_EACH * requestsBetween(before.page.view, view) : 0;
    const most = Math.max(FEW_MORE, LEAP * Math.max(before.said, told.said), news);
    const leaps = near && change > most;
    // Hours later any total may be there again.
    const returns = known.slice(index + 1).some(
      (after) =>
        isSoonAfter(before, after) &&
        agreeOn(before, after) &&
        // A list that grew stays so, and by and by that much would come by itself.
        2 * Math.abs(after.said - before.said) < change,
    );
    if (!agrees && !leaps && !returns) continue;
    into.expect(criterion, view, agrees, () => ({
      message: `total of ${place(view)} differs from page to page`,
      expected: `total: ${before.said}, as in ${before.page.view.exchange.id}`,
      actual: `total: ${told.said}`,
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
  judges: PAGED.flatMap(({ judges }) => judges.pageDefault ?? []),
  all(views, context, into) {
    for (const facts of PAGED) {
      const criterion = facts.judges.pageDefault;
      if (criterion === undefined) continue;
      for (const group of sameList(views, facts.endpoint, PAGE_PARAMETERS, context)) {
        const pages = group.flatMap((view) => placed(facts, view) ?? []);
        const explicit = pages.filter(({ askedPage }) => askedPage === 1);
        for (const page of pages) {
          if (!page.view.query.has('page')) judgeDefault(criterion, page, explicit, into);
        }
      }
    }
  },
};

function judgeDefault(
  criterion: Criterion,
  page: Placed,
  explicit: readonly Placed[],
  into: Judgement,
): void {
  const { view } = page;
  if (page.page !== undefined && page.page !== 1) {
    into.found(criterion, view, {
      message: `${place(view)} without page says that it is another page than the first`,
      expected: 'page: 1',
      actual: `page: ${page.page}`,
      pointer: `${view.root}/page`,
    });
    return;
  }
  const compared = explicit
    .filter((other) => Math.abs(other.view.now - view.now) <= NEAR_MS)
    .map((near) => {
      const length = Math.min(near.rows, page.rows);
      const head = new Set(near.items.slice(0, length));
      const shared = page.items.slice(0, length).filter((item) => head.has(item)).length;
      return { near, length, shared };
    });
  const isSame = compared.some(({ length, shared }) => shared * 2 >= length);
  // News come in meanwhile: one for each request in between, if it is a busy day.
  const apart = compared.find(
    ({ near, length, shared }) => length - shared > requestsBetween(near.view, view),
  );
  if (isSame) into.judged(criterion, view);
  else if (apart !== undefined) {
    const { near, length, shared } = apart;
    into.found(criterion, view, {
      message: `${place(view)} without page has other items than page 1`,
      expected: `the items of ${near.view.exchange.id}`,
      actual: `${shared} of ${length} are the same`,
      pointer: `${view.root}/list`,
    });
  }
}

/** How many requests lie between two, the later one included; endless when their ids do not tell. */
function requestsBetween(a: View, b: View): number {
  const between = Math.abs(numberOf(a.exchange.id) - numberOf(b.exchange.id));
  return Number.isInteger(between) ? between : Number.POSITIVE_INFINITY;
}

/** §4.1: what comes after the last page is left open. */
const beyondLast: Rule = {
  name: 'beyond-last',
  judges: [PAGING.pairsBeyondLast],
  all(views, context, into) {
    const pairs = PAGES['/currencies/{currency_id}/pairs'];
    for (const group of sameList(views, pairs.endpoint, PAGE_PARAMETERS, context)) {
      const most = Math.max(0, ...group.map((view) => pageOf(pairs, view)?.total ?? 0));
      for (const view of group) {
        const number = wholeNumber(view.query.get('page')) ?? 1;
        const size = wholeNumber(view.query.get('page_size')) ?? pairs.fallback ?? 1;
        if (most === 0 || size < 1 || size > pairs.maximum || (number - 1) * size < most) continue;
        const answer = beyondInWords(view);
        if (answer === null) continue;
        into.read(
          'Answer to a page of pairs beyond the last one',
          answer,
          view,
          PAGING.pairsBeyondLast,
        );
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
