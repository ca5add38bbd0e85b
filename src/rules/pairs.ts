import { isJudgeable, type Context } from './context.ts';
import { decimalOf } from './decimals.ts';
import { describeAnswer } from './errors.ts';
import { isInvalidRequestStatus } from './expectation.ts';
import { show, type Judgement, type Rule } from './judgement.ts';
import { PAGE_PARAMETERS, PAGED, pageOf } from './pages.ts';
import { counted, sameList } from './relations.ts';
import { place } from './transport.ts';
import { isObject, type RecordAt, type View } from './view.ts';

const PAIRS = '/currencies/{currency_id}/pairs';

function pairsIn(view: View, context: Context): readonly RecordAt[] {
  if (view.exchange.endpoint !== PAIRS || view.wrapped || !isJudgeable(view, context)) return [];
  return view.records.filter(({ value }) => isObject(value));
}
const field = (record: unknown, name: string): unknown =>
  isObject(record) ? record[name] : undefined;

/** §4.1 order_by: without it, the largest 24-hour volume comes first. */
const defaultOrder: Rule = {
  name: 'pairs-default-order',
  requirements: ['4.1/pairs-order-default'],
  each(view, context, into) {
    if (view.query.has('order_by')) return;
    const rows = pairsIn(view, context).flatMap(({ value, pointer }) => {
      const turnover = decimalOf(field(value, 'turnover_24h'));
      return turnover === undefined ? [] : [{ turnover, pointer }];
    });
    if (rows.length < 2) return;
    const wrong = rows.flatMap((row, index) => {
      const before = rows[index - 1];
      return before !== undefined && row.turnover > before.turnover ? [{ row, before }] : [];
    });
    const [first] = wrong;
    into.expect('4.1/pairs-order-default', view, first === undefined, () => ({
      message: `${place(view)} without order_by has ${counted(wrong.length, 'pair')} with a larger turnover_24h than the pair before`,
      expected: `at most ${first?.before.turnover}`,
      actual: String(first?.row.turnover),
      pointer: `${first?.row.pointer ?? view.root}/turnover_24h`,
    }));
  },
};

/** §4.1: the names of order_by fields are left open; what a service does with one is recorded. */
const orderBy: Rule = {
  name: 'pairs-order-by',
  requirements: ['4.1/pairs-order-by'],
  each(view, context, into) {
    const name = view.query.get('order_by');
    if (name === undefined || view.exchange.endpoint !== PAIRS || !isJudgeable(view, context))
      return;
    const question = `Pairs with order_by=${name}`;
    if (isInvalidRequestStatus(view.status)) {
      into.read(question, `refused: ${describeAnswer(view)}`, view, '4.1/pairs-order-by');
    } else if (view.ok && view.records.length > 1) {
      const values = view.records.flatMap(({ value }) => decimalOf(field(value, name)) ?? []);
      into.read(question, `accepted${orderOf(values)}`, view, '4.1/pairs-order-by');
    }
  },
};

function orderOf(values: readonly number[]): string {
  if (values.length < 2) return '';
  const steps = values.slice(1).map((value, index) => Math.sign(value - (values[index] ?? value)));
  if (steps.every((step) => step <= 0)) return ', largest first';
  if (steps.every((step) => step >= 0)) return ', smallest first';
  return ', not in the order of that field';
}

/** Exchange names are compared without letter case, spaces and signs: a filter may take an id for a name. */
const plain = (name: unknown): string =>
  typeof name === 'string' ? name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '') : '';

/** §4.1 exchange: only pairs of that exchange. */
const exchangeFilter: Rule = {
  name: 'pairs-exchange-filter',
  requirements: ['4.1/pairs-exchange-filter'],
  each(view, context, into) {
    const asked = view.query.get('exchange');
    if (asked === undefined || asked === '') return;
    const rows = pairsIn(view, context);
    if (rows.length === 0) return;
    const others = rows.filter(({ value }) => plain(field(value, 'market')) !== plain(asked));
    const [first] = others;
    into.expect('4.1/pairs-exchange-filter', view, first === undefined, () => ({
      message: `${place(view)} with exchange=${asked} has ${counted(others.length, 'pair')} of other exchanges`,
      expected: `market: "${asked}"`,
      actual: `market: ${show(field(first?.value, 'market'))}`,
      pointer: `${first?.pointer ?? view.root}/market`,
    }));
  },
};

/** Which pairs there are changes slowly; lists further apart are not compared, ms. */
const COMPARABLE_MS = 600_000;

/** §4.1, ruling 22: the filter leaves out no pair of the exchange that the whole list has. */
const exchangeComplete: Rule = {
  name: 'pairs-exchange-complete',
  requirements: ['4.1/pairs-exchange-complete'],
  all(views, context, into) {
    const parts = [...PAGE_PARAMETERS, 'exchange'];
    for (const group of sameList(views, PAIRS, parts, context)) {
      const whole = group.filter((view) => view.ok && !view.query.has('exchange'));
      for (const view of group) judgeComplete(view, whole, into);
    }
  },
};

function judgeComplete(view: View, whole: readonly View[], into: Judgement): void {
  const [pairs] = PAGED;
  const asked = view.query.get('exchange');
  if (pairs === undefined || asked === undefined || (view.query.get('page') ?? '1') !== '1') return;
  const page = pageOf(pairs, view);
  // More pages to come may hold what is missing here.
  if (page?.items === undefined || page.total === undefined || page.rows < page.total) return;
  const own = new Set(page.items);
  const known = new Set<string>();
  for (const other of whole) {
    if (Math.abs(other.now - view.now) > COMPARABLE_MS) continue;
    for (const { value } of other.records) {
      const identity = pairs.identityOf(value);
      if (identity === undefined || plain(field(value, 'market')) !== plain(asked)) continue;
      known.add(identity);
    }
  }
  if (known.size === 0) return;
  const missing = [...known].filter((identity) => !own.has(identity));
  into.expect('4.1/pairs-exchange-complete', view, missing.length === 0, () => ({
    message: `${place(view)} with exchange=${asked} leaves out ${counted(missing.length, 'pair')} of that exchange`,
    expected: `${missing[0] ?? ''}, which the list without the filter has`,
    actual: `${counted(page.rows, 'pair')} without it`,
    pointer: `${view.root}/list`,
  }));
}

export const PAIR_RULES: readonly Rule[] = [
  defaultOrder,
  orderBy,
  exchangeFilter,
  exchangeComplete,
];
