import { exchangeLine } from './evidence-text.ts';
import { formatDuration } from '../model/labels.ts';
import type { Results } from '../model/results.ts';

/** Shorter pauses are not logged, ms. */
export const WAIT_MS = 2_000;

/** A line of the log; `at` is epoch ms. */
export interface LogLine {
  readonly at: number;
  readonly words: string;
  readonly exchange: string | null;
}

/** Notable events of a run: pauses, retries, errors and refusals by the limiter. */
export function logLines(results: Results): readonly LogLine[] {
  const lines: LogLine[] = [];
  let last: number | null = null;
  for (const exchange of results.exchanges) {
    const { sentAt, receivedAt, attempt, error, response, id } = exchange;
    if (last !== null && sentAt - last >= WAIT_MS) {
      const words = `no request for ${formatDuration(sentAt - last)}`;
      lines.push({ at: last, words, exchange: null });
    }
    last = receivedAt;
    const words = exchangeLine(exchange);
    if (attempt > 1) {
      lines.push({ at: sentAt, words: `attempt ${attempt}: ${words}`, exchange: id });
    }
    const status = response?.status ?? 0;
    if (error !== null || status === 429 || status >= 500) {
      lines.push({ at: receivedAt, words, exchange: id });
    }
  }
  return lines;
}
