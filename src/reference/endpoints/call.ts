import type { EndpointPath } from '../../spec/endpoints.ts';
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

/** Cuts one page out of `rows` and wraps it (§2.5). */
export function paged(call: Call, rows: readonly Json[]): Json {
  const { page, size, start } = pageIn(call, rows.length);
  return { list: rows.slice(start, start + size), page, page_size: size, total: rows.length };
}

/** The page (from 1) that a request asks for of so many rows, and where it starts. */
export function pageIn({ query, settings }: Call, rows: number) {
  const [asked, size] = [query.number('page') ?? 1, query.number('page_size') ?? 20];
  const last = Math.max(1, Math.ceil(rows / size));
  const page = settings.beyondLast === 'last' ? Math.min(asked, last) : asked;
  return { page, size, start: (page - 1) * size };
}
