// Ruling 22: the pages of a list are its parts, so page 2 goes on where page 1 ends and repeats nothing of it. Lists move
// between two requests, so that a page is wrong only where the list is seen to have stood still.
import { describeAnswer } from '../../../src/rules/errors.ts';
import { isInvalidRequestStatus } from '../../../src/rules/expectation.ts';
import { judgeAll, type Judge, type OwnJudgement } from '../../../src/rules/judge.ts';
import {
  PAGE_PARAMETERS,
  pageOf,
  placed,
  type Page,
  type PagedFacts,
  type Placed,
} from '../../../src/rules/pages.ts';
import { counted, sameList, wholeNumber } from '../../../src/rules/relations.ts';
import { place } from '../../../src/rules/transport.ts';
import type { View } from '../../../src/rules/view.ts';

/** Judges whether later pages of a list go on where the page before ends, and are there at all. */
export const joins = (pages: PagedFacts): Judge =>
  judgeAll((views, context, it) => {
    const lists = sameList(views, pages.endpoint, PAGE_PARAMETERS, context);
    for (const list of lists) {
      const parts = list.flatMap((view) => placed(pages, view) ?? []);
      for (const later of parts) if (later.number > 1) judgeLater(pages, later, parts, it);
    }
    for (const list of lists) for (const view of list) judgeRefused(pages, view, list, it);
  });

function judgeLater(
  pages: PagedFacts,
  later: Placed,
  parts: readonly Placed[],
  it: OwnJudgement,
): void {
  const standing = standingOf(pages, later, parts);
  if (standing === undefined || standing.kind === 'unclear') return;
  const { view } = later;
  it.judged(view);
  if (standing.kind === 'joins') return;
  const { against, departure } = standing;
  const pointer = departure.index === null ? undefined : view.records[departure.index]?.pointer;
  it.found(view, {
    message: `Page ${later.number} of ${place(view)} does not go on where page ${later.number - 1} ends`,
    expected: `${departure.expected}, going by ${against.view.exchange.id}`,
    actual: departure.actual,
    pointer: pointer ?? `${view.root}/list`,
  });
}

/** A list may lose so many items between two requests, and its last page with them. */
const LOST = 3;

/** A page is refused only where there is none. That there is one is known from `total` on another page of the list. */
function judgeRefused(
  pages: PagedFacts,
  view: View,
  list: readonly View[],
  it: OwnJudgement,
): void {
  const page = wholeNumber(view.query.get('page'));
  const size = view.query.has('page_size')
    ? wholeNumber(view.query.get('page_size'))
    : (pages.fallback ?? undefined);
  if (page === undefined || size === undefined) return;
  if (page < 2 || size < pages.minimum || size > pages.maximum) return;
  if (!isInvalidRequestStatus(view.status) && view.status !== 404) return;
  const before = (page - 1) * size;
  const known = list.find((other) => (pageOf(pages, other)?.total ?? 0) > before + LOST);
  if (known === undefined) return;
  it.found(view, {
    message: `${place(view)} refuses page ${page}, although there is one`,
    expected: `the ${pages.item}s from number ${before + 1} on: ${known.exchange.id} counts ${counted(pageOf(pages, known)?.total ?? 0, pages.item)}`,
    actual: describeAnswer(view),
  });
}

/** Lists that move (news, rankings) are compared only when asked for within this time, ms, unless they agree. */
export const NEAR_MS = 120_000;
/** How many places an item of a ranking may move between two requests without anything being wrong. */
const SLACK = 3;
/** Items of a ranking that may come new between two requests. */
const NEWCOMERS = 2;
/** Fewer items than this may be the same on two pages by chance of movement. */
const TELLING = 5;

/** Where a page departs from a larger one: the first item that should not stand there, or one that is left out. */
export interface Departure {
  /** Index on the page; null when an item is missing. */
  readonly index: number | null;
  readonly expected: string;
  readonly actual: string;
}

/** `joins`: it agrees with a page that covers it; `unclear`: it does not, but the list may have moved. */
export type Standing =
  | { readonly kind: 'joins' }
  | { readonly kind: 'unclear' }
  | { readonly kind: 'apart'; readonly against: Placed; readonly departure: Departure };

