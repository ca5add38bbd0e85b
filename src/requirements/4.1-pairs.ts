import { check, each, full, part, smoke, type Query } from '../ask/index.ts';
import {
  ofExchange,
  ofExchangeAndAll,
  ofExchangeByPrice,
  ofExchangeInOrder,
  ofExchangeOnPage2,
  wholeExchange,
} from '../ask/requests/pair-exchanges.ts';
import {
  afterSecond,
  bothPages,
  farBeyond,
  inOrder,
  lastPage,
  of100,
  outOfBounds,
  pairs,
  secondPage,
  sortedPages,
  threePages,
} from '../ask/requests/pairs.ts';
import { ACCEPTED } from '../rules/acceptance.ts';
import { PAIR_PAGES } from '../rules/pages.ts';
import { PAGING } from '../rules/paging.ts';
import { PAIR_EXCHANGES } from '../rules/pair-exchanges.ts';
import { PAIR_ORDER } from '../rules/pairs.ts';
import {
  BOUND_ACCEPTED,
  NUMBER_INVALID,
  PAGE_ECHO,
  PAGE_FULL,
  PAGE_SEAM,
  PAGE_SIZE,
  TOTAL,
} from './advice.ts';
import { about, must, should, observe } from './definition.ts';

const needs = ['currencyIds'] as const;
const PAIRS = '4.1 GET /currencies/{currency_id}/pairs';

/** Page 2 of 20 beside page 1 of 100 shows what is ignored, repeated, left out or counted wrong. */
const PAGES = [
  part('on page 2', bothPages),
  part('on page 1, page 2 and a page of both', threePages, full),
];

