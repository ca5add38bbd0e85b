import { textOf } from '../json.ts';
import { checkCurrencyId } from '../parameters.ts';
import { byTimestamp, rowsInRange } from '../ranges.ts';
import { notAllowed } from '../refusal.ts';
import type { Json, JsonObject } from '../world.ts';
import { known, paged } from './call.ts';
import type { Call, Handler, Handlers } from './call.ts';

/** Refuses a malformed currency_id (400001) and an unknown one (404 400401); §7. */
function currency<Found>(call: Call, find: (currencyId: string) => Found | undefined): Found {
  const currencyId = call.path['currency_id'] ?? '';
  checkCurrencyId(currencyId, call.settings);
  return known(find(currencyId), 'Currency', call, 'currency_id', '/currencies');
}

const currencyInfo: Handler = (call) => currency(call, (id) => call.world.currencyInfo(id));

const currencySnapshot: Handler = (call) =>
  currency(call, (id) => call.world.currencySnapshot(id, call.now));

const tokenEconomics: Handler = (call) => currency(call, (id) => call.world.tokenEconomics(id));

const fundraising: Handler = (call) => currency(call, (id) => call.world.fundraising(id));

const currencyKlines: Handler = (call) =>
  rowsInRange(
    call,
    currency(call, (id) => call.world.currencyKlines(id, call.now)),
    {
      names: ['start_time', 'end_time'],
      window: 'klines',
      order: 'oldest-first',
      at: byTimestamp,
    },
  );

const currencyList: Handler = (call) => call.world.currencyList(call.now);

/** Fields that pairs can be sorted by; the specification leaves them open (§4.1). */
export const PAIR_ORDERS = ['price', 'turnover_24h', 'market', 'base', 'target'] as const;

const pairs: Handler = (call) => {
  let rows = currency(call, (id) => call.world.pairs(id, call.now));
  const exchange = call.query.text('exchange');
  if (exchange !== undefined) rows = rows.filter((row) => row['market'] === exchange);
  const orderBy = call.query.text('order_by');
  if (orderBy !== undefined) rows = ordered(rows, orderBy);
  return paged(call, rows);
};

/** Numbers from the largest, names from A; equal ones keep the default order, by 24-hour volume. */
function ordered(rows: readonly JsonObject[], field: string): readonly JsonObject[] {
  if (!PAIR_ORDERS.some((order) => order === field)) {
    throw notAllowed('order_by', field, 'Pairs cannot be sorted by this field.', [...PAIR_ORDERS]);
  }
  return rows.toSorted((a, b) => compare(a[field], b[field]));
}

function compare(a: Json | undefined, b: Json | undefined): number {
  if (typeof a === 'number' && typeof b === 'number') return b - a;
  const [left, right] = [textOf(a), textOf(b)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Which handler answers which endpoint. */
export const CURRENCIES = {
  '/currencies/{currency_id}': currencyInfo,
  '/currencies/{currency_id}/market-snapshot': currencySnapshot,
  '/currencies/{currency_id}/token-economics': tokenEconomics,
  '/currencies/{currency_id}/klines': currencyKlines,
  '/currencies/{currency_id}/pairs': pairs,
  '/currencies/{currency_id}/fundraising': fundraising,
  '/currencies': currencyList,
} as const satisfies Handlers;
