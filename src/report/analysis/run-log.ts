import { exchangeLine } from './evidence-text.ts';
import { formatDuration } from '../model/labels.ts';
import type { Results } from '../model/results.ts';

/** Waits shorter than this are not worth a line, ms. */
export const WAIT_MS = 2_000;

/** A line of the log; `at` is in ms since 1970. */
export interface LogLine {
  readonly at: number;
  readonly words: string;
  readonly exchange: string | null;
}

/** What is worth telling of the course of a run, taken from its exchanges. */
export function logLines(results: Results): readonly LogLine[] {
  const lines: LogLine[] = [];
  let last: number | null = null;
  for (const exchange of results.exchanges) {
    const { sentAt, receivedAt, attempt, error, response, id } = exchange;
    if (last !== null && sentAt - last >= WAIT_MS) {
      const words = `nothing sent for ${formatDuration(sentAt - last)}`;
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
