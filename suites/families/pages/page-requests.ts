// Requests for paged lists. Equal requests are sent once. Lists change, so a page that does not fit is requested again
// before it counts.
import type { Answer, CheckContext, GetOptions, Query } from '../../../src/ask/index.ts';
import { PAGES, locatePage, type PagedFacts, type PagedPath } from '../../../src/judge/pages.ts';
import { viewOf } from '../../../src/judge/view.ts';
import { comparePages } from './page-seams.ts';

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
