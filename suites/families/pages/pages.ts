// Requirements on paged lists: defaults and bounds of the parameters, full pages, the envelope, the total, and pages
// that join. Callers pass wording; numbers come from the facts.
import { accepted } from '../../../src/judge/shapes.ts';
import { BOUND_ACCEPTED, NUMBER_INVALID } from '../../../src/requirements/advice.ts';
import type { Advice, Stated } from '../../../src/requirements/definition.ts';
import { parameterClause } from '../of-endpoint.ts';
import { judgeAll, type Judge, type OwnJudgement } from '../../../src/judge/judge.ts';
import {
  PAGE_PARAMETERS,
  pageInUse,
  pageOf,
  sizeInUse,
  type Page,
  type PagedFacts,
} from '../../../src/judge/pages.ts';
import { counted, sameList, requestsBetween } from '../../../src/judge/relations.ts';
import { outOfBounds, shown } from './page-bounds.ts';
import { joins } from './page-seams.ts';
import {
  DEEP_PAGE,
  FEW_MORE,
  LEAP_SHARE,
  MOVING_LIST_MS,
  NEW_EACH,
  SAME_MINUTES_MS,
} from '../../numbers.ts';

const PAGE_SIZE: Advice = {
  why: 'Clients compute the number of pages from the page size; a different size makes them skip or repeat records.',
  usually: [
    "The page size has no maximum, or the framework's maximum is used.",
    'An oversized value is used although a smaller one is echoed.',
  ],
};

/** Without the envelope, nothing is known about the place and size of a page. */
const ENVELOPE = ['list', 'page', 'page-size', 'total'].map((field) => `2.5/page-${field}`);

interface PageWords {
  /** The list, such as `featured news`. */
  readonly list: string;
  /** With its article, such as `A news page_size`. */
  readonly size: string;
  /** The clause of §8 with the bounds of page_size. */
  readonly bounds: string;
  /** The clause on the page envelope. */
  readonly envelope: string;
}

/** The clauses on both parameters. */
const clausesOf = ({ endpoint }: PagedFacts) => ({
  page: parameterClause(endpoint, 'page'),
  size: parameterClause(endpoint, 'page_size'),
});

