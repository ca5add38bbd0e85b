import { answersOf } from '../families/of-endpoint.ts';
import { check, each, part, type Check, type Query } from '../../src/ask/index.ts';
import { farBeyond } from '../4-general/requirements.ts';
import { CURRENCY_KLINE_CHECKS as CHECKS, klinesOf } from '../families/klines.ts';
import { together } from '../families/series-requests.ts';
import { atPosition, withPairs } from '../families/resource-requests.ts';
import type { EndpointPath } from '../../src/spec/endpoints.ts';
import {
  about,
  must,
  observe,
  ofEndpoints,
  should,
  type Definition,
} from '../../src/requirements/definition.ts';
import { limitPartOf } from '../families/limit.ts';
import { PAGES } from '../../src/judge/pages.ts';
import { CURRENCY_CANDLES } from '../../src/judge/series.ts';
import { ownRows } from '../families/own-rows.ts';
import { byRestrictedKey } from '../families/restricted-key-requests.ts';
import { optionalPagesOf, pagesOf } from '../families/pages/pages.ts';
import { inOneOrder, keptEnd, orderOf } from '../families/series-order.ts';
import {
  filteredTotal,
  ofOneExchange,
  ownRecord,
  beyondLast,
  byVolume,
  orderByField,
} from './judge.ts';
import {
  bothPages,
  fullPages,
  lastPage,
  of100,
  outOfBounds,
  PAIRS,
  pairs,
  secondPage,
  inOrder,
  inOrderLater,
  filteredPages,
  ofExchangeAndAll,
  ofExchangeWithOrder,
  ofExchangeInOrder,
  ofExchangeOnPage2,
  sortedPages,
  wholeExchange,
} from './requests.ts';

const LIST = '4.1 GET /currencies/{currency_id}/pairs';
const KLINES = '4.1 GET /currencies/{currency_id}/klines';

const KLINE = klinesOf(CURRENCY_CANDLES, CHECKS, {
  list: 'Klines',
  interval: 'An `interval`',
  limit: 'A klines `limit`',
  range: 'A klines range',
  candle: 'currency candle',
  candles: 'candles',
});

const words = { list: 'pairs', bounds: '8 pairs page_size' };
const PAGE = pagesOf(PAGES[PAIRS], {
  ...words,
  size: 'A pairs `page_size`',
  envelope: '2.5 paging envelope',
});
const OPTIONAL = optionalPagesOf(PAGES[PAIRS], {
  ...words,
  without: 'Pairs without `page_size` are returned',
  page: 'A pairs `page`',
});

/** Page 2 at the default size next to the largest page shows what is ignored, repeated, skipped or miscounted. */
const ON_PAGE_2 = part('on page 2', bothPages, { atOnce: true });

/** The plain request, and the same for currencies further down the list. */
const plainAndOthers = (path: EndpointPath, positions: readonly number[]): readonly Check[] => [
  check(({ api }) => api.get(path)),
  ...each(positions, 'for the currency at place %s of the list', atPosition(path)),
];

