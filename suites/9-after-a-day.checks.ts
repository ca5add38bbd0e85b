// What needs a day to pass on the target. Runs last: on a test target with clock.control, the clock is moved forward.
import { NEEDS_TIME } from '../src/contract/cause.ts';
import { DAY } from '../src/contract/time.ts';
import { COUNTRIES } from '../src/contract/values.ts';
import { settledBy } from '../src/rules/etf-settlement.ts';
import { requirement, Untested } from '../src/suite/index.ts';
import {
  baseHistory,
  datesOf,
  historiesOf,
  HISTORY,
  historyBeforeSettlement,
  plainHistory,
  unsettledDate,
} from '../src/ask/requests/etf.ts';
import { judgedSoFar } from '../src/ask/requests/limits.ts';

// T+1 on the next trading day, when today's answer had no unsettled row (ruling 17). Costs nothing on a trading day.
for (const id of [
  '4.4/t1-group',
  '4.4/t1-newest-only',
  '4.4/t1-filled',
  '4.4/t1-current-day',
] as const) {
  requirement(id, 'on the next trading day', async (context) => {
    if (unsettledDate(await baseHistory(context)) !== undefined) {
      throw new Untested('the row of today is unsettled and was judged');
    }
    context.expect(await historyBeforeSettlement(context)).toConform();
  });
}

requirement('4.4/t1-completes', 'of a row that an earlier run saw unsettled', async (context) => {
  const { expect, session } = context;
  const [row] = session.earlierRows;
  if (row === undefined) {
    throw new Untested(
      'no earlier run of this target beside this one saw an unsettled row: run again on the next trading day',
      NEEDS_TIME,
    );
  }
  await baseHistory(context);
  // Whatever this run asked about the ETFs that were seen then; nothing is asked for their sake alone.
  const histories = historiesOf(session, new Set(session.earlierRows.map(({ ticker }) => ticker)));
  if (judgedSoFar(session, '4.4/t1-completes') === undefined) {
    throw new Untested(
      `the row of ${row.date} of ${row.ticker}, which the run of ${row.run} saw unsettled, is not due yet or not among the answers`,
      NEEDS_TIME,
    );
  }
  expect(histories).toConform();
});

requirement(
  '4.4/t1-completes',
  async (context) => {
    const { api, expect, session } = context;
    if (!session.http.clockControlled) {
      throw new Untested('needs a day to pass on the target: run again tomorrow', NEEDS_TIME);
    }
    const { path } = await plainHistory(context);
    const before = await historyBeforeSettlement(context);
    const date = unsettledDate(before);
    if (date === undefined) throw new Untested('no row is unsettled');
    const now = session.http.targetNow();
    await session.http.advanceClock(DAY);
    const after = await api.get(HISTORY, {}, { fresh: true, path });
    if (datesOf(after).includes(date) && unsettledDate(after) !== date) {
      expect([before, after]).toConform();
      return;
    }
    // "The next day" may be the next day of trading, and any hour of it.
    await session.http.advanceClock(Math.max(0, settledBy(date, COUNTRIES) - now - DAY) + 1000);
    expect([before, after, await api.get(HISTORY, {}, { fresh: true, path })]).toConform();
  },
  { profile: 'full' },
);