/** Requirements on pages, whichever parameters are required. */
export function pagesOf(pages: PagedFacts, words: PageWords) {
  const { item, minimum, maximum, utmost } = pages;
  const clause = clausesOf(pages);
  return {
    maximum: {
      title: `${words.size} above ${utmost} is refused or clamped`,
      clauses: [clause.size, words.bounds],
      shownBy: 'a request for more than the maximum',
      rulings: [4],
      ...PAGE_SIZE,
      judge: outOfBounds(pages, 'over'),
    },
    accepted: {
      title: `${words.size} of ${maximum} is accepted`,
      clauses: [clause.size],
      rulings: [4],
      ...BOUND_ACCEPTED,
      judge: [
        accepted('bounds of page_size'),
        judgePages(pages, (page, it) => {
          const { view, askedSize, size, rows, total } = page;
          const bounds = minimum > 1 ? [minimum, maximum] : [maximum];
          if (askedSize === undefined || !bounds.includes(askedSize)) return;
          if (pageInUse(pages, page) !== 1 || total === undefined || rows === 0) return;
          // A short page whose envelope states its own size was cut; any other short page is judged by `full`.
          const cut = rows < askedSize && total > rows && size === rows;
          it.expect(view, !cut, () => ({
            kind: 'page-size-cut',
            facts: { size: askedSize },
            expected: counted(askedSize, item),
            actual: `${counted(rows, item)} of ${total}, page_size: ${size}`,
            pointer: `${view.root}/page_size`,
          }));
        }),
      ],
    },
    full: {
      title: `Every page of ${words.list} except the last is full`,
      clauses: [clause.size],
      hinderedBy: ENVELOPE,
      shownBy: 'a page of a list with enough items to fill this page and those before it',
      rulings: [4],
      why: 'Records that `total` counts cannot be read, or clients stop at the first page that is not full.',
      usually: [
        '`total` counts records that the list leaves out.',
        'Hidden or filtered records are removed after paging.',
        'Duplicates are removed after paging.',
      ],
      judge: judgePages(pages, (page, it) => {
        const { view, rows, size, total } = page;
        const asked = sizeInUse(pages, page);
        const number = pageInUse(pages, page);
        if (asked === undefined || number === undefined || total === undefined) return;
        // A page whose envelope states another size is judged with the size.
        if (size === rows && size !== asked) return;
        if (total < number * asked) return;
        it.expect(view, rows >= asked, () => ({
          kind: 'page-not-full',
          facts: { page: number },
          expected: `${counted(asked, item)}, since total is ${total}`,
          actual: counted(rows, item),
          pointer: `${view.root}/list`,
        }));
      }),
    },
    echo: {
      title: `The envelope of ${words.list} repeats the \`page\` and \`page_size\` in use`,
      clauses: [clause.page, words.envelope],
      hinderedBy: ENVELOPE,
      why: 'The echo tells clients that their `page_size` was clamped.',
      usually: [
        'The envelope contains the requested values, or constants, instead of those in use.',
        'Pages are counted from 0 internally and from 1 externally.',
      ],
      judge: judgePages(pages, (page, it) => {
        const { view } = page;
        const expected = [
          ['page', page.page, view.query.has('page') ? pageInUse(pages, page) : undefined],
          ['page_size', page.size, sizeInUse(pages, page)],
        ] as const;
        for (const [name, reported, inUse] of expected) {
          if (reported === undefined || inUse === undefined) continue;
          // A page that states its own, different size does echo the size in use; the size is judged elsewhere.
          const honest = name === 'page_size' && reported === page.rows;
          it.expect(view, reported === inUse || honest, () => ({
            kind: 'envelope-differs',
            facts: { query: shown(view), field: name },
            expected: `${name}: ${inUse}`,
            actual: `${name}: ${reported}`,
            pointer: `${view.root}/${name}`,
          }));
        }
      }),
    },
    total: {
      title: `\`total\` is the same on every page of ${words.list}`,
      clauses: [words.envelope],
      hinderedBy: ENVELOPE,
      shownBy: 'two pages of the same list with `total`, within a few minutes',
      rulings: [22],
      why: 'Clients compute the number of pages from `total`.',
      usually: [
        '`total` ignores the filter, or is a database estimate.',
        '`total` is the number of records on the page.',
      ],
      judge: oneTotal(pages),
    },
  } satisfies Readonly<Record<string, Stated>>;
}

/** Judges each page of a list, whatever its other parameters. */
const judgePages = (pages: PagedFacts, judge: (page: Page, it: OwnJudgement) => void): Judge =>
  judgeAll((views, context, it) => {
    for (const view of sameList(views, pages.endpoint, PAGE_PARAMETERS, context).flat()) {
      const page = pageOf(pages, view);
      if (page !== undefined) judge(page, it);
    }
  });

/** Pages together form one list: no item is lost or repeated. */
export const seamOf = (pages: PagedFacts) =>
  ({
    hinderedBy: ENVELOPE,
    shownBy: 'two pages of the same list with `total`, within a few minutes',
    why: 'Clients that read page by page lose or duplicate records.',
    usually: [
      'The order has ties without a tie-breaker, so it differs between queries.',
      'The offset is computed with a different page size.',
      'Page 2 comes from a cache that is older than page 1.',
    ],
    judge: joins(pages),
  }) satisfies Partial<Stated>;

interface OptionalPageWords extends Pick<PageWords, 'list' | 'bounds'> {
  /** The list with its verb, such as `Pairs without page_size come`. */
  readonly without: string;
  /** The parameter with its article, such as `A news page`. */
  readonly page: string;
}

