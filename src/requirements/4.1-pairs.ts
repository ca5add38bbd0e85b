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
import { PAIR_PAGES } from '../rules/pages.ts';
import { PAGING } from '../rules/paging.ts';
import { PAIR_EXCHANGES } from '../rules/pair-exchanges.ts';
import { PAIR_ORDER } from '../rules/pairs.ts';
import { about, must, should, observe } from './definition.ts';
import { optionalPagesOf, pagesOf } from './families/pages.ts';

const needs = ['currencyIds'] as const;
const PAIRS = '4.1 GET /currencies/{currency_id}/pairs';

const words = { list: 'pairs', bounds: '8 pairs page_size' };
const PAGE = pagesOf(PAIR_PAGES, {
  ...words,
  size: 'A pairs page_size',
  envelope: '2.5 paging envelope',
});
const OPTIONAL = optionalPagesOf(PAIR_PAGES, {
  ...words,
  without: 'Pairs without page_size come',
  page: 'A page',
});

/** Page 2 of 20 beside page 1 of 100 shows what is ignored, repeated, left out or counted wrong. */
const PAGES = [
  part('on page 2', bothPages),
  part('on page 1, page 2 and a page of both', threePages, full),
];

/** Requirements of §4.1 on the parameters of pairs. */
export const PAIR_REQUIREMENTS = about(['/currencies/{currency_id}/pairs'], {
  '4.1/pairs-page-size-default': must({
    ...OPTIONAL.sizeDefault,
    checks: [
      check(secondPage),
      part('on the first page', (context) => afterSecond({}, context), full),
    ],
  }),
  '4.1/pairs-page-size-max': must({
    ...PAGE.maximum,
    checks: [
      ...each([{ page_size: 101 }], 'with %j', outOfBounds),
      ...each(
        [{ page_size: 200 }, { page_size: 1000 }, { page_size: 2_147_483_648 }],
        'with %j',
        outOfBounds,
        full,
      ),
    ],
  }),
  '4.1/pairs-page-size-max-accepted': must({ ...PAGE.accepted, checks: [check(of100)] }),
  '4.1/pairs-page-full': must({
    ...PAGE.full,
    checks: [
      check(async (context) => [await of100(context), await secondPage(context)]),
      ...each([{ page_size: 1 }, { page: 3, page_size: 7 }], 'with %j', afterSecond, full),
    ],
  }),
  '4.1/pairs-page-invalid': must({
    ...OPTIONAL.invalid,
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
  }),
  '4.1/pairs-page-echo': must({
    ...PAGE.echo,
    rulings: [22],
    checks: [check(of100), ...PAGES],
  }),
  '4.1/pairs-pages-join': must({
    ...OPTIONAL.join,
    checks: [...PAGES, part('beside order_by', sortedPages, full)],
    judge: [PAIR_EXCHANGES.pairsPagesJoin, OPTIONAL.join.judge],
  }),
  '4.1/pairs-total': must({
    ...PAGE.total,
    title: `${PAGE.total.title} and counts the items`,
    drawn: ['pairs'],
    checks: [
      check(of100),
      ...PAGES,
      part('on the last page', lastPage, full),
      part('with a filter', ofExchangeAndAll),
      part('with a filter, all of the exchange in one answer', wholeExchange, full),
    ],
    judge: [PAIR_EXCHANGES.pairsTotal, PAGE.total.judge],
  }),
  '4.1/pairs-order-default': must({
    title: 'Pairs come by 24h volume, largest first, unless asked otherwise',
    defect: 'paging and order',
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
    defect: 'filters and windows',
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
    defect: 'filters and windows',
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