/** Requirements of §4.1 on the parameters of pairs. */
export const PAIR_REQUIREMENTS = about(['/currencies/{currency_id}/pairs'], {
  '4.1/pairs-page-size-default': must({
    title: 'Pairs without page_size come in pages of 20',
    clauses: [`${PAIRS} ?page_size`, '8 pairs page_size'],
    shownBy: 'a request that leaves the parameter out',
    rulings: [4],
    needs,
    ...PAGE_SIZE,
    checks: [
      check(secondPage),
      part('on the first page', (context) => afterSecond({}, context), full),
    ],
    judge: PAIR_PAGES.judges.sizeDefault,
  }),
  '4.1/pairs-page-size-max': must({
    title: 'A pairs page_size above 100 is refused or brought into the range',
    clauses: [`${PAIRS} ?page_size`, '8 pairs page_size'],
    shownBy: 'a request for more than the maximum',
    rulings: [4],
    needs,
    ...PAGE_SIZE,
    drawn: ['pairs'],
    checks: [
      ...each([{ page_size: 101 }], 'with %j', outOfBounds),
      ...each(
        [{ page_size: 200 }, { page_size: 1000 }, { page_size: 2_147_483_648 }],
        'with %j',
        outOfBounds,
        full,
      ),
    ],
    judge: PAIR_PAGES.judges.over,
  }),
  '4.1/pairs-page-size-max-accepted': must({
    title: 'A pairs page_size of 100 is accepted',
    clauses: [`${PAIRS} ?page_size`],
    rulings: [4],
    needs,
    ...BOUND_ACCEPTED,
    checks: [check(of100)],
    judge: [ACCEPTED.pairsPageSizeMaxAccepted, PAIR_PAGES.judges.accepted],
  }),
  '4.1/pairs-page-full': must({
    title: 'A page of pairs that is not the last is full',
    clauses: [`${PAIRS} ?page_size`],
    rulings: [4],
    needs,
    ...PAGE_FULL,
    drawn: ['pairs'],
    checks: [
      check(async (context) => [await of100(context), await secondPage(context)]),
      ...each([{ page_size: 1 }, { page: 3, page_size: 7 }], 'with %j', afterSecond, full),
    ],
    judge: PAIR_PAGES.judges.full,
  }),
  '4.1/pairs-page-invalid': must({
    title:
      'A page or page_size of zero, below zero or not a number gets a conforming answer or a 400-class error',
    clauses: [`${PAIRS} ?page`, `${PAIRS} ?page_size`],
    rulings: [4],
    needs,
    ...NUMBER_INVALID,
    drawn: ['pairs'],
    checks: [
      // Whichever of them is refused: each of them alone may be what a server stumbles over.
      ...each(
        [{ page: 0, page_size: 'abc', order_by: 'turnover_24h', exchange: '' }],
        'with %j',
        outOfBounds,
      ),
      ...each(
        [
          { page: 0 },
          { page: -1 },
          { page: 'abc' },
          { page: '1.5' },
          { page_size: 0 },
          { page_size: -1 },
          { page_size: 'abc' },
          { page: '', page_size: '', order_by: '' },
        ] satisfies Query[],
        'with %j',
        outOfBounds,
        full,
      ),
    ],
    judge: PAIR_PAGES.judges.invalid,
  }),
  '4.1/pairs-page-echo': must({
    title: 'The envelope of pairs repeats the page and page_size in use',
    clauses: [`${PAIRS} ?page`, '2.5 paging envelope'],
    rulings: [22],
    needs,
    ...PAGE_ECHO,
    drawn: ['pairs'],
    checks: [check(of100), ...PAGES],
    judge: PAIR_PAGES.judges.echo,
  }),
  '4.1/pairs-pages-join': must({
    title: 'Pages 1 and 2 of pairs make up one page of double size',
    clauses: [`${PAIRS} ?page`],
    rulings: [22],
    needs,
    ...PAGE_SEAM,
    drawn: ['pairs'],
    checks: [...PAGES, part('beside order_by', sortedPages, full)],
    judge: [PAIR_EXCHANGES.pairsPagesJoin, PAIR_PAGES.judges.join],
  }),
  '4.1/pairs-total': must({
    title: 'total is the same on every page of pairs and counts the items',
    clauses: ['2.5 paging envelope'],
    rulings: [22],
    needs,
    ...TOTAL,
    drawn: ['pairs'],
    checks: [
      check(of100),
      ...PAGES,
      part('on the last page', lastPage, full),
      part('with a filter', ofExchangeAndAll),
      part('with a filter, all of the exchange in one answer', wholeExchange, full),
    ],
    judge: [PAIR_EXCHANGES.pairsTotal, PAIR_PAGES.judges.total],
  }),
  '4.1/pairs-order-default': must({
    title: 'Pairs come by 24h volume, largest first, unless asked otherwise',
    clauses: [`${PAIRS} ?order_by`],
    shownBy: 'a request that leaves the parameter out',
    needs,
    why: 'Callers take the first page for the largest markets.',
    usually: [
      'The order is by rank of the exchange or by price, not by the 24h volume in the answer.',
      'Volumes moved between sorting and sending: the order is judged on the figures in one answer, so the list should be sorted by those.',
      'Pairs without volume (null, "") are sorted to the top.',
    ],
    checks: [check(inOrder, smoke), part('with a filter', ofExchangeInOrder)],
    judge: PAIR_ORDER.pairsOrderDefault,
  }),
  '4.1/pairs-order-by': observe({
    title: 'Which order_by fields are accepted',
    clauses: ['4.1 order_by field names'],
    shownBy: 'a request with that parameter',
    needs,
    checks: each(
      // Fields that pairs may be sorted by; the first two beside another parameter, which has to hold all the same.
      [
        { order_by: 'turnover_24h', page: 2, page_size: 7 },
        { order_by: 'price', page_size: 9 },
        { order_by: 'market' },
        { order_by: 'no_such_field' },
      ],
      'with %j',
      pairs,
      full,
    ),
    judge: PAIR_ORDER.pairsOrderBy,
  }),
  '4.1/pairs-exchange-filter': must({
    title: 'exchange=X gives only pairs of that exchange',
    clauses: [`${PAIRS} ?exchange`],
    shownBy: 'a request with that parameter',
    needs: ['currencyIds', 'exchanges'],
    why: 'Who asks for one exchange and gets others adds up the wrong market.',
    usually: [
      'The filter is ignored, or matches a part of the name.',
      'The filter compares with an internal id of the exchange, so that the shown name finds nothing.',
    ],
    drawn: ['pairs'],
    checks: [
      check(ofExchange),
      part('on page 2', ofExchangeOnPage2, full),
      part('beside order_by', ofExchangeByPrice, full),
    ],
    judge: PAIR_EXCHANGES.pairsExchangeFilter,
  }),
  '4.1/pairs-exchange-complete': should({
    title: 'exchange=X leaves out no pair of that exchange',
    clauses: [`${PAIRS} ?exchange`],
    shownBy: 'two requests for parts of one list within a few minutes',
    rulings: [22],
    needs: ['currencyIds', 'exchanges'],
    why: 'A filter that leaves pairs out understates a market.',
    usually: [
      'The filter is applied to the first page only.',
      'The name is compared with regard to case or to spaces.',
    ],
    checks: [check(ofExchangeAndAll)],
    judge: PAIR_EXCHANGES.pairsExchangeComplete,
  }),
  '4.1/pairs-beyond-last': observe({
    title: 'Answer to a page beyond the last one',
    clauses: [`${PAIRS} ?page`],
    needs,
    checks: [check(farBeyond, full)],
    judge: PAGING.pairsBeyondLast,
  }),
});
