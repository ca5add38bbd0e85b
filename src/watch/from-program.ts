import type { TrafficSettings } from '../run/check/traffic-results.ts';
import type { Format } from '../report/formats.ts';
import type { Results } from '../report/model/results.ts';
import type { RunEvent } from '../run/events.ts';
import { holdFolder } from '../run/journal/output-lock.ts';
import type { Target } from '../target/target.ts';
import type { ServerCertificate } from './proxy.ts';
import type { Place } from './place.ts';
import { addressText, Watch } from './watch.ts';
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

/** Resolved settings of a watch started through the API. */
export interface ProgramWatch {
  readonly target: Target;
  readonly settings: TrafficSettings;
  readonly output: string;
  readonly formats: readonly Format[];
  readonly listen: Place;
  readonly page: Place | null;
  readonly certificate: ServerCertificate | null;
  readonly host: 'keep' | 'target';
  readonly fresh: boolean;
  readonly drainMs: number;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
}

/**
 * Starts a watch within this process.
 * @throws WatchError, FolderInUse or JournalError if it cannot start
 */
export async function startWatch(options: ProgramWatch): Promise<RunningWatch> {
  const rest = options;
  const held = await holdFolder(options.output, 'a program');
  const watch = new Watch({
    ...rest,
    reportEveryMs: null,
    say: () => undefined,
  });
  try {
    await watch.start();
  } catch (error) {
    held.release();
    throw error;
  }
  const scheme = options.certificate === null ? 'http' : 'https';
  return {
    listen: `${scheme}://${addressText(watch.address)}`,
    page: watch.pageAddress === null ? null : `http://${addressText(watch.pageAddress)}/`,
    report: () => watch.report(),
    async stop() {
      try {
        const { results, error } = await watch.stop();
        if (error !== null) throw Object.assign(new Error(error.message), error);
        if (results !== null) return results;
        throw new WatchError(
          'ASSAY_WATCH_STORE',
          'The judge crashed before it wrote the reports.',
          'Restart the watch in the same folder: it continues from the saved state.',
        );
      } finally {
        held.release();
      }
    },
  };
}
