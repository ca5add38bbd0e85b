import { randomUUID } from 'node:crypto';
import { cut, plural } from '../../text/text.ts';
import type { RunEntry } from '../state.ts';
import type { OpenViolation, StandingVerdict, Turn } from '../standing.ts';

/** Version of `schemas/tool/notification.json`; it rises when a member changes its meaning. */
const VERSION = 1;

/** What a webhook is told of a turn; `schemas/tool/notification.json` describes it. */
export interface Notification {
  readonly version: 1;
  /** The same whenever it is sent again, so that a receiver can drop what it has seen. */
  readonly id: string;
  readonly type: 'turn';
  /** When the run began that turned the verdict, ISO 8601. */
  readonly at: string;
  readonly target: { readonly baseUrl: string };
  /** Null when it is the first verdict. */
  readonly from: StandingVerdict | null;
  readonly to: StandingVerdict;
  /** One sentence, for people. */
  readonly text: string;
  readonly violated: readonly Violated[];
  /** Ids of the musts that were violated, and are right again. */
  readonly mended: readonly string[];
  readonly run: Pick<
    RunEntry,
    'folder' | 'startedAt' | 'verdict' | 'sentence' | 'profile' | 'seed'
  >;
  /** The report: below `--public-url` where it is given, else below the output folder. */
  readonly report: string;
}

type Violated = Pick<OpenViolation, 'id' | 'title' | 'since'>;

/** A notification that was not delivered yet. */
export interface PendingNotification {
  readonly id: string;
  readonly body: Notification;
  readonly attempts: number;
  /** When it was put here, and when it is to be tried next, epoch ms of this machine. */
  readonly queuedAt: number;
  readonly nextAt: number;
}

/** Where the report of a run is. */
export const reportOf = (folder: string, publicUrl: string | null): string =>
  `${publicUrl === null ? '' : `${publicUrl.replace(/\/+$/, '')}/`}${folder}/report.html`;

/** The notification of a turn. */
export function notificationOf(
  turn: Turn,
  run: RunEntry,
  about: { readonly baseUrl: string; readonly publicUrl: string | null },
): Notification {
  const { from, to, violated, mended } = turn;
  return {
    version: VERSION,
    id: randomUUID(),
    type: 'turn',
    at: run.startedAt,
    target: { baseUrl: about.baseUrl },
    from,
    to,
    text: turnWords(turn, about.baseUrl),
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

/** Names that stand in a sentence; the others are counted. */
const MOST_NAMES = 3;

function named(ids: readonly string[]): string {
  const more = ids.length - MOST_NAMES;
  return `${ids.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A turn as one sentence. */
export function turnWords({ to, violated, mended }: Turn, baseUrl: string): string {
  const what = cut(baseUrl, 200);
  if (to === 'violates') {
    const ids = violated.map(({ id }) => id);
    return `${what} violates ${plural(ids.length, 'must requirement')}: ${named(ids)}.`;
  }
  if (to === 'incomplete') return `${what} cannot be judged any more.`;
  return mended.length === 0
    ? `${what} can be judged again, and no violation is found.`
    : `${what} is mended: ${named(mended)}.`;
}
