// The order of pairs (§4.1 order_by), and answers beyond their last page.
import { MANY_SORTED, STALE_SHARE, SWAPS_BY_CHANCE } from '../numbers.ts';
import { isJudgeable } from '../../src/judge/context.ts';
import { decimalOf } from '../../src/judge/text/decimals.ts';
import { describeAnswer } from '../../src/judge/errors.ts';
import { isInvalidRequestStatus } from '../../src/judge/expectation.ts';
import { judgeAll, judgeEach } from '../../src/judge/judge.ts';
import { PAGE_PARAMETERS, pageOf, PAGES } from '../../src/judge/pages.ts';
import { counted, opensOnly, sameList, wholeNumber } from '../../src/judge/relations.ts';
import { isObject, type RecordAt } from '../../src/judge/view.ts';

const PAIRS = '/currencies/{currency_id}/pairs';

interface Ranked extends RecordAt {
  readonly turnover: number;
  readonly identity: string | undefined;
}

/** A pair with a larger turnover than an earlier one, and the smallest earlier one. */
interface OutOfOrder {
  readonly row: Ranked;
  readonly before: Ranked;
}

function outOfOrder(records: readonly RecordAt[]): readonly OutOfOrder[] {
  let least: Ranked | undefined;
  return records.flatMap((record): OutOfOrder[] => {
    const { value } = record;
    const turnover = isObject(value) ? decimalOf(value['turnover_24h']) : undefined;
    if (turnover === undefined) return [];
    const row = { ...record, turnover, identity: PAGES[PAIRS].identityOf(value) };
    const before = least;
    if (before === undefined || turnover < before.turnover) least = row;
    return before !== undefined &&
      turnover > before.turnover + STALE_SHARE * Math.abs(before.turnover)
      ? [{ row, before }]
      : [];
  });
}

/** Whether a few pairs are out of order, which a second answer would confirm or clear. */
export function mayBeOutOfOrder(records: readonly RecordAt[]): boolean {
  const { length } = outOfOrder(records);
  return length > 0 && length <= SWAPS_BY_CHANCE;
}

/**
 * §4.1 order_by: the default is the largest 24-hour volume first. A few pairs may move between sorting and sending, so
 * they count only if another answer has them in the same order.
 */
export const byVolume = judgeAll((views, context, it) => {
  for (const group of sameList(views, PAIRS, PAGE_PARAMETERS, context)) {
    const answers = group.flatMap((view) =>
      view.ok && !view.query.has('order_by') ? [{ view, wrong: outOfOrder(view.records) }] : [],
    );
    for (const { view, wrong } of answers) {
      const rows = view.records.filter(
        ({ value }) => isObject(value) && decimalOf(value['turnover_24h']) !== undefined,
      );
      if (rows.length < 2) continue;
      const seen = (one: OutOfOrder): boolean =>
        answers.some(
          (other) =>
            other.view !== view && other.wrong.some(({ row }) => row.identity === one.row.identity),
        );
      const certain = wrong.length > SWAPS_BY_CHANCE ? wrong : wrong.filter(seen);
      if (wrong.length > 0 && certain.length === 0) continue;
      it.none(view, certain, ({ row, before }) => ({
        kind: 'pairs-out-of-order',
        facts: { pairs: counted(certain.length, 'pair') },
        expected: `at most ${before.turnover}`,
        actual: String(row.turnover),
        pointer: `${row.pointer}/turnover_24h`,
      }));
    }
  }
});

/** §4.1: order_by fields are unspecified; records what the service does with one. */
export const orderByField = judgeEach((view, context, it) => {
  const name = view.query.get('order_by');
  if (name === undefined || view.exchange.endpoint !== PAIRS) return;
  if (view.wrapped || !isJudgeable(view, context)) return;
  // Another open parameter may be what is refused.
  if (!opensOnly(view, context, ['order_by'])) return;
  const question = `Sorting pairs with order_by=${name}`;
  if (isInvalidRequestStatus(view.status)) {
    it.read(question, `refused: ${describeAnswer(view)}`, view);
  } else if (view.ok && view.records.length > 1) {
    const values = view.records.flatMap(({ value }) =>
      isObject(value) ? (decimalOf(value[name]) ?? []) : [],
    );
    it.read(question, `accepted${orderOf(values)}`, view);
  }
});

function orderOf(values: readonly number[]): string {
  // Few or equal values may be ordered by chance.
  if (new Set(values).size < MANY_SORTED) return '';
  const steps = values.slice(1).map((value, index) => Math.sign(value - (values[index] ?? value)));
  if (steps.every((step) => step <= 0)) return ', largest first';
  if (steps.every((step) => step >= 0)) return ', smallest first';
  return ', not in the order of that field';
}

/** Answers beyond the last page are unspecified. */
export const beyondLast = judgeAll((views, context, it) => {
  const { fallback, maximum } = PAGES[PAIRS];
  for (const group of sameList(views, PAIRS, PAGE_PARAMETERS, context)) {
    const most = Math.max(0, ...group.map((view) => pageOf(PAGES[PAIRS], view)?.total ?? 0));
    for (const view of group) {
      const number = wholeNumber(view.query.get('page')) ?? 1;
      const size = wholeNumber(view.query.get('page_size')) ?? fallback ?? 1;
      if (most === 0 || size < 1 || size > maximum || (number - 1) * size < most) continue;
      const question = 'Answer to a page of pairs beyond the last one';
      if (view.ok) {
        it.read(question, view.records.length === 0 ? 'an empty list' : 'a page with items', view);
      } else if (isInvalidRequestStatus(view.status) || view.status === 404) {
        it.read(question, `refused with status ${view.status}`, view);
      }
    }
  }
});
