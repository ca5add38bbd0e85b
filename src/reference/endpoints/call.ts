import type { EndpointPath } from '../../contract/endpoints.ts';
import type { Query } from '../parameters.ts';
import type { Settings } from '../settings.ts';
import { notFound } from '../refusal.ts';
import type { Json, World } from '../world.ts';

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
export type Handler = (call: Call) => Json;

/** The handlers of an area of §4. */
export type Handlers = Readonly<Partial<Record<EndpointPath, Handler>>>;

/** `found`, or the 404 of §7 for the identifier in path parameter `field` when it is undefined. */
export function known<Found>(
  found: Found | undefined,
  what: string,
  call: Call,
  field: string,
  listedAt: string,
): Found {
  if (found === undefined) throw notFound(what, field, call.path[field] ?? '', listedAt);
  return found;
}

/** Cuts one page out of `rows` and wraps it (§2.5). A page beyond the end is empty. */
export function paged(call: Call, rows: readonly Json[]): Json {
  return pageOf(rows, call.query.number('page') ?? 1, call.query.number('page_size') ?? 20);
}

/** Page `page` (from 1) of `rows` in the paging envelope. */
export function pageOf(rows: readonly Json[], page: number, size: number): Json {
  const start = (page - 1) * size;
  return { list: rows.slice(start, start + size), page, page_size: size, total: rows.length };
}
