import { ACCEPTED } from '../rules/acceptance.ts';
import { MARKET_VALUES } from '../rules/market-values.ts';
import { ORDERING } from '../rules/ordering.ts';
import { MACRO_RELEASES } from '../rules/series.ts';
import { ANSWERED } from '../rules/shapes.ts';
import {
  BOUND_ACCEPTED,
  LIMIT_DEFAULT,
  LIMIT_EXACT,
  LIMIT_MAXIMUM,
  NUMBER_INVALID,
  PLAIN_REQUEST,
  RANGE,
} from './advice.ts';
import { about, must, should, observe, type Definition } from './definition.ts';

const MACRO = '4.6 GET /macro/events/{event}/history';
const macro = ['macroEvents'] as const;

/** Requirements of §4.6. */
export const MACRO_AND_CHART_REQUIREMENTS = {
  ...about(['/macro/events/{event}/history'], {
    '4.6/macro-history': must({
      title: 'The history of a macro event answers 200 with an array',
      clauses: [MACRO, '1 Macro'],
      needs: macro,
      ...PLAIN_REQUEST,
      judge: ANSWERED['/macro/events/{event}/history'],
    }),
    '4.6/macro-limit-default': must({
      title: 'Macro history without limit is the same as with limit=50',
      clauses: [`${MACRO} ?limit`, '8 macro history limit'],
      rulings: [22],
      needs: macro,
      ...LIMIT_DEFAULT,
      judge: MACRO_RELEASES.limit.judges.byDefault,
    }),
    '4.6/macro-limit-exact': must({
      title: 'A macro limit below what there is gives exactly that many rows',
      clauses: [`${MACRO} ?limit`],
      rulings: [4],
      needs: macro,
      ...LIMIT_EXACT,
      drawn: ['macro-history'],
      judge: MACRO_RELEASES.limit.judges.exact,
    }),
    '4.6/macro-limit-max': must({
      title: 'A macro limit above 100 is refused or brought into the range',
      clauses: [`${MACRO} ?limit`, '8 macro history limit'],
      rulings: [4],
      needs: macro,
      ...LIMIT_MAXIMUM,
      drawn: ['macro-history'],
      judge: MACRO_RELEASES.limit.judges.over,
    }),
    '4.6/macro-limit-max-accepted': must({
      title: 'A macro limit of 100 is accepted',
      clauses: [`${MACRO} ?limit`],
      rulings: [4],
      needs: macro,
      ...BOUND_ACCEPTED,
      judge: [ACCEPTED.macroLimitMaxAccepted, MACRO_RELEASES.limit.judges.accepted],
    }),
    '4.6/macro-limit-invalid': must({
      title:
        'A macro limit of zero, below zero or not a number gets a conforming answer or a 400-class error',
      clauses: [`${MACRO} ?limit`],
      rulings: [4],
      needs: macro,
      ...NUMBER_INVALID,
      drawn: ['macro-history'],
      judge: MACRO_RELEASES.limit.judges.invalid,
    }),
    '4.6/macro-range': must({
      title: 'start_date and end_date select the macro rows between them',
      clauses: [`${MACRO} ?start_date`, `${MACRO} ?end_date`],
      rulings: [22],
      needs: macro,
      ...RANGE,
      drawn: ['macro-history'],
      judge: MACRO_RELEASES.judges.range,
    }),
    '4.6/macro-order': observe({
      title: 'Order of macro rows',
      clauses: [MACRO],
      needs: macro,
      judge: ORDERING.macroOrder,
    }),
  }),
  '4.6/analyses': must({
    title: 'The chart list answers 200 with an array',
    clauses: ['4.6 GET /analyses', '1 Analysis charts'],
    endpoints: ['/analyses'],
    ...PLAIN_REQUEST,
    judge: ANSWERED['/analyses'],
  }),
  '4.6/charts-resolve': should({
    title: 'A listed chart name has data',
    clauses: ['4.6 GET /analyses', '4.7 GET /analyses/{chart_name}'],
    endpoints: ['/analyses', '/analyses/{chart_name}'],
    needs: ['chartNames'],
    ...PLAIN_REQUEST,
    judge: MARKET_VALUES.chartsResolve,
  }),
} as const satisfies Record<string, Definition>;
