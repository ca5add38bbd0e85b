// Requests for paged lists. Equal requests are sent once. Lists change, so a page that does not fit is requested again
// before it counts.
import {
  Untested,
  type Answer,
  type Api,
  type Ask,
  type CheckContext,
  type GetOptions,
  type Query,
} from '../../../src/ask/index.ts';
import { withControl } from '../series-requests.ts';
import { boundsOf, endpoint } from '../../../src/spec/endpoints.ts';
import { PAGES, locatePage, type PagedFacts, type PagedPath } from '../../../src/judge/pages.ts';
import { isObject, viewOf } from '../../../src/judge/view.ts';
import { comparePages } from './page-seams.ts';

/** `total` of the envelope. */
export function totalOf({ body }: Answer): number | undefined {
  const total = isObject(body) ? body['total'] : undefined;
  return typeof total === 'number' ? total : undefined;
}

/** How often to request the largest page again; from the second time on, the others as well. */
const REPEATS = 2;

/**
 * Requests pages of one list in turn. If one disagrees with the largest page, perhaps because the list changed,
 * requests the largest again, then all of them. Whatever still disagrees is returned: the rules ignore pages of a list
 * that changes.
 */
export async function steadyPages(
  { api, session }: CheckContext,
  path: PagedPath,
  queries: readonly Query[],
  options: Pick<GetOptions, 'path' | 'role'> = {},
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const query of queries) answers.push(await api.get(path, query, options));
  const largest = queries.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0] ?? {};
  for (
    let repeat = 1;
    repeat <= REPEATS && isUnclear(PAGES[path], answers, session.facts);
    repeat += 1
  ) {
    if (repeat > 1) {
      for (const query of queries) {
        answers.push(await api.get(path, query, { ...options, fresh: true }));
      }
    }
    answers.push(await api.get(path, largest, { ...options, fresh: true }));
  }
  return answers;
}

/**
 * A size that makes page 2 the last page, and not full with three items or more: services get such pages wrong, and
 * their length verifies the total.
 */
export const overHalf = (items: number): number => (items < 3 ? 1 : Math.floor(items / 2) + 1);

/** A last page that is not full: page 3 if possible, otherwise page 2. */
export function lateLast(items: number): { readonly page: number; readonly page_size: number } {
  const third = Math.floor(items / 3) + 1;
  return 2 * third < items
    ? { page: 3, page_size: third }
    : { page: 2, page_size: overHalf(items) };
}

const sizeOf = ({ page_size: size = 20 }: Query): number => Number(size);

/** Whether later pages disagree but the list may have changed. */
function isUnclear(
  paged: PagedFacts,
  answers: readonly Answer[],
  facts: Parameters<typeof viewOf>[1],
): boolean {
  // Refusals are judged as they are; repeating them only costs requests.
  if (answers.some(({ status }) => status !== 200)) return false;
  const pages = answers.flatMap(({ exchange }) => {
    const view = viewOf(exchange, facts);
    return (view && locatePage(paged, view)) ?? [];
  });
  const later = pages.filter(({ number }) => number > 1);
  return (
    later.length > 0 && later.every((page) => comparePages(paged, page, pages)?.kind === 'unclear')
  );
}

/** How many entities to try until one has more than one page. */
const MAX_ENTITIES = 3;

type ApiContext = Pick<CheckContext, 'api'>;

