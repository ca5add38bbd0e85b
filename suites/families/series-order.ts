// Ruling 19: unspecified orders are recorded, but candles must come in one order.
import type { Advice } from '../../src/requirements/definition.ts';
import {
  largestCovering,
  requestedRange,
  CURRENCY_CANDLES,
  PART_PARAMETERS,
  SERIES,
  datedRecords,
  type SeriesFacts,
} from '../../src/judge/series.ts';
import { isJudgeable, type Context } from '../../src/judge/context.ts';
import { judgeAll, judgeEach, type Judge } from '../../src/judge/judge.ts';
import { counted, sameList, wholeNumber } from '../../src/judge/relations.ts';
import type { View } from '../../src/judge/view.ts';

/** Candles come in one order, without duplicates. With a question, also records the order. */
export const inOneOrder = (series: SeriesFacts, question?: string) =>
  ({
    why: 'The order is not specified, but a mixed order and duplicate timestamps break every indicator.',
    usually: [
      'The live candle is appended to a cached list that already contains it.',
      'Two sources are joined without sorting.',
    ],
    judge: judgeEach((view, context, it) => {
      const steps = stepsOf(series, view, context);
      if (steps.length === 0) return;
      const onward = direction(steps);
      const wrong = steps.filter(({ before, time }) => Math.sign(time - before) !== (onward || 1));
      it.none(view, wrong, ({ pointer, before, time }) => ({
        ...(time === before
          ? { kind: 'candle-twice' }
          : { kind: 'candles-out-of-order', facts: { candles: counted(wrong.length, 'candle') } }),
        expected: `a timestamp ${onward < 0 ? 'below' : 'above'} ${before}, as in the rest of the list`,
        actual: String(time),
        pointer: `${pointer}/timestamp`,
      }));
      if (question !== undefined) it.note(question, describeOrder(steps), view);
    }),
  }) satisfies Advice & { readonly judge: Judge };

/** Records the order of a list. */
export const orderOf = (series: SeriesFacts, question: string): Judge =>
  judgeEach((view, context, it) => {
    const steps = stepsOf(series, view, context);
    if (steps.length > 0) it.read(question, describeOrder(steps), view);
  });

/** Two adjacent records. */
interface Step {
  readonly pointer: string;
  readonly before: number;
  readonly time: number;
}

function stepsOf(series: SeriesFacts, view: View, context: Context): readonly Step[] {
  if (view.exchange.endpoint !== series.endpoint || !view.ok || view.wrapped) return [];
  if (!isJudgeable(view, context)) return [];
  const rows = datedRecords(series, view);
  return rows.flatMap(({ time, pointer }, index) => {
    const before = rows[index - 1]?.time;
    return before === undefined ? [] : [{ pointer, before, time }];
  });
}

/** The prevailing direction: 1 for oldest first, -1 for newest first, 0 for neither. */
const direction = (steps: readonly Step[]): number =>
  Math.sign(steps.reduce((sum, { before, time }) => sum + Math.sign(time - before), 0));

function describeOrder(steps: readonly Step[]): string {
  const onward = direction(steps);
  const mixed = steps.some(({ before, time }) => Math.sign(time - before) === -onward);
  return onward === 0 || mixed ? 'mixed' : onward > 0 ? 'oldest first' : 'newest first';
}

/** Records which end of a range a limit keeps, by the position of a smaller answer within a larger one. */
export const keptEnd: Judge = judgeAll((views, context, it) => {
  for (const series of SERIES) {
    if (series.limit === null) continue;
    for (const group of sameList(views, series.endpoint, PART_PARAMETERS, context)) {
      for (const view of group) {
        const number = wholeNumber(view.query.get('limit'));
        if (number === undefined || !view.ok || view.records.length !== number) continue;
        const whole = largestCovering(series, view, group);
        const range = requestedRange(series, view);
        if (whole === undefined || range === undefined) continue;
        const [known, own] = [whole, view].map((one) =>
          datedRecords(series, one)
            .map(({ time }) => time)
            .filter((time) => range === null || (time > range.from && time < range.to)),
        );
        if (known === undefined || own === undefined) continue;
        if (own.length === 0 || known.length <= own.length) continue;
        const newest = Math.max(...own) >= Math.max(...known);
        const oldest = Math.min(...own) <= Math.min(...known);
        if (newest === oldest) continue;
        const question = `Which end of a list \`limit\` keeps: ${series.name}`;
        const answer = newest ? 'the newest' : 'the oldest';
        if (series === CURRENCY_CANDLES) it.read(question, answer, view);
        else it.note(question, answer, view);
      }
    }
  }
});
