import type { Results } from '../report/model/results.ts';
import { openWatch, type WatchOptions } from './watch.ts';
import { WatchError } from './watch-error.ts';

/** A watch started through the API. */
export interface RunningWatch {
  /** URL for clients: scheme, host and port. */
  readonly listen: string;
  /** Address of the live page; null without one. */
  readonly page: string | null;
  /** Requests reports of the current state. */
  report(): void;
  /**
   * Stops accepting connections, judges the rest and writes the reports.
   * @throws Error with `code` and `hint` if the reports cannot be written
   */
  stop(): Promise<Results>;
}

/**
 * Starts a watch within this process.
 * @throws WatchError, FolderInUse or JournalError if it cannot start
 */
export async function startWatch(
  options: Omit<WatchOptions, 'owner' | 'reportEveryMs' | 'say'>,
): Promise<RunningWatch> {
  const more = { owner: 'a program', reportEveryMs: null, say: () => undefined };
  const { listen, page, report, stop } = await openWatch({ ...options, ...more });
  return {
    listen,
    page,
    report: () => void report(),
    async stop() {
      const { results, error } = await stop();
      if (error !== null) throw Object.assign(new Error(error.message), error);
      if (results !== null) return results;
      throw new WatchError(
        'ASSAY_WATCH_STORE',
        'The judge crashed before it wrote the reports.',
        'Restart the watch in the same folder: it continues from the saved state.',
      );
    },
  };
}
