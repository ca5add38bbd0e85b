// §2.3: token economics.
import { check } from '../../src/ask/index.ts';
import { about, should } from '../../src/requirements/definition.ts';
import { isDecimalText } from '../../src/judge/text/decimals.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import { objectsOf, valuesAt } from '../../src/judge/values-at.ts';
import { fieldsOf } from '../families/field.ts';
import { shownAt } from '../families/resource-requests.ts';
import { everyValue, isText } from './judge.ts';

const ECONOMICS = '/currencies/{currency_id}/token-economics';
const checks = [check(shownAt(ECONOMICS))];

export const TOKEN_ECONOMICS = {
  ...fieldsOf('token-economics'),
  ...about([ECONOMICS], {
    '2.3/percentage-range': should({
      title: 'Allocation percentages are between 0 and 100',
      clauses: ['2.3 token_allocation'],
      why: 'Shares of a supply are displayed unchanged; a share below 0 or above 100 is impossible.',
      usually: ['Amounts are sent instead of shares.', 'Overlapping shares are added up.'],
      checks,
      judge: everyValue(
        'token-economics',
        ['/token_allocation/*/percentage'],
        (value) => typeof value === 'number',
        {
          kind: 'allocation-not-a-percentage',
          expected: 'a number from 0 to 100',
          holds: (value) => Number(value) >= 0 && Number(value) <= 100,
        },
      ),
    }),
    '2.3/unlock-strings': should({
      title: 'Unlocked and locked amounts are decimal strings',
      clauses: ['2.3 token_unlock'],
      why: 'Clients compute with these amounts; a separator or a unit makes them fail or read a different number.',
      usually: ['Amounts are formatted for display, with separators or a symbol.'],
      checks,
      judge: everyValue(
        'token-economics',
        ['/token_unlock/unlocked', '/token_unlock/total_locked'],
        isText,
        {
          kind: 'amount-not-a-number',
          expected: 'a decimal string without separators or units',
          holds: isDecimalText,
        },
      ),
    }),
    '2.3/unlock-timeline-null': should({
      title: '`unlock_timeline` is null, not an empty array, when there is no data',
      clauses: ['2.3 unlock_timeline'],
      why: 'null means that nothing is known; an empty array means that nothing will ever be unlocked.',
      usually: [
        'The empty result of a query is sent unchanged.',
        'The serialiser converts null to an empty array for every array field.',
      ],
      checks,
      // A target that sends null elsewhere may use an empty array for a currency with nothing left to unlock.
      judge: judgeAll((views, context, it) => {
        const sent = views.flatMap((view) =>
          objectsOf(view, context, 'token-economics')
            .flatMap((record) => valuesAt(record, '/unlock_timeline'))
            .filter(({ value }) => value === null || (Array.isArray(value) && value.length === 0))
            .map(({ pointer, value }) => ({ view, pointer, isNull: value === null })),
        );
        const tellsApart = sent.some(({ isNull }) => isNull);
        for (const { view, pointer, isNull } of sent) {
          if (tellsApart && !isNull) continue;
          it.expect(view, isNull, () => ({
            kind: 'timeline-empty',
            expected: 'null when there is no data',
            actual: '[], and null for none of the currencies that were looked at',
            pointer,
          }));
        }
      }),
    }),
  }),
};
