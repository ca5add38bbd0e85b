import { check, each, part } from '../ask/index.ts';
import {
  ofExchangeAndAll,
  ofExchangeByPrice,
  ofExchangeInOrder,
  ofExchangeOnPage2,
  wholeExchange,
} from '../ask/requests/pair-exchanges.ts';
import { pairsFarBeyond } from '../ask/requests/edges.ts';
import { inOrder, PAIR_LIST, pairs, sortedPages } from '../ask/requests/pairs.ts';
import { PAGES } from '../rules/pages.ts';
import { PAGING } from '../rules/paging.ts';
import { PAIR_EXCHANGES } from '../rules/pair-exchanges.ts';
import { PAIR_ORDER } from '../rules/pairs.ts';
import { about, must, should, observe } from './definition.ts';
import { pagedListOf } from './families/pages.ts';

const needs = ['currencyIds'] as const;
const PAIRS = '4.1 GET /currencies/{currency_id}/pairs';

const PAGE = pagedListOf(PAGES['/currencies/{currency_id}/pairs'], PAIR_LIST, {
  list: 'pairs',
  size: 'A pairs page_size',
  bounds: '8 pairs page_size',
  envelope: '2.5 paging envelope',
  without: 'Pairs without page_size come',
  page: 'A page',
  beside: { bad: { order_by: 'turnover_24h', exchange: '' }, empty: { order_by: '' } },
});

/** Requirements of §4.1 on the parameters of pairs. */
export const PAIR_REQUIREMENTS = about(['/currencies/{currency_id}/pairs'], {
  '4.1/pairs-page-size-default': must(PAGE.sizeDefault),
  '4.1/pairs-page-size-max': must(PAGE.maximum),
  '4.1/pairs-page-size-max-accepted': must(PAGE.accepted),
  '4.1/pairs-page-full': must(PAGE.full),
  '4.1/pairs-page-invalid': must(PAGE.invalid),
  '4.1/pairs-page-echo': must(PAGE.echo),
  '4.1/pairs-pages-join': must({
    ...PAGE.join,
    checks: [...PAGE.join.checks, part('beside order_by', sortedPages, { atOnce: true })],
    judge: [PAIR_EXCHANGES.pairsPagesJoin, PAGE.join.judge],
  }),
  '4.1/pairs-total': must({
    ...PAGE.total,
    title: `${PAGE.total.title} and counts the items`,
    drawn: ['pairs'],
    checks: [
      ...PAGE.total.checks,
      part('with a filter', ofExchangeAndAll),
      part('with a filter, all of the exchange in one answer', wholeExchange),
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
    checks: [check(inOrder), part('with a filter', ofExchangeInOrder)],
    judge: PAIR_ORDER.pairsOrderDefault,
  }),
  '4.1/pairs-order-by': observe({
    title: 'Which order_by fields are accepted',
    clauses: ['4.1 order_by field names'],
    shownBy: 'a request with that parameter',
    needs,
    checks: each(
      // Fields that pairs may be sorted by, beside another parameter, which has to hold all the same.
      [
        { order_by: 'turnover_24h', page: 2, page_size: 7 },
        { order_by: 'price', page_size: 9 },
      ],
      'with %j',
      pairs,
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
      check(ofExchangeAndAll),
      part('on page 2', ofExchangeOnPage2),
      part('beside order_by', ofExchangeByPrice),
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
    checks: [check(pairsFarBeyond)],
    judge: PAGING.pairsBeyondLast,
  }),
});
