// Requirements that every list in pages has. What a list is called is handed in; numbers come from its facts.
import { check, each, part, type Query } from '../../ask/index.ts';
import type { PagedList } from '../../ask/requests/paged-list.ts';
import type { Criterion } from '../../rules/criterion.ts';
import type { PageCriteria, PagedFacts } from '../../rules/pages.ts';
import { BOUND_ACCEPTED, NUMBER_INVALID, PAGE_SEAM } from '../advice.ts';
import type { Advice, Stated } from '../definition.ts';
import { drawnFor, needsOf, parameterClause } from './of-endpoint.ts';

const PAGE_SIZE: Advice = {
  why: 'Readers compute the number of pages from the size; another one makes them skip or repeat records.',
  usually: [
    'The size is not bounded, or that of the framework is used.',
    'An over-large value is taken as it is, although a smaller one is echoed.',
  ],
};

/** What is said of the pages of a list. */
interface PageWords {
  /** The list, such as `featured news`. */
  readonly list: string;
  /** With its article, such as `A news page_size`. */
  readonly size: string;
  /** The clause of §8 that states the bounds of its page_size. */
  readonly bounds: string;
  /** The clause that states the envelope of a page. */
  readonly envelope: string;
}

const clausesOf = ({ endpoint }: PagedFacts) => ({
  page: parameterClause(endpoint, 'page'),
  size: parameterClause(endpoint, 'page_size'),
});

/** Requirements of pages, whichever parameters have to be sent. */
export function pagesOf(pages: PagedFacts, words: PageWords) {
  const { maximum, utmost, judges } = pages;
  const { page, size } = clausesOf(pages);
  const needs = needsOf(pages.endpoint);
  const drawn = drawnFor(pages.endpoint);
  return {
    maximum: {
      title: `${words.size} above ${utmost} is refused or brought into the range`,
      defect: 'validation',
      clauses: [size, words.bounds],
      shownBy: 'a request for more than the maximum',
      rulings: [4],
      ...needs,
      ...PAGE_SIZE,
      ...drawn,
      judge: judges.over,
    },
    accepted: {
      title: `${words.size} of ${maximum} is accepted`,
      defect: 'validation',
      clauses: [size],
      rulings: [4],
      ...needs,
      ...BOUND_ACCEPTED,
      judge: judges.accepted,
    },
    full: {
      title: `A page of ${words.list} that is not the last is full`,
      defect: 'paging and order',
      clauses: [size],
      shownBy:
        'a page of a list that has at least as many items as this page and those before it can hold',
      rulings: [4],
      ...needs,
      why: 'Readers stop at the first page that is not full. A short page in the middle ends their download early.',
      usually: [
        'Hidden or filtered records are taken out after the page was cut.',
        'Duplicates are removed after the page was cut.',
      ],
      ...drawn,
      judge: judges.full,
    },
    echo: {
      title: `The envelope of ${words.list} repeats the page and page_size in use`,
      defect: 'paging and order',
      clauses: [page, words.envelope],
      ...needs,
      why: 'The echo is how a caller learns that its page_size was brought into the range.',
      usually: [
        'The envelope repeats the request instead of what was used.',
        'Pages are counted from 0 inside and from 1 outside.',
      ],
      ...drawn,
      judge: judges.echo,
    },
    total: {
      title: `total is the same on every page of ${words.list}`,
      defect: 'paging and order',
      clauses: [words.envelope],
      shownBy: 'two requests for parts of one list within a few minutes',
      rulings: [22],
      ...needs,
      why: 'Readers plan with total how many pages to fetch.',
      usually: [
        'total is the number of records on this page.',
        'total ignores the filter, or is an estimate of the database.',
      ],
      judge: judges.total,
    },
  } satisfies Readonly<Record<string, Stated>>;
}

