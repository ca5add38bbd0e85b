// Pages of one list that can be compared. Lists move, so a page that does not fit is asked for once more before it counts.
import { placed, standingOf } from '../../rules/page-parts.ts';
import { PAGED } from '../../rules/pages.ts';
import { isObject, viewOf } from '../../rules/view.ts';
import type { Answer, CheckContext, GetOptions, Query } from '../index.ts';

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
  path: (typeof PAGED)[number]['endpoint'],
  queries: readonly Query[],
  options: Pick<GetOptions, 'path' | 'role'> = {},
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const query of queries) answers.push(await api.get(path, query, options));
  const largest = queries.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0] ?? {};
  for (let repeat = 1; repeat <= REPEATS && isUnclear(path, answers, session.facts); repeat += 1) {
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
  path: string,
  answers: readonly Answer[],
  facts: Parameters<typeof viewOf>[1],
): boolean {
  const paged = PAGED.find(({ endpoint }) => endpoint === path);
  // A refusal is judged as it is; asking again would only cost.
  if (paged === undefined || answers.some(({ status }) => status !== 200)) return false;
  const pages = answers.flatMap(({ exchange }) => {
    const view = viewOf(exchange, facts);
    return (view && placed(paged, view)) ?? [];
  });
  return (
    pages
      .filter(({ number }) => number > 1)
      .every((page) => standingOf(paged, page, pages)?.kind === 'unclear') &&
    pages.some(({ number }) => number > 1)
  );
}
