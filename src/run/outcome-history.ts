import { earlierRun, historyOf } from '../report/analysis/history.ts';
import type { Results } from '../report/model/results.ts';
import { earlierRuns } from './history.ts';

/**
 * The results with the history of their requirements, from earlier runs of the same target whose results.json lie beside
 * `output`. As they were when there are none; what cannot be read is passed over.
 */
export async function withHistory(results: Results, output: string): Promise<Results> {
  // The embedded server is another one each time, on another port.
  if (results.target.reference) return results;
  const earlier = [];
  for await (const content of earlierRuns(output, results.target.baseUrl)) {
    const run = earlierRun(content);
    if (run !== undefined) earlier.push(run);
  }
  const history = historyOf(results, earlier);
  return history === null ? results : { ...results, history };
}
