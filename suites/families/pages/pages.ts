// Requirements on paged lists: defaults and bounds of the parameters, full pages, the envelope, the total, and pages
// that join. Callers pass wording; numbers come from the facts.
import { accepted } from '../../../src/judge/shapes.ts';
import { BOUND_ACCEPTED, NUMBER_INVALID } from '../../../src/requirements/advice.ts';
import type { Advice, Stated } from '../../../src/requirements/definition.ts';
import { drawnFor, parameterClause } from '../of-endpoint.ts';
import { judgeAll, type Judge, type OwnJudgement } from '../../../src/judge/judge.ts';
import {
  PAGE_PARAMETERS,
  pageInUse,
  pageOf,
  sizeInUse,
  type Page,
  type PagedFacts,
} from '../../../src/judge/pages.ts';
import { counted, sameList } from '../../../src/judge/relations.ts';
import { outOfBounds, shown } from './page-bounds.ts';
import { joins } from './page-seams.ts';
import { oneTotal } from './page-total.ts';

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

/** The clauses on both parameters, and the properties that draw requests. */
const sharedBy = ({ endpoint }: PagedFacts) => ({
  clause: {
    page: parameterClause(endpoint, 'page'),
    size: parameterClause(endpoint, 'page_size'),
  },
  drawn: drawnFor(endpoint),
});

/** Requirements on pages, whichever parameters are required. */
export function pagesOf(pages: PagedFacts, words: PageWords) {
  const { item, minimum, maximum, utmost } = pages;
  const { clause, drawn } = sharedBy(pages);
  return {
    maximum: {
      title: `${words.size} above ${utmost} is refused or clamped`,
      clauses: [clause.size, words.bounds],
      shownBy: 'a request for more than the maximum',
      rulings: [4],
      ...PAGE_SIZE,
      ...drawn,
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
      ...drawn,
      judge: judgePages(pages, (page, it) => {
        const { view, rows, size, total } = page;
        const asked = sizeInUse(pages, page);
        const number = pageInUse(pages, page);
        if (asked === undefined || number === undefined || total === undefined) return;
        // A page whose envelope states another size is judged with the size.
        if (size === rows && size !== asked) return;
        if (rows > asked && view.query.has('page_size')) {
          it.found(view, {
            kind: 'page-too-long',
            facts: { query: shown(view) },
            expected: counted(asked, item),
            actual: counted(rows, item),
            pointer: view.records[asked]?.pointer ?? view.root,
          });
          return;
        }
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
      ...drawn,
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
  const { clause, drawn } = sharedBy(pages);
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
        if (rows > 0 && number !== undefined && left > 0 && (number > 1 || left === fallback)) {
          // A short page that states 20 is judged by `full`.
          const holds = rows === left || (rows < fallback && size === fallback);
          it.expect(view, holds, () => ({
            kind: 'other-default-size',
            expected: counted(left, item),
            actual: `${counted(rows, item)} of ${total}`,
            pointer: `${view.root}/list`,
          }));
        } else if (rows > fallback) {
          it.found(view, {
            kind: 'other-default-size',
            expected: `at most ${counted(fallback, item)}`,
            actual: counted(rows, item),
            pointer: view.records[fallback]?.pointer ?? view.root,
          });
        }
      }),
    },
    invalid: {
      title: `${words.page} or \`page_size\` that is zero, negative or not a number returns a conforming response or a 400-class error`,
      clauses: [clause.page, clause.size],
      rulings: [4],
      ...NUMBER_INVALID,
      ...drawn,
      judge: outOfBounds(pages, 'invalid'),
    },
    join: {
      title: `Pages 1 and 2 of ${words.list} together equal one page of twice the size`,
      clauses: [clause.page],
      rulings: [22],
      ...seamOf(pages),
      ...drawn,
    },
  } satisfies Readonly<Record<string, Stated>>;
}
