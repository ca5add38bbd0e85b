import { randomUUID } from 'node:crypto';
import { cut, plural, some } from '../../text/text.ts';
import type { RunEntry } from '../state.ts';
import type { OpenViolation, MonitorVerdict, VerdictChange } from '../status.ts';

/** Notification of a verdict change; `schemas/tool/notification.json` describes it. */
export interface Notification {
  /** Version of the schema, raised when a member changes its meaning. */
  readonly version: 1;
  /** The same for every attempt, so that a receiver can ignore duplicates. */
  readonly id: string;
  readonly type: 'turn';
  /** Start of the run that changed the verdict, ISO 8601. */
  readonly at: string;
  readonly target: { readonly baseUrl: string };
  /** Null for the first verdict. */
  readonly from: MonitorVerdict | null;
  readonly to: MonitorVerdict;
  /** One sentence for people. */
  readonly text: string;
  readonly violated: readonly Pick<OpenViolation, 'id' | 'title' | 'since'>[];
  /** Ids of fixed musts. */
  readonly mended: readonly string[];
  readonly run: Pick<
    RunEntry,
    'folder' | 'startedAt' | 'verdict' | 'sentence' | 'profile' | 'seed'
  >;
  /** The report, relative to `--public-url` if set, otherwise to the output folder. */
  readonly report: string;
}

/** An undelivered notification. */
export interface PendingNotification {
  readonly id: string;
  readonly body: Notification;
  readonly attempts: number;
  /** When it was queued, and time of the next attempt, epoch ms of this machine. */
  readonly queuedAt: number;
  readonly nextAt: number;
}

/** Location of the report of a run. */
export const reportOf = (folder: string, publicUrl?: string): string =>
  `${publicUrl === undefined ? '' : `${publicUrl.replace(/\/+$/, '')}/`}${folder}/report.html`;

/** The notification of a verdict change. */
export function notificationOf(
  change: VerdictChange,
  run: RunEntry,
  about: { readonly baseUrl: string; readonly publicUrl?: string | undefined },
): Notification {
  const { from, to, violated, mended } = change;
  return {
    version: 1,
    id: randomUUID(),
    type: 'turn',
    at: run.startedAt,
    target: { baseUrl: about.baseUrl },
    from,
    to,
    text: changeText(change, about.baseUrl),
    violated: violated.map(({ id, title, since }) => ({ id, title, since })),
    mended,
    run: {
      folder: run.folder,
      startedAt: run.startedAt,
      verdict: run.verdict,
      sentence: cut(run.sentence, 1000),
      profile: run.profile,
      seed: run.seed,
    },
    report: reportOf(run.folder, about.publicUrl),
  };
}

const MOST_NAMES = 3;

/** A verdict change in one sentence. */
function changeText({ to, violated, mended }: VerdictChange, baseUrl: string): string {
  const what = cut(baseUrl, 200);
  if (to === 'violates') {
    const ids = violated.map(({ id }) => id);
    return `${what} violates ${plural(ids.length, 'must requirement')}: ${some(ids, MOST_NAMES)}.`;
  }
  if (to === 'incomplete') return `${what} can no longer be judged.`;
  return mended.length === 0
    ? `${what} can be judged again, with no violation found.`
    : `${what} is fixed: ${some(mended, MOST_NAMES)}.`;
}
