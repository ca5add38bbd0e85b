// Bounds of paged lists, and the position of a page in its list.
import {
  boundsOf,
  endpoint,
  ENDPOINT_PATHS,
  type ENDPOINTS,
  type EndpointPath,
} from '../spec/endpoints.ts';
import { RESOURCES, type ResourceFacts } from '../spec/resources.ts';
import { wholeNumber } from './relations.ts';
import { isObject, type View } from './view.ts';

export interface PagedFacts {
  readonly endpoint: EndpointPath;
  /** What findings call an item. */
  readonly item: string;
  /** Default page_size; null if the parameter is required. */
  readonly fallback: number | null;
  /** Smallest page_size (1 unless specified). */
  readonly minimum: number;
  /** Largest specified page_size. */
  readonly maximum: number;
  /** Largest page_size under any reading of the specification (ruling 4). */
  readonly utmost: number;
  readonly identityOf: (record: unknown) => string | undefined;
  /** Set for rankings by a live figure: neighbours may swap between two requests. */
  readonly ranked: boolean;
}

/** Endpoints with a paging envelope (§2.5, §2.7). */
export type PagedPath = {
  [Path in EndpointPath]: (typeof ENDPOINTS)[Path]['response'] extends { readonly kind: 'page' }
    ? Path
    : never;
}[EndpointPath];

/** Identifies a record by the strings in some fields. A single id may also be a number. */
const identityBy =
  (fields: readonly string[]) =>
  (record: unknown): string | undefined => {
    if (!isObject(record)) return undefined;
    const parts = fields.map((field) => record[field]);
    const [only] = parts;
    if (parts.length === 1 && typeof only === 'number') return String(only);
    return parts.every((part) => typeof part === 'string') ? parts.join(' ') : undefined;
  };

function factsOf(path: EndpointPath): PagedFacts {
  const { response } = endpoint(path);
  const resource: ResourceFacts | undefined = response.resource && RESOURCES[response.resource];
  const { item = 'record', identity = ['id'] } = resource ?? {};
  return {
    endpoint: path,
    item,
    ...boundsOf(path, 'page_size'),
    identityOf: identityBy(identity),
    ranked: response.ranked === true,
  };
}

/** Paged lists by path. */
export const PAGES = Object.fromEntries(
  ENDPOINT_PATHS.filter((path) => endpoint(path).response.kind === 'page').map((path) => [
    path,
    factsOf(path),
  ]),
) as Readonly<Record<PagedPath, PagedFacts>>;

export const PAGED: readonly PagedFacts[] = Object.values(PAGES);

export const PAGE_PARAMETERS = ['page', 'page_size'] as const;

/** A page as received. */
export interface Page {
  readonly view: View;
  /** `page` and `page_size` as sent; undefined if not sent or not an integer. */
  readonly askedPage: number | undefined;
  readonly askedSize: number | undefined;
  /** Figures of the envelope; undefined if not integers. */
  readonly page: number | undefined;
  readonly size: number | undefined;
  readonly total: number | undefined;
  readonly rows: number;
  /** Identities of the items in order; undefined if any is unknown. */
  readonly items: readonly string[] | undefined;
}

const whole = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;

/** The page in an answer, if there is one. */
export function pageOf(facts: PagedFacts, view: View): Page | undefined {
  const { body, ok, query, records } = view;
  if (!ok || view.wrapped || !isObject(body) || !Array.isArray(body['list'])) return undefined;
  const identities = records.map(({ value }) => facts.identityOf(value));
  const items = identities.filter((identity) => identity !== undefined);
  const page = body['page'];
  return {
    view,
    askedPage: wholeNumber(query.get('page')),
    askedSize: wholeNumber(query.get('page_size')),
    page: typeof page === 'number' && Number.isInteger(page) ? page : undefined,
    size: whole(body['page_size']),
    total: whole(body['total']),
    rows: records.length,
    items: items.length === records.length ? items : undefined,
  };
}

/** The page size requested or by default, if it is within bounds. */
export function sizeInUse(facts: PagedFacts, { view, askedSize }: Page): number | undefined {
  if (!view.query.has('page_size')) return facts.fallback ?? undefined;
  if (askedSize === undefined || askedSize < facts.minimum || askedSize > facts.maximum) {
    return undefined;
  }
  return askedSize;
}

/**
 * The page requested, if it is within bounds, or the first one, unless the envelope says that another page was sent by default.
 * A service may clamp a number beyond the last page.
 */
export function pageInUse(facts: PagedFacts, page: Page): number | undefined {
  const { view, askedPage: asked, page: reported, rows, total = 0 } = page;
  if (!view.query.has('page')) return reported !== undefined && reported > 1 ? undefined : 1;
  if (asked === undefined || asked < 1) return undefined;
  const last = Math.max(1, Math.ceil(total / (sizeInUse(facts, page) ?? total)));
  return (rows > 0 || total === 0) && asked > last && reported === last ? last : asked;
}

/** A page with a known position: items `from` to `from + rows`. */
export interface LocatedPage extends Page {
  readonly number: number;
  readonly perPage: number;
  readonly from: number;
  readonly items: readonly string[];
}

/** Locates a page in its list; undefined if its position or its items are unknown. */
export function locatePage(facts: PagedFacts, view: View): LocatedPage | undefined {
  const page = pageOf(facts, view);
  if (page === undefined || page.items === undefined || page.rows === 0) return undefined;
  const number = pageInUse(facts, page);
  const asked = sizeInUse(facts, page);
  if (number === undefined || asked === undefined) return undefined;
  const isLast = page.total !== undefined && page.total <= (number - 1) * asked + page.rows;
  // The envelope tells if a service uses another page size than requested.
  const perPage = page.size === page.rows && (number === 1 || !isLast) ? page.rows : asked;
  return { ...page, items: page.items, number, perPage, from: (number - 1) * perPage };
}
