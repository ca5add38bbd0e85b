// Ruling 22: page 2 continues where page 1 ends and repeats none of it. Lists change between requests, so a page is
// wrong only if the list is known to have stayed the same.
import {
  LOST_ITEMS,
  MOVED_POSITIONS,
  MOVING_LIST_MS,
  NEWCOMERS,
  TELLING_PAGE,
} from '../../numbers.ts';
import { describeAnswer } from '../../../src/judge/errors.ts';
import { isInvalidRequestStatus } from '../../../src/judge/expectation.ts';
import { judgeAll, type Judge } from '../../../src/judge/judge.ts';
import {
  PAGE_PARAMETERS,
  pageOf,
  locatePage,
  type Page,
  type PagedFacts,
  type LocatedPage,
} from '../../../src/judge/pages.ts';
import { counted, sameList, wholeNumber } from '../../../src/judge/relations.ts';

/** Judges whether later pages exist and continue the page before. */
export const joins = (pages: PagedFacts): Judge =>
  judgeAll((views, context, it) => {
    const lists = sameList(views, pages.endpoint, PAGE_PARAMETERS, context);
    for (const list of lists) {
      const parts = list.flatMap((view) => locatePage(pages, view) ?? []);
      for (const later of parts.filter(({ number }) => number > 1)) {
        const comparison = comparePages(pages, later, parts);
        if (comparison === undefined || comparison.kind === 'unclear') continue;
        const { view } = later;
        it.judged(view);
        if (comparison.kind === 'joins') continue;
        const { against, difference } = comparison;
        const pointer =
          difference.index === null ? undefined : view.records[difference.index]?.pointer;
        it.found(view, {
          kind: 'page-does-not-continue',
          facts: { page: later.number, before: later.number - 1 },
          expected: `${difference.expected}, going by ${against.view.exchange.id}`,
          against: [against.view],
          actual: difference.actual,
          pointer: pointer ?? `${view.root}/list`,
        });
      }
    }
    for (const list of lists)
      for (const view of list) {
        // Only a page that does not exist may be refused; another page's `total` tells.
        const page = wholeNumber(view.query.get('page'));
        const size = view.query.has('page_size')
          ? wholeNumber(view.query.get('page_size'))
          : (pages.fallback ?? undefined);
        if (page === undefined || size === undefined) continue;
        if (page < 2 || size < pages.minimum || size > pages.maximum) continue;
        if (!isInvalidRequestStatus(view.status) && view.status !== 404) continue;
        const before = (page - 1) * size;
        const known = list.find(
          (other) => (pageOf(pages, other)?.total ?? 0) > before + LOST_ITEMS,
        );
        if (known === undefined) continue;
        it.found(view, {
          kind: 'page-refused',
          facts: { page },
          expected: `the ${pages.item}s from number ${before + 1} on: ${known.exchange.id} counts ${counted(pageOf(pages, known)?.total ?? 0, pages.item)}`,
          against: [known],
          actual: describeAnswer(view),
        });
      }
  });

/** Where two pages disagree: the first unexpected item, or a missing one. */
interface PageDifference {
  /** Index on the page; null if an item is missing. */
  readonly index: number | null;
  readonly expected: string;
  readonly actual: string;
}

/** `joins`: agrees with another page. `unclear`: disagrees, but the list may have changed. */
export type PageComparison =
  | { readonly kind: 'joins' }
  | { readonly kind: 'unclear' }
  | { readonly kind: 'apart'; readonly against: LocatedPage; readonly difference: PageDifference };

/**
 * Compares a later page with pages that cover it, or with the page before (ruling 22). A mismatch counts only if the
 * other page was the same before and after, or if the later page repeats the first. `undefined` if there is nothing to
 * compare.
 */
export function comparePages(
  facts: PagedFacts,
  later: LocatedPage,
  pages: readonly LocatedPage[],
): PageComparison | undefined {
  const others = pages.filter((page) => page !== later);
  const again = repeatsFirstPage(later, others);
  if (again !== undefined) return { kind: 'apart', ...again };
  const covering = others.filter((page) => covers(page, later));
  const compared =
    covering.length > 0
      ? covering
      : others.filter(
          ({ number, perPage }) => number === later.number - 1 && perPage === later.perPage,
        );
  if (compared.length === 0) return undefined;
  const looks = compared.map((against) => ({
    against,
    difference: firstDifference(later, against, facts.ranked),
  }));
  if (looks.some(({ difference }) => difference === undefined)) return { kind: 'joins' };
  const differing = looks.flatMap(({ against, difference }) =>
    difference ? [{ against, difference }] : [],
  );
  const wrong = differing.find(
    ({ against, difference }) =>
      !isRepeated(difference, later, against) &&
      inOrder(against, later) &&
      compared.some((after) => inOrder(later, after) && isSame(against, after)),
  );
  return wrong === undefined ? { kind: 'unclear' } : { kind: 'apart', ...wrong };
}

