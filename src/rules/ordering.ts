import type { EndpointPath } from '../contract/endpoints.ts';
import { largerAnswer } from './bounds.ts';
import { isJudgeable } from './context.ts';
import type { Judgement, Rule } from './judgement.ts';
import { counted, sameList, wholeNumber } from './relations.ts';
import { askedRange, PART_PARAMETERS, SERIES, timedRecords, type SeriesFacts } from './series.ts';
import { place } from './transport.ts';
import type { View } from './view.ts';
import { criteria, type Criterion } from './criterion.ts';

/** What this file decides. */
export const ORDERING = criteria(
  'currencyKlinesOneOrder',
  'stockKlinesOneOrder',
  'klinesOrder',
  'macroOrder',
);

const KLINES: Readonly<Partial<Record<EndpointPath, Criterion>>> = {
  '/currencies/{currency_id}/klines': ORDERING.currencyKlinesOneOrder,
  '/crypto-stocks/{stock_ticker}/klines': ORDERING.stockKlinesOneOrder,
};

/** Observations of the order of lists whose order is silent. */
const OBSERVED: Readonly<
  Partial<Record<EndpointPath, { readonly question: string; readonly criterion: Criterion | null }>>
> = {
  '/currencies/{currency_id}/klines': {
    question: 'Order of candles of a currency',
    criterion: ORDERING.klinesOrder,
  },
  '/crypto-stocks/{stock_ticker}/klines': {
    question: 'Order of candles of a stock',
    criterion: null,
  },
  '/macro/events/{event}/history': {
    question: 'Order of macro rows',
    criterion: ORDERING.macroOrder,
  },
};

type Steps = readonly {
  readonly pointer: string;
  readonly before: number;
  readonly time: number;
}[];

function stepsOf(series: SeriesFacts, view: View): Steps {
  const rows = timedRecords(series, view);
  return rows.flatMap(({ time, pointer }, index) => {
    const before = rows[index - 1]?.time;
    return before === undefined ? [] : [{ pointer, before, time }];
  });
}

/** The direction that most steps have: 1 for oldest first, -1 for newest first, 0 when there is none. */
function direction(steps: Steps): number {
  return Math.sign(steps.reduce((sum, { before, time }) => sum + Math.sign(time - before), 0));
}

/** Ruling 19: candles come in one order, whichever it is, and each moment once. */
const oneOrder: Rule = {
  name: 'one-order',
  judges: [
    ORDERING.currencyKlinesOneOrder,
    ORDERING.stockKlinesOneOrder,
    ORDERING.klinesOrder,
    ORDERING.macroOrder,
  ],
  each(view, context, into) {
    const series = SERIES.find(({ endpoint }) => endpoint === view.exchange.endpoint);
    if (series === undefined || !view.ok || view.wrapped || !isJudgeable(view, context)) return;
    const steps = stepsOf(series, view);
    if (steps.length === 0) return;
    const onward = direction(steps);
    const criterion = KLINES[series.endpoint];
    if (criterion !== undefined) judgeSteps(criterion, view, steps, onward, into);
    const observed = OBSERVED[series.endpoint];
    if (observed !== undefined) {
      const mixed = steps.some(({ before, time }) => Math.sign(time - before) === -onward);
      const answer = onward === 0 || mixed ? 'mixed' : onward > 0 ? 'oldest first' : 'newest first';
      into.read(observed.question, answer, view, observed.criterion);
    }
  },
};

function judgeSteps(
  criterion: Criterion,
  view: View,
  steps: Steps,
  onward: number,
  into: Judgement,
): void {
  const wrong = steps.filter(({ before, time }) => Math.sign(time - before) !== (onward || 1));
  const [first] = wrong;
  const twice = first !== undefined && first.time === first.before;
  into.expect(criterion, view, first === undefined, () => ({
    message: twice
      ? `${place(view)} has two candles with the same timestamp`
      : `${place(view)} has ${counted(wrong.length, 'candle')} out of order`,
    expected: `a timestamp ${onward < 0 ? 'below' : 'above'} ${first?.before}, as in the rest of the list`,
    actual: String(first?.time),
    pointer: `${first?.pointer ?? view.root}/timestamp`,
  }));
}

/** Ruling 19: which end of a range a limit keeps, seen by the place of a smaller answer in a larger one. */
const keptEnd: Rule = {
  name: 'kept-end',
  judges: [ORDERING.klinesOrder],
  all(views, context, into) {
    for (const series of SERIES) {
      if (series.limit === null) continue;
      for (const group of sameList(views, series.endpoint, PART_PARAMETERS, context)) {
        for (const view of group) readKeptEnd(series, view, group, into);
      }
    }
  },
};

function readKeptEnd(
  series: SeriesFacts,
  view: View,
  group: readonly View[],
  into: Judgement,
): void {
  const number = wholeNumber(view.query.get('limit'));
  if (number === undefined || !view.ok || view.records.length !== number) return;
  const whole = largerAnswer(series, view, group);
  const range = askedRange(series, view);
  if (whole === undefined || range === undefined) return;
  const known = timedRecords(series, whole)
    .filter(({ time }) => range === null || (time > range.from && time < range.to))
    .map(({ time }) => time);
  const own = timedRecords(series, view)
    .filter(({ time }) => range === null || (time > range.from && time < range.to))
    .map(({ time }) => time);
  if (own.length === 0 || known.length <= own.length) return;
  const newest = Math.max(...own) >= Math.max(...known);
  const oldest = Math.min(...own) <= Math.min(...known);
  if (newest === oldest) return;
  into.read(
    `Which end of a list limit keeps: ${series.name}`,
    newest ? 'the newest' : 'the oldest',
    view,
    series.endpoint === '/currencies/{currency_id}/klines' ? ORDERING.klinesOrder : null,
  );
}

export const ORDER_RULES: readonly Rule[] = [oneOrder, keptEnd];