/** Requests for a paged list. */
export interface PagedList {
  readonly path: PagedPath;
  /** Default page_size (§8). */
  readonly defaultSize: number;
  /** Path parameters of the entity for all pages: one with a second page, if there is one. */
  readonly entity: (api: Api) => Promise<Readonly<Record<string, string>>>;
  /** A page of that entity. */
  readonly get: (query: Query, context: ApiContext, options?: GetOptions) => Promise<Answer>;
  /** The largest page. */
  readonly largest: (context: ApiContext) => Promise<Answer>;
  /** A page out of bounds and its control. A server failure counts as an answer. */
  readonly outOfBounds: (query: Query, context: CheckContext) => Promise<Answer[]>;
  /** Page 2 at the default size. */
  readonly secondPage: (context: CheckContext) => Promise<Answer>;
  /** A full page at the default size: page 2, which other checks request too, or page 1 if page 2 is short. */
  readonly fullPage: (context: CheckContext) => Promise<Answer>;
  /** The largest page, and page 2 at the default size, which must be part of it. */
  readonly bothPages: (context: CheckContext) => Promise<readonly Answer[]>;
  /** A last page neither full nor nearly empty, which shows a total that is off by one. */
  readonly lastPage: Ask;
}

/**
 * The list of an endpoint; `of` names the path entity, such as `currency`. Requests for a second page throw Untested if
 * a single page holds all items.
 * @throws RangeError if page_size has no default
 */
export function pagedList(path: PagedPath, of: string): PagedList {
  const { fallback, maximum } = boundsOf(path, 'page_size');
  if (fallback === null)
    throw new RangeError(`The specification states no default page_size for ${path}`);
  const size: number = fallback;
  const [[parameter, kind] = []] = Object.entries(endpoint(path).path);
  const items = `${PAGES[path].item}s`;
  const largestPage = { page_size: maximum };

  async function entity(api: Api): Promise<Readonly<Record<string, string>>> {
    if (parameter === undefined || kind === undefined) return {};
    const ids = await api.fixtures(kind);
    let best = { id: await api.fixture(kind), total: -1 };
    for (const id of [best.id, ...ids.filter((one) => one !== best.id)].slice(0, MAX_ENTITIES)) {
      const answer = await api.get(path, largestPage, { path: { [parameter]: id } });
      // A refusal is judged as it is.
      if (answer.status !== 200) return { [parameter]: best.total > 0 ? best.id : id };
      const total = totalOf(answer) ?? answer.records.length;
      if (total > best.total) best = { id, total };
      if (total > size) break;
    }
    return { [parameter]: best.id };
  }

  const get: PagedList['get'] = async (query, { api }, options = {}) =>
    api.get(path, query, { ...options, path: await entity(api) });
  const largest: PagedList['largest'] = (context) => get(largestPage, context);

  async function moreThanOnePage(context: CheckContext): Promise<void> {
    const answer = await largest(context);
    const total = totalOf(answer);
    if (answer.status !== 200 || total === undefined || total > size) return;
    throw new Untested(
      parameter === undefined
        ? `there are no more than ${size} ${items}`
        : `none of the first ${MAX_ENTITIES} ${of}s has more than ${size} ${items}; put one that does first in fixtures.${kind}`,
    );
  }
  async function secondPage(context: CheckContext): Promise<Answer> {
    await moreThanOnePage(context);
    return get({ page: 2 }, context);
  }

  return {
    path,
    defaultSize: size,
    entity,
    get,
    largest,
    secondPage,
    async fullPage(context) {
      await moreThanOnePage(context);
      const total = totalOf(await largest(context)) ?? Infinity;
      return get({ page: total < 2 * size ? 1 : 2 }, context);
    },
    async outOfBounds(query, context) {
      const none = Object.keys(endpoint(path).query).map((name) => [name, undefined]);
      const good = { ...Object.fromEntries(none), ...largestPage };
      return withControl(await get(query, context, { control: { query: good }, anyAnswer: true }));
    },
    async bothPages(context) {
      await moreThanOnePage(context);
      const options = { path: await entity(context.api) };
      return steadyPages(context, path, [largestPage, { page: 2 }], options);
    },
    async lastPage(context) {
      const total = totalOf(await largest(context)) ?? 0;
      const odd = [97, 89, 83].find((one) => total > one && total % one > 3);
      if (odd === undefined) throw new Untested(`the ${of} has ${total} ${items}`);
      return get({ page: Math.ceil(total / odd), page_size: odd }, context);
    },
  };
}