/** Requirements on pages with optional parameters. */
export function optionalPagesOf(pages: PagedFacts, words: OptionalPageWords) {
  const { fallback, item } = pages;
  const clause = clausesOf(pages);
  return {
    sizeDefault: {
      title: `${words.without} in pages of ${fallback}`,
      clauses: [clause.size, words.bounds],
      hinderedBy: ENVELOPE,
      shownBy: 'a page with `total`, asked for without the parameter',
      rulings: [4],
      ...PAGE_SIZE,
      judge: judgePages(pages, (page, it) => {
        const { view, rows, total, size } = page;
        if (fallback === null || view.query.has('page_size')) return;
        const number = pageInUse(pages, page);
        const before = number === undefined ? 0 : (number - 1) * fallback;
        const left = total === undefined ? 0 : Math.min(fallback, total - before);
        // The last page shows the size only through the number of items on the pages before it.
        if (rows === 0 || number === undefined || left <= 0) return;
        if (number === 1 && left < fallback) return;
        // A short page that states 20 is judged by `full`.
        const holds = rows === left || (rows < fallback && size === fallback);
        it.expect(view, holds, () => ({
          kind: 'other-default-size',
          expected: counted(left, item),
          actual: `${counted(rows, item)} of ${total}`,
          pointer: `${view.root}/list`,
        }));
      }),
    },
    invalid: {
      title: `${words.page} or \`page_size\` that is zero, negative or not a number returns a conforming response or a 400-class error`,
      clauses: [clause.page, clause.size],
      rulings: [4],
      ...NUMBER_INVALID,
      judge: outOfBounds(pages, 'invalid'),
    },
    join: {
      title: `Pages 1 and 2 of ${words.list} together equal one page of twice the size`,
      clauses: [clause.page],
      rulings: [22],
      ...seamOf(pages),
    },
  } satisfies Readonly<Record<string, Stated>>;
}

/** Compares the total of each page with its content and with the totals of other pages. */
export const oneTotal = (pages: PagedFacts): Judge =>
  judgeAll((views, context, it) => {
    for (const group of sameList(views, pages.endpoint, PAGE_PARAMETERS, context)) {
      const all = group.flatMap((view) => pageOf(pages, view) ?? []);
      // A total that one page lists in full is right, whatever the last of several pages lacks, unless that is all.
      const whole = all.filter((page) => isWhole(pages, page)).map(({ total }) => total);
      for (const page of all)
        if (page.rows === 0 || !whole.includes(page.total)) judgeCount(pages, page, it);
      judgeSameTotal(all, it);
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
  const actual = `total: ${value}`;
  it.expect(view, value === seen, () => ({
    kind: 'total-of-items',
    // Of an empty page, either the total or the page is wrong.
    ...(rows === 0
      ? {
          expected: `at most ${before}, or ${counted(value - before, pages.item)} on page ${number}`,
          actual: `${actual}, and ${counted(0, pages.item)} on page ${number}`,
          pointer: view.root,
        }
      : {
          expected: `${seen}: ${counted(rows, pages.item)} on the last page, number ${number}`,
          actual,
          pointer: `${view.root}/total`,
        }),
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
function judgeSameTotal(pages: readonly Page[], it: OwnJudgement): void {
  const known = pages.filter((page): page is Counted => page.total !== undefined && page.rows > 0);
  for (const [index, page] of known.entries()) {
    const { view, total } = page;
    const before = known.slice(0, index).findLast((other) => isOtherPage(page, other));
    if (before === undefined) continue;
    const agrees = agreeOn(before, page);
    const change = Math.abs(before.total - total);
    const news = NEW_EACH * requestsBetween(before.view, view);
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

/** Whether two answers show different pages or page sizes. */
function isOtherPage({ view: a }: Page, { view: b }: Page): boolean {
  return PAGE_PARAMETERS.some((name) => a.query.get(name) !== b.query.get(name));
}