/** Pages whose parameters may be left out, and have no stated minimum. */
interface OptionalPages extends PagedFacts {
  readonly judges: PageCriteria & Readonly<Record<'sizeDefault' | 'invalid' | 'join', Criterion>>;
}

/** What is said of pages whose parameters may be left out. */
interface OptionalPageWords extends Pick<PageWords, 'list' | 'bounds'> {
  /** The list with its verb, such as `Pairs without page_size come`. */
  readonly without: string;
  /** The parameter with its article, such as `A news page`. */
  readonly page: string;
}

/** Requirements of pages whose parameters may be left out. */
export function optionalPagesOf(pages: OptionalPages, words: OptionalPageWords) {
  const { fallback, judges } = pages;
  const { page, size } = clausesOf(pages);
  const needs = needsOf(pages.endpoint);
  const drawn = drawnFor(pages.endpoint);
  return {
    sizeDefault: {
      title: `${words.without} in pages of ${fallback}`,
      defect: 'validation',
      clauses: [size, words.bounds],
      shownBy: 'a request that leaves the parameter out',
      rulings: [4],
      ...needs,
      ...PAGE_SIZE,
      judge: judges.sizeDefault,
    },
    invalid: {
      title: `${words.page} or page_size of zero, below zero or not a number gets a conforming answer or a 400-class error`,
      defect: 'validation',
      clauses: [page, size],
      rulings: [4],
      ...needs,
      ...NUMBER_INVALID,
      ...drawn,
      judge: judges.invalid,
    },
    join: {
      title: `Pages 1 and 2 of ${words.list} make up one page of double size`,
      defect: 'paging and order',
      clauses: [page],
      rulings: [22],
      ...needs,
      ...PAGE_SEAM,
      ...drawn,
      judge: judges.join,
    },
  } satisfies Readonly<Record<string, Stated>>;
}

/** What is said of a list whose requirements bring their checks. */
interface ListWords extends PageWords, OptionalPageWords {
  /** Other parameters of the list, sent along with numbers that are bad and with such that are empty. */
  readonly beside?: { readonly bad: Query; readonly empty: Query };
}

/**
 * All requirements of a list in pages whose parameters may be left out, with their checks:
 * `'4.1/pairs-page-full': must(PAGE.full)`. What a list has besides, such as filters, it adds to them.
 */
export function pagedListOf(pages: OptionalPages, list: PagedList, words: ListWords) {
  const { largest, secondPage, fullPage, outOfBounds } = list;
  const { maximum, accepted, full: isFull, echo, total } = pagesOf(pages, words);
  const { sizeDefault, invalid, join } = optionalPagesOf(pages, words);
  // Page 2 in the default size beside the largest page shows what is ignored, repeated, left out or counted wrong.
  const seam = part('on page 2', list.bothPages, { atOnce: true });
  return {
    sizeDefault: {
      ...sizeDefault,
      checks: [check(secondPage)],
    },
    maximum: {
      ...maximum,
      checks: each([{ page_size: pages.utmost + 1 }], 'with %j', outOfBounds),
    },
    accepted: { ...accepted, checks: [check(largest)] },
    full: {
      ...isFull,
      checks: [check(async (context) => [await largest(context), await fullPage(context)])],
    },
    invalid: {
      ...invalid,
      // Whichever of several is refused, each of them alone may be what a server stumbles over.
      checks: each(
        [
          { page: 0, page_size: 'abc', ...words.beside?.bad },
          { page: -1 },
          { page: 'abc' },
          { page_size: 0 },
          { page_size: -1 },
          { page: '', page_size: '', ...words.beside?.empty },
        ] satisfies Query[],
        'with %j',
        outOfBounds,
      ),
    },
    echo: { ...echo, rulings: [22], checks: [check(largest), seam] },
    join: { ...join, checks: [seam] },
    total: {
      ...total,
      checks: [check(largest), seam, part('on the last page', list.lastPage)],
    },
  } satisfies Readonly<Record<string, Stated>>;
}
