import type { Answer } from './answer.ts';
import type { Some } from './check.ts';
import { Inconclusive, Untested } from './outcome.ts';

/**
 * The answers to some requests, one after the other. What cannot be had does not keep the others from being judged;
 * what should have been answered and was not is withheld.
 * @throws Untested or Inconclusive, as the first request does, when there is no answer at all
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