/**
 * How a page from the second on stands to the other pages of its list (ruling 22). It must agree with one that covers
 * the same places. One that does not is wrong only when the list is seen unmoved before and after both, or when it shows
 * the first page again. `undefined` when no page covers it and it is not the first one again.
 */
export function standingOf(
  facts: PagedFacts,
  later: Placed,
  pages: readonly Placed[],
): Standing | undefined {
  const others = pages.filter((page) => page !== later);
  const again = firstPageAgain(later, others);
  if (again !== undefined) return { kind: 'apart', ...again };
  const compared = comparable(facts, later, others);
  if (compared.length === 0) return undefined;
  if (compared.some(({ departure }) => departure === undefined)) return { kind: 'joins' };
  for (const { against, departure } of compared) {
    if (departure === undefined || !isNear(against, later)) continue;
    if (isSteady(against, later, others, facts.ranked))
      return { kind: 'apart', against, departure };
  }
  return { kind: 'unclear' };
}

/**
 * True when the list is seen unmoved before two of its pages and after them. Around both: that a page stays as it is when it
 * is asked for some times in a row says nothing of the time when the other one was asked for.
 */
function isSteady(
  against: Placed,
  later: Placed,
  others: readonly Placed[],
  ranked: boolean,
): boolean {
  const isAtMost = (a: Placed, b: Placed): boolean => a === b || inOrder(a, b);
  return others.some(
    (before) =>
      inOrder(before, later) &&
      isAtMost(before, against) &&
      others.some(
        (after) =>
          inOrder(later, after) &&
          isAtMost(against, after) &&
          isNear(before, after) &&
          hasNotMoved(before, after, later, ranked),
      ),
  );
}

/** By how many places items of a ranking moved between answers that show its beginning; 0 where it stood still. */
function movementOf(page: Placed, others: readonly Placed[]): number {
  const shown = others.filter((other) => other.from === 0 && isNear(other, page));
  const moves = shown.flatMap((before, index) => {
    const after = shown[index + 1];
    return after === undefined ? [] : movesOf(before, after);
  });
  return Math.max(0, ...moves.map((move) => Math.abs(move ?? 0)));
}

interface Compared {
  readonly against: Placed;
  readonly departure: Departure | undefined;
}

/** A page beside those that show its places too; without any, beside the page before it. */
function comparable(facts: PagedFacts, later: Placed, others: readonly Placed[]): Compared[] {
  const whole = others.filter((page) => covers(page, later));
  // What moved by some places between two answers may move twice as far between others.
  const slack = facts.ranked ? Math.max(SLACK, 2 * movementOf(later, others)) : 0;
  if (whole.length > 0) {
    return whole.map((against) => ({
      against,
      departure: departureOf(later, against, facts.ranked, slack),
    }));
  }
  return others
    .filter(({ number, perPage }) => number === later.number - 1 && perPage === later.perPage)
    .map((against) => ({ against, departure: repeated(later, against) }));
}

/** The first item that the page before showed already. */
function repeated(later: Placed, before: Placed): Departure | undefined {
  const shown = new Set(before.items);
  const index = later.items.findIndex((item) => shown.has(item));
  if (index === -1) return undefined;
  const expected = 'an item that the page before does not have';
  return { index, expected, actual: later.items[index] ?? '' };
}

/**
 * True for a page that begins before `other` and shows every place of it, or the rest of the list from its first place on.
 * One that begins where it does says nothing of what comes before: a wrong page 2, asked for again, agrees with itself.
 */
function covers(page: Placed, other: Placed): boolean {
  if (page.from >= other.from) return false;
  const isEnd = page.total !== undefined && page.total <= page.from + page.rows;
  return isEnd
    ? page.from + page.rows > other.from
    : page.from + page.rows >= other.from + other.rows;
}

const timeOf = ({ view }: Page): number => view.now;
const isNear = (a: Page, b: Page): boolean => Math.abs(timeOf(a) - timeOf(b)) <= NEAR_MS;
/**
 * True when one was answered before the other was asked for. By our clock alone: how far that of the target is from it is
 * known a little better with each answer, so the same moment seems to move.
 */
const inOrder = ({ view: { exchange: a } }: Page, { view: { exchange: b } }: Page): boolean =>
  a !== b && a.receivedAt <= b.sentAt;

