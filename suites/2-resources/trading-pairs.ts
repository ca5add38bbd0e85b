// §2.5: trading pairs, and the envelope of every paged list.
import { check } from '../../src/ask/index.ts';
import { PAIRS } from '../4.1-currencies/pair-pages.ts';
import { about, should } from '../../src/requirements/definition.ts';
import { decimalOf } from '../../src/judge/text/decimals.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import { objectsOf } from '../../src/judge/values-at.ts';
import { isObject } from '../../src/judge/view.ts';
import { fieldsOf, pageFields } from '../families/field.ts';
import { currencyOf, hasSide, namesOf, sidesOf } from '../families/of-currency.ts';
import { withPairs, shownAt } from '../families/resource-requests.ts';
import { NON_NEGATIVE } from './advice.ts';
import { everyValue, isDecimal, judgeValues } from './judge.ts';

export const TRADING_PAIRS = {
  ...fieldsOf('trading-pair'),
  ...pageFields(),
  ...about([PAIRS], {
    '2.5/base-or-target': should({
      title: 'Every pair of a currency has that currency as base or target',
      clauses: ['2.5 base', '2.5 target'],
      why: 'Clients add the volume of unrelated pairs to that of the currency.',
      usually: [
        'Pairs are looked up by a name that two currencies share.',
        'Wrapped or bridged tokens are counted as the original.',
      ],
      checks: [check(withPairs('/currencies/{currency_id}'))],
      // Names of the currency come from currency info (§2.1).
      judge: judgeAll((views, context, it) => {
        const known = namesOf(views, context);
        for (const view of views) {
          const names = known.get(currencyOf(view));
          if (names === undefined) continue;
          judgeValues(
            view,
            objectsOf(view, context, 'trading-pair').filter(
              ({ value }) => sidesOf(value).length === 2,
            ),
            {
              kind: 'foreign-pair',
              expected: `${names.symbol} as base or target`,
              holds: (value) => isObject(value) && hasSide(value, names),
              actual: ({ value }) =>
                isObject(value)
                  ? `base ${show(value['base'])}, target ${show(value['target'])}`
                  : show(value),
            },
            it,
          );
        }
      }),
    }),
    '2.5/non-negative': should({
      title: 'Price, turnover and costs of a pair are not negative',
      clauses: ['2.5 price', '2.5 turnover_24h'],
      ...NON_NEGATIVE,
      checks: [check(shownAt(PAIRS))],
      judge: everyValue(
        'trading-pair',
        ['/price', '/turnover_24h', '/cost_to_move_up_usd', '/cost_to_move_down_usd'],
        isDecimal,
        {
          kind: 'negative-figure',
          expected: 'at least 0',
          holds: (value) => (decimalOf(value) ?? 0) >= 0,
        },
      ),
    }),
  }),
};
