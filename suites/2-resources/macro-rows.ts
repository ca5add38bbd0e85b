// §2.10: rows of the history of a macro event.
import { ENOUGH_RELEASES, RELEASE_LATE_MS } from '../numbers.ts';
import { check, part } from '../../src/ask/index.ts';
import * as macro from '../4.6-macro-and-charts/requests.ts';
import { about, observe, should } from '../../src/requirements/definition.ts';
import { isJudgeable } from '../../src/judge/context.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeEach } from '../../src/judge/judge.ts';
import { MACRO_RELEASES } from '../../src/judge/series.ts';
import { isObject } from '../../src/judge/view.ts';
import { fieldsOf } from '../families/field.ts';
import { shownAt } from '../families/resource-requests.ts';
import { readTimes } from './times.ts';

const MACRO = '/macro/events/{event}/history';

export const MACRO_ROWS = {
  ...fieldsOf('macro-history-row'),
  ...about([MACRO], {
    '2.10/date-format': observe({
      title: 'Date format of macro rows',
      clauses: ['2.10 date'],
      checks: [check(shownAt(MACRO))],
      judge: readTimes('dateText'),
    }),
    '2.10/released': should({
      title: 'Rows of past releases have figures',
      clauses: ['2.10 actual', '2.10 previous'],
      rulings: [3],
      why: 'A history without figures is useless.',
      usually: [
        'The figures are stored under other names, and null is sent in their place.',
        'Only the calendar was imported, not the figures.',
      ],
      checks: [check(macro.all), part('in the plain answer', macro.history)],
      // Future releases have null, but not all past ones (ruling 3).
      judge: judgeEach((view, context, it) => {
        if (view.exchange.endpoint !== MACRO || !view.ok) return;
        if (view.wrapped || !isJudgeable(view, context)) return;
        const past = view.records.filter(({ value }) => {
          const time = MACRO_RELEASES.timeOf(value);
          return time !== undefined && time < view.now - RELEASE_LATE_MS;
        });
        if (past.length < ENOUGH_RELEASES) return;
        for (const field of ['actual', 'previous']) {
          const empty = past.every(({ value }) => isObject(value) && value[field] === null);
          const [first] = past;
          it.expect(view, !empty, () => ({
            kind: 'null-in-past',
            facts: { field, rows: past.length },
            expected: `the ${field} of at least one release`,
            actual: show(first?.value),
            pointer: `${first?.pointer ?? view.root}/${field}`,
          }));
        }
      }),
    }),
  }),
};