/** Requirements of §4.1. */
export const CURRENCY_REQUIREMENTS = {
  '4.1/info': answersOf('/currencies/{currency_id}', {
    title: 'Currency info returns 200 with an object',
    clauses: ['1 Currencies and pairs'],
    checks: plainAndOthers('/currencies/{currency_id}', [1, 2]),
  }),
  '4.1/market-snapshot': answersOf('/currencies/{currency_id}/market-snapshot', {
    title: 'The market snapshot of a currency returns 200 with an object',
    checks: plainAndOthers('/currencies/{currency_id}/market-snapshot', [1]),
  }),
  '4.1/own-record': must({
    title: 'Each currency has its own snapshot and pairs',
    clauses: ['4.1 GET /currencies/{currency_id}/market-snapshot', LIST],
    ...ofEndpoints('/currencies/{currency_id}/market-snapshot', PAIRS),
    rulings: [22],
    why: "A client that gets another currency's figures trades on the wrong price.",
    usually: [
      'The identifier in the path is ignored: the first record, or that of the largest currency, is always returned.',
      'The record comes from a cache whose key lacks the identifier.',
    ],
    checks: [check(withPairs('/currencies/{currency_id}'))],
    judge: ownRecord,
  }),
  '4.1/token-economics': answersOf('/currencies/{currency_id}/token-economics', {
    title: 'Token economics returns 200 with an object',
    checks: plainAndOthers('/currencies/{currency_id}/token-economics', [1, 2]),
  }),
  '4.1/klines': answersOf('/currencies/{currency_id}/klines', {
    title: 'Currency klines return 200 with an array',
    checks: CHECKS.answers,
  }),
  '4.1/pairs': answersOf(PAIRS, {
    title: 'Pairs of a currency return 200 with a paging envelope',
    clauses: ['2.5 paging envelope'],
    checks: [check(of100)],
  }),
  '4.1/fundraising': answersOf('/currencies/{currency_id}/fundraising', {
    title: 'Currency fundraising returns 200 with an object',
    checks: plainAndOthers('/currencies/{currency_id}/fundraising', [1]),
  }),
  ...KLINE.parameters,
  ...about(['/currencies/{currency_id}/klines'], {
    '4.1/klines-limit-part': should({
      ...limitPartOf(CURRENCY_CANDLES, 'klines `limit`'),
      checks: CHECKS.limitPart,
    }),
    ...KLINE.range,
    '4.1/klines-own': must({
      title: 'Each currency has its own candles',
      clauses: [KLINES],
      rulings: [22],
      why: "Another currency's chart looks right, so the error goes unnoticed.",
      usually: [
        'The cache key lacks the currency.',
        'Two ids in the target file belong to the same currency.',
      ],
      checks: CHECKS.own,
      judge: ownRows({ series: CURRENCY_CANDLES }),
    }),
    '4.1/klines-one-order': should({
      title: 'Candles are in a consistent order, without duplicate timestamps',
      clauses: ['4.1 klines order'],
      rulings: [19],
      ...inOneOrder(CURRENCY_CANDLES),
      checks: CHECKS.oneOrder,
    }),
    '4.1/klines-order': observe({
      title: 'Order of candles, and which end of the range `limit` keeps',
      clauses: ['4.1 klines order'],
      rulings: [19],
      checks: CHECKS.order,
      judge: [orderOf(CURRENCY_CANDLES, 'Order of candles of a currency'), keptEnd],
    }),
  }),
  ...about([PAIRS], {
    '4.1/pairs-page-size-default': must({ ...OPTIONAL.sizeDefault, checks: [check(secondPage)] }),
    '4.1/pairs-page-size-max': must({
      ...PAGE.maximum,
      checks: each([{ page_size: PAGES[PAIRS].utmost + 1 }], 'with %j', outOfBounds),
    }),
    '4.1/pairs-page-size-max-accepted': must({ ...PAGE.accepted, checks: [check(of100)] }),
    '4.1/pairs-page-full': must({ ...PAGE.full, checks: [check(fullPages)] }),
    '4.1/pairs-page-invalid': must({
      ...OPTIONAL.invalid,
      // Any of these values alone may crash a server, whichever one it would refuse.
      checks: each(
        [
          { page: 0, page_size: 'abc', order_by: 'turnover_24h', exchange: '' },
          { page: -1 },
          { page: 'abc' },
          { page_size: 0 },
          { page_size: -1 },
          { page: '', page_size: '', order_by: '' },
        ] satisfies Query[],
        'with %j',
        outOfBounds,
      ),
    }),
    '4.1/pairs-page-echo': must({
      ...PAGE.echo,
      rulings: [22],
      checks: [check(of100), ON_PAGE_2],
    }),
    '4.1/pairs-pages-join': must({
      ...OPTIONAL.join,
      checks: [
        ON_PAGE_2,
        part('with order_by', sortedPages, { atOnce: true }),
        part('with a filter', filteredPages, { atOnce: true }),
      ],
    }),
    '4.1/pairs-total': must({
      ...PAGE.total,
      title: `${PAGE.total.title} and counts the items`,
      checks: [
        check(of100),
        ON_PAGE_2,
        part('on the last page', lastPage()),
        part('on the last page, with the restricted key', lastPage(byRestrictedKey)),
        part('with a filter', ofExchangeAndAll),
        part('with a filter, all pairs of the exchange in one answer', wholeExchange),
      ],
      judge: [PAGE.total.judge, filteredTotal],
    }),
    '4.1/pairs-order-default': must({
      title: 'Pairs are sorted by 24h volume by default, largest first',
      clauses: [`${LIST} ?order_by`],
      shownBy: 'a request without the parameter',
      why: 'Clients expect the largest markets on the first page.',
      usually: [
        'The list is sorted by exchange rank or price, not by the 24h volume in the response.',
        'Volumes changed between sorting and sending: sort by the figures that are sent.',
        'Pairs without volume (null, "") are sorted to the top.',
      ],
      checks: [
        check(inOrder),
        part('on page 2', inOrderLater),
        part('with a filter', ofExchangeInOrder),
      ],
      judge: byVolume,
    }),
    '4.1/pairs-order-by': observe({
      title: 'Which `order_by` fields are accepted',
      clauses: ['4.1 order_by field names'],
      shownBy: 'a request with that parameter',
      checks: each(
        // Sort fields combined with another parameter, which must still apply.
        [
          { order_by: 'turnover_24h', page: 2, page_size: 7 },
          { order_by: 'price', page_size: 9 },
        ],
        'with %j',
        pairs,
      ),
      judge: orderByField,
    }),
    '4.1/pairs-exchange-filter': must({
      title: '`exchange=X` returns only pairs on that exchange',
      clauses: [`${LIST} ?exchange`],
      hinderedBy: ['2.5/page-list', '4.1/pairs-page-size-max-accepted'],
      shownBy: 'a request with that parameter',
      needs: ['currencyIds', 'exchanges'],
      why: 'A client that also gets pairs from other exchanges computes totals for the wrong market.',
      usually: [
        "The filter is ignored, or matches a part of the exchange's name.",
        'The filter compares internal exchange ids, so the displayed name matches nothing.',
      ],
      checks: [
        check(ofExchangeAndAll),
        part('on page 2', ofExchangeOnPage2),
        part('with order_by', ofExchangeWithOrder),
      ],
      judge: ofOneExchange,
    }),
    '4.1/pairs-beyond-last': observe({
      title: 'Response to a page beyond the last one',
      clauses: [`${LIST} ?page`],
      checks: [check(together(of100, farBeyond(PAIRS)))],
      judge: beyondLast,
    }),
  }),
} as const satisfies Record<string, Definition>;
