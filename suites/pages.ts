// Pages of one list that can be compared: lists move, so they are asked for one after the other, and again if need be.
import { PAGED } from '../src/rules/pages.ts';
import type { Answer, CheckContext, Query } from '../src/suite/index.ts';

const MINUTE = 60_000;
/** Answers of the run first, then new ones twice. */
const ATTEMPTS = [false, true, true];

/**
 * Page 1, page 2 and a page that covers both, in this order and within a minute, while nothing was added to the head of
 * the list. After the last attempt they are given as they are: rules do not judge pages of a list that moved.
 */
export async function steadyPages(
  { api }: CheckContext,
  path: (typeof PAGED)[number]['endpoint'],
  queries: readonly [first: Query, second: Query, both: Query],
): Promise<readonly Answer[]> {
  let answers: Answer[] = [];
  for (const fresh of ATTEMPTS) {
    answers = [];
    // One after the other: the order of arrival is what the rules go by.
    for (const query of queries) answers.push(await api.get(path, query, { fresh }));
    if (areSteady(path, answers)) break;
  }
  return answers;
}

function areSteady(path: string, answers: readonly Answer[]): boolean {
  // A refusal is judged as it is; asking again would only cost.
  if (answers.some(({ status }) => status !== 200)) return true;
  const times = answers.map(({ exchange }) => exchange.receivedAt + exchange.skewMs);
  const inOrder = times.every((time, index) => time >= (times[index - 1] ?? time));
  const identityOf = PAGED.find(({ endpoint }) => endpoint === path)?.identityOf;
  const [first = [], , both = []] = answers.map(({ records }) =>
    records.map(({ value }) => identityOf?.(value)),
  );
  const unmoved = first.every((item, index) => item === both[index]);
  return inOrder && Math.max(...times) - Math.min(...times) < MINUTE && unmoved;
}