/** Whether one of the pages has an item twice there: that it repeats one says nothing of where it begins. */
const isRepeated = (
  { actual, expected }: PageDifference,
  later: LocatedPage,
  against: LocatedPage,
): boolean =>
  [later, against].some(({ items }) =>
    [actual, expected].some((item) => items.indexOf(item) !== items.lastIndexOf(item)),
  );

const isSame = (a: LocatedPage, b: LocatedPage): boolean =>
  isNear(a, b) &&
  a.from === b.from &&
  a.rows === b.rows &&
  a.items.every((item, index) => item === b.items[index]);

/**
 * Whether `page` starts earlier and shows everything on `other`, or the rest of the list from there. Pages with the
 * same start do not count: a wrong page 2 agrees with itself.
 */
function covers(page: LocatedPage, other: LocatedPage): boolean {
  if (page.from >= other.from) return false;
  const isEnd = page.total !== undefined && page.total <= page.from + page.rows;
  return isEnd
    ? page.from + page.rows > other.from
    : page.from + page.rows >= other.from + other.rows;
}

function firstDifference(
  later: LocatedPage,
  against: LocatedPage,
  ranked: boolean,
): PageDifference | null | undefined {
  if (!covers(against, later)) {
    const index = later.items.findIndex((item) => against.items.includes(item));
    if (index === -1) return undefined;
    const expected = 'an item that the page before does not contain';
    return { index, expected, actual: later.items[index] ?? '' };
  }
  const expected = against.items.slice(later.from - against.from).slice(0, later.perPage);
  // The larger page says nothing beyond its end.
  const shown = later.items.slice(0, expected.length);
  const moved = shown.flatMap((item, index) =>
    item === expected[index]
      ? []
      : [{ index, by: distanceMoved(item, later.from + index, against) }],
  );
  const [first] = moved;
  if (first === undefined) {
    const missing = expected[later.rows];
    return missing === undefined
      ? undefined
      : { index: null, expected: missing, actual: 'it is not on the page' };
  }
  const isMove = ({ by }: (typeof moved)[number]): boolean =>
    by !== undefined && Math.abs(by) <= MOVED_POSITIONS;
  const newcomers = moved.filter(({ by }) => by === undefined).length;
  // A shift of all items, or a gap in the middle, is not a change in the ranking.
  const isShifted = moved.some(
    ({ by }) => by !== undefined && 2 * moved.filter((one) => one.by === by).length > shown.length,
  );
  const inner = expected.slice(MOVED_POSITIONS, later.rows - MOVED_POSITIONS);
  const isComplete = newcomers > 0 || inner.every((item) => shown.includes(item));
  const byItself =
    newcomers <= NEWCOMERS &&
    moved.every((one) => one.by === undefined || isMove(one)) &&
    !isShifted &&
    isComplete;
  // Items that only one of them has may be new, or wrong.
  if (ranked && byItself) return newcomers > 0 ? null : undefined;
  const { index } = moved.find((one) => !ranked || !isMove(one)) ?? first;
  return { index, expected: expected[index] ?? 'nothing', actual: shown[index] ?? '' };
}

/** Distance to the nearest occurrence of an item on another page, in positions. */
function distanceMoved(item: string, here: number, page: LocatedPage): number | undefined {
  const moves = page.items.flatMap((other, index) =>
    other === item ? [page.from + index - here] : [],
  );
  return moves.toSorted((a, b) => Math.abs(a) - Math.abs(b))[0];
}

const isNear = ({ view: a }: Page, { view: b }: Page): boolean =>
  Math.abs(a.now - b.now) <= MOVING_LIST_MS;
/**
 * Whether one answer arrived before the other request was sent. Uses the local clock: the estimate of the target's
 * clock keeps changing.
 */
const inOrder = ({ view: { exchange: a } }: Page, { view: { exchange: b } }: Page): boolean =>
  a !== b && a.receivedAt <= b.sentAt;

/** A later page that repeats the first page. */
function repeatsFirstPage(
  later: LocatedPage,
  others: readonly LocatedPage[],
): { against: LocatedPage; difference: PageDifference } | undefined {
  if (later.rows < TELLING_PAGE) return undefined;
  for (const against of others) {
    if (against.from !== 0 || against.rows < later.rows || !isNear(against, later)) continue;
    if (later.from < later.rows) continue;
    const head = new Set(against.items.slice(0, later.rows));
    if (head.size < TELLING_PAGE || !later.items.every((item) => head.has(item))) continue;
    const [actual = ''] = later.items;
    const expected = 'items that the first page does not contain';
    return { against, difference: { index: 0, expected, actual } };
  }
  return undefined;
}