/** A later page that holds what the first page of the list holds, and not because new items pushed all of it down. */
function firstPageAgain(
  later: Placed,
  others: readonly Placed[],
): { against: Placed; departure: Departure } | undefined {
  if (later.rows < TELLING) return undefined;
  for (const against of others) {
    if (against.from !== 0 || against.rows < later.rows || !isNear(against, later)) continue;
    if (later.from < later.rows || pushedDown(against, later)) continue;
    const head = new Set(against.items.slice(0, later.rows));
    if (head.size < TELLING || !later.items.every((item) => head.has(item))) continue;
    const [actual = ''] = later.items;
    const expected = 'items that the first page does not have';
    return { against, departure: { index: 0, expected, actual } };
  }
  return undefined;
}

/** True when the list grew by so much after the first page was shown that its items may stand on the later one now. */
function pushedDown(first: Placed, later: Placed): boolean {
  if (!inOrder(first, later) || first.total === undefined || later.total === undefined)
    return false;
  return later.total - first.total >= later.from;
}

/** Places of each item in the list, as a page shows them. */
function placesIn(page: Placed): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [index, item] of page.items.entries()) {
    const known = places.get(item);
    if (known === undefined) places.set(item, [page.from + index]);
    else known.push(page.from + index);
  }
  return places;
}

/** How far each item of a page stands from its nearest place on another; undefined for one that the other lacks. */
function movesOf(page: Placed, whole: Placed): readonly (number | undefined)[] {
  const places = placesIn(whole);
  return page.items.map((item, index) => {
    const here = page.from + index;
    const moves = places.get(item)?.map((rank) => here - rank) ?? [];
    return moves.toSorted((a, b) => Math.abs(a) - Math.abs(b))[0];
  });
}

/** By how much most items have moved; 0 when none is known. */
function commonMove(moves: readonly (number | undefined)[]): number {
  const counts = new Map<number, number>([[0, 0]]);
  for (const move of moves) {
    if (move !== undefined) counts.set(move, (counts.get(move) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted((a, b) => b[1] - a[1] || Math.abs(a[0]) - Math.abs(b[0]));
  return most?.[0] ?? 0;
}

/** The first thing on which a page and one that covers it do not agree; undefined when they do. */
function departureOf(
  later: Placed,
  whole: Placed,
  ranked: boolean,
  slack = ranked ? SLACK : 0,
): Departure | undefined {
  const moves = movesOf(later, whole);
  const shifted = later.rows > 1 && commonMove(moves) !== 0;
  // Beyond the end of the larger page nothing is known.
  const end = whole.from + whole.rows;
  const inside = (index: number): boolean => later.from + index < end;
  const strangers = moves.filter((move, index) => move === undefined && inside(index)).length;
  const tooNew = strangers > (ranked ? NEWCOMERS : 0);
  const wrong = moves.findIndex((move, index) => {
    if (!inside(index)) return false;
    if (move === undefined) return tooNew;
    return shifted ? move !== 0 : Math.abs(move) > slack;
  });
  if (wrong !== -1) {
    const expected = whole.items[later.from - whole.from + wrong] ?? 'nothing';
    return { index: wrong, expected, actual: later.items[wrong] ?? '' };
  }
  const own = new Set(later.items);
  const start = later.from - whole.from;
  const missing = whole.items.slice(start, start + later.rows).find((item, index) => {
    const atEdge = index < slack || index >= later.rows - slack;
    return !own.has(item) && !atEdge;
  });
  if (missing === undefined || strangers > 0) return undefined;
  return { index: null, expected: missing, actual: 'it is not on the page' };
}

/** True when two pages, seen before and after a third, show that the list down to it stood still. */
function hasNotMoved(before: Placed, after: Placed, between: Placed, ranked: boolean): boolean {
  const from = Math.max(before.from, after.from);
  const to = Math.min(before.from + before.rows, after.from + after.rows);
  if (from > between.from || to - from < Math.min(TELLING, between.rows)) return false;
  const cut = (page: Placed): Placed => ({
    ...page,
    from,
    rows: to - from,
    items: page.items.slice(from - page.from, to - page.from),
  });
  const [a, b] = [cut(before), cut(after)];
  const same = a.items.every((item, index) => item === b.items[index]);
  return same || (ranked && departureOf(b, a, true) === undefined);
}
