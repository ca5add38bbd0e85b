// What a run asks of lists in pages. The same request costs nothing twice. Lists move, so a page that does not fit is asked
// for once more before it counts.
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
import { PAGES, placed, type PagedFacts, type PagedPath } from '../../../src/judge/pages.ts';
import { isObject, viewOf } from '../../../src/judge/view.ts';
import { standingOf } from './page-seams.ts';

/** How many items an envelope says there are. */
export function totalOf({ body }: Answer): number | undefined {
  const total = isObject(body) ? body['total'] : undefined;
  return typeof total === 'number' ? total : undefined;
}

/** How often the larger page, and from the second time on the parts too, are asked for again. */
const REPEATS = 2;

/**
 * Pages of one list, one after the other; the order of arrival is what the rules go by. Where a page does not agree with
 * the largest of them, as when the list moved in between, that is asked for again, and then all of them.
 * What still does not fit is given as it is: rules do not judge pages of a list that moves.
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
 * A size by which the second page of so many items is the last one, and not full where there are three or more: services get
 * such a page wrong, and its length tells whether the total is right.
 */
export const overHalf = (items: number): number => (items < 3 ? 1 : Math.floor(items / 2) + 1);

/** The last one of the pages of so many items, and not full: the third where that can be, else the second. */
export function lateLast(items: number): { readonly page: number; readonly page_size: number } {
  const third = Math.floor(items / 3) + 1;
  return 2 * third < items
    ? { page: 3, page_size: third }
    : { page: 2, page_size: overHalf(items) };
}

const sizeOf = ({ page_size: size = 20 }: Query): number => Number(size);

/** True when a page departs from another and it cannot be told whether the list moved. */
function isUnclear(
  paged: PagedFacts,
  answers: readonly Answer[],
  facts: Parameters<typeof viewOf>[1],
): boolean {
  // A refusal is judged as it is; asking again would only cost.
  if (answers.some(({ status }) => status !== 200)) return false;
  const pages = answers.flatMap(({ exchange }) => {
    const view = viewOf(exchange, facts);
    return (view && placed(paged, view)) ?? [];
  });
  const later = pages.filter(({ number }) => number > 1);
  return (
    later.length > 0 && later.every((page) => standingOf(paged, page, pages)?.kind === 'unclear')
  );
}

/** How many entities are asked until one has more items than a page of the default size holds. */
const MOST_ENTITIES = 3;

/** What a list is asked with. */
type Asking = Pick<CheckContext, 'api'>;

/** The pages of a list as checks ask for them. */
export interface PagedList {
  readonly path: PagedPath;
  /** Items of a page that is not told its size (§8). */
  readonly defaultSize: number;
  /** Path parameters that name the entity that all pages are asked of: one with a second page, where there is one. */
  readonly entity: (api: Api) => Promise<Readonly<Record<string, string>>>;
  /** Pages of that entity. */
  readonly get: (query: Query, context: Asking, options?: GetOptions) => Promise<Answer>;
  /** The largest page. */
  readonly largest: (context: Asking) => Promise<Answer>;
  /** A page that is out of bounds, and its control. A failure of the server is an answer, too. */
  readonly outOfBounds: (query: Query, context: CheckContext) => Promise<Answer[]>;
  /** Page 2 in the default size. */
  readonly secondPage: (context: CheckContext) => Promise<Answer>;
  /** A page in the default size that has to be full: page 2, which others ask for too, or page 1 where the second is short. */
  readonly fullPage: (context: CheckContext) => Promise<Answer>;
  /** The largest page, and page 2 in the default size that must be a part of it. */
  readonly bothPages: (context: CheckContext) => Promise<readonly Answer[]>;
  /** A last page that is neither full nor nearly empty: it tells a total that is one off. */
  readonly lastPage: Ask;
}

/**
 * The list of an endpoint; `of` is what its path names, such as `currency`.
 *
 * Requests for a second page throw Untested when one page of the default size holds all items.
 * @throws RangeError when no default is stated for page_size
 */
export function pagedList(path: PagedPath, of: string): PagedList {
  const { fallback, maximum } = boundsOf(path, 'page_size');
  if (fallback === null) throw new RangeError(`${path} states no default for page_size`);
  const size: number = fallback;
  const [[parameter, kind] = []] = Object.entries(endpoint(path).path);
  const items = `${PAGES[path].item}s`;
  const largestPage = { page_size: maximum };

  async function entity(api: Api): Promise<Readonly<Record<string, string>>> {
    if (parameter === undefined || kind === undefined) return {};
    const ids = await api.fixtures(kind);
    let best = { id: await api.fixture(kind), total: -1 };
    for (const id of [best.id, ...ids.filter((one) => one !== best.id)].slice(0, MOST_ENTITIES)) {
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
        : `none of the first ${MOST_ENTITIES} ${of}s has more than ${size} ${items}; put one that does first in fixtures.${kind}`,
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
