import type { Answer } from './answer.ts';
import type { Some } from './check.ts';
import { Inconclusive, Untested } from './outcome.ts';

/**
 * Sends requests one after the other and collects their answers. A missing answer does not prevent judging the others;
 * the first inconclusive one is returned as `withheld`.
 * @throws Untested or Inconclusive from the first request when
 * there is no answer at all
 */
export async function someOf(
  requests: readonly (() => Promise<Answer | readonly Answer[]>)[],
): Promise<Some> {
  const answers: Answer[] = [];
  const problems: unknown[] = [];
  for (const request of requests) {
    try {
      answers.push(...[await request()].flat());
    } catch (error) {
      if (!(error instanceof Untested) && !(error instanceof Inconclusive)) throw error;
      problems.push(error);
    }
  }
  if (answers.length === 0) throw problems[0];
  return { answers, withheld: problems.find((problem) => problem instanceof Inconclusive) };
}
