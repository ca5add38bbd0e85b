import { earlierRun, historyOf } from '../report/analysis/history.ts';
import type { Results } from '../report/model/results.ts';
import { earlierRuns } from './history.ts';

/**
 * Adds the history of requirements from earlier runs of the same target in sibling folders of `output`. Unreadable
 * files are ignored.
 */
export async function withHistory(results: Results, output: string): Promise<Results> {
  // The embedded server is a new one each time.
  if (results.target.reference) return results;
  const earlier = [];
  for await (const content of earlierRuns(output, results.target.baseUrl)) {
    const run = earlierRun(content);
    if (run !== undefined) earlier.push(run);
  }
  const history = historyOf(results, earlier);
  return history === null ? results : { ...results, history };
}
