import type { Query } from '../parameters.ts';
import { checkCurrencyId } from '../parameters.ts';
import { rowsInRange, type RangeUnit } from '../ranges.ts';
import type { Settings } from '../settings.ts';
import { notFound } from '../refusal.ts';
import type { WindowName } from '../../spec/limits.ts';
import type { Json, JsonObject, World } from '../world.ts';

/** A validated request on its way to a handler. */
export interface Call {
  readonly world: World;
  /** Time that the data is shown for, epoch ms. */
  readonly now: number;
  /** Path parameters, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly settings: Settings;
}

/** Computes the body of one endpoint. Synchronous; throws a Refusal to refuse. */
export type Handler<Body extends Json = Json> = (call: Call) => Body;

/** Members of the data with what they have for an identifier. */
type Found = {
  readonly [
    Name in keyof World as World[Name] extends (id: string, now: number) => Json | undefined
      ? Name
      : never
  ]: World[Name] extends (id: string, now: number) => infer Value
    ? Exclude<Value, undefined>
    : never;
};

/**
 * What the data has for the identifier in the path, or else the 404 of §7 that begins with `what` and names the list of what
 * there is.
 */
export const entity =
  (field: string, what: string, listedAt: string) =>
  <Name extends keyof Found>(name: Name): Handler<Found[Name]> =>
  ({ world, path, now }) => {
    const id = path[field] ?? '';
    if (field === 'currency_id') checkCurrencyId(id);
    const find = world[name] as (id: string, now: number) => Found[Name] | undefined;
    const found = find(id, now);
    if (found === undefined) throw notFound(what, field, id, listedAt);
    return found;
  };

/** Those of the rows that a request asks for. */
export const ranged =
  (rows: Handler<readonly JsonObject[]>, unit: RangeUnit, window?: WindowName): Handler =>
  (call) =>
    rowsInRange(call, rows(call), unit, window);

/** Cuts one page out of `rows` and wraps it (§2.5); only the rows of the page are written out. */
export function paged<Row>(call: Call, rows: readonly Row[], write: (row: Row) => Json) {
  const { query, settings } = call;
  const [asked, size] = [query.number('page') ?? 1, query.number('page_size') ?? 20];
  const last = Math.max(1, Math.ceil(rows.length / size));
  const page = settings.beyondLast === 'last' ? Math.min(asked, last) : asked;
  const list = rows.slice((page - 1) * size, page * size).map(write);
  return { list, page, page_size: size, total: rows.length };
}
