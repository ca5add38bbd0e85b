import { textOf } from '../json.ts';
import { notAllowed } from '../refusal.ts';
import type { Json, JsonObject } from '../world.ts';
import { paged } from './call.ts';
import type { Handler } from './call.ts';

/** Fields that pairs can be sorted by; the specification leaves them open (§4.1). */
const PAIR_ORDERS = ['price', 'turnover_24h', 'market', 'base', 'target'] as const;

/** Pairs with the filter and the order of §4.1. */
export const pairs =
  (all: Handler<readonly JsonObject[]>): Handler =>
  (call) => {
    let rows = all(call);
    const exchange = call.query.text('exchange');
    if (exchange !== undefined) rows = rows.filter((row) => row['market'] === exchange);
    const orderBy = call.query.text('order_by');
    if (orderBy !== undefined) rows = ordered(rows, orderBy);
    return paged(call, rows, (row) => row);
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
