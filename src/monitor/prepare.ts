import { DAY, HOUR } from '../spec/time.ts';
import type { Profile } from '../ask/profiles.ts';
import type { Format } from '../report/formats.ts';
import { OptionError } from '../run/option-error.ts';
import type { Target } from '../target/target.ts';
import { limitOf } from './means.ts';
import { addressOf } from './listen-address.ts';
import { SHALLOW_REQUESTS } from './pace.ts';
import { cron, every } from './schedule.ts';
import type { MonitorSettings } from './settings.ts';
import { receiverOf, receiverSecrets } from './notify/webhook.ts';

/** What a monitor may be told beyond its target; the rest is filled in. */
export interface MonitorWishes {
  readonly profile?: Profile | undefined;
  readonly only?: readonly string[] | undefined;
  readonly skip?: readonly string[] | undefined;
  readonly maxRequests?: number | undefined;
  /** Seed of every run; that of the day by default, so that runs look at other things. */
  readonly seed?: number | undefined;
  /** Part of the monthly quota of each key, above 0 and up to 1; 0.05 by default. */
  readonly share?: number | undefined;
  /** Time between runs, ms; six hours by default. */
  readonly everyMs?: number | undefined;
  /** The schedule as a cron expression, UTC, in place of `everyMs`. */
  readonly cron?: string | undefined;
  /** False to begin exactly on the moments of the schedule. */
  readonly jitter?: boolean | undefined;
  /** Folder of state, history and runs; `reports/monitor` by default. */
  readonly output?: string | undefined;
  /** How long runs are kept, ms; 30 days by default. */
  readonly keepMs?: number | undefined;
  readonly formats?: readonly Format[] | undefined;
  readonly concurrency?: number | undefined;
  /** Where turns of the verdict are told, and what that is signed with. */
  readonly webhook?: { readonly url: string; readonly secret?: string | undefined } | undefined;
  /** Where the output folder is published, for links in notifications. */
  readonly publicUrl?: string | undefined;
  readonly metrics?:
    { readonly listen?: string | undefined; readonly otlp?: string | undefined } | undefined;
  readonly once?: boolean | undefined;
  /** How long it goes on, ms; until the signal by default. */
  readonly forMs?: number | undefined;
}

const SHARE = 0.05;
const EVERY_MS = 6 * HOUR;
const KEEP_MS = 30 * DAY;
export const MONITOR_OUTPUT = 'reports/monitor';
/** Reports of every run: for people, for programs, and for a message. */
export const MONITOR_FORMATS: readonly Format[] = ['html', 'json', 'md'];

/**
 * The settings of a monitor, checked and filled in.
 * @throws OptionError for what cannot be used
 */
export function prepared(
  target: Target,
  wishes: MonitorWishes,
  rest: Pick<MonitorSettings, 'named' | 'signal' | 'tell'> &
    Partial<Pick<MonitorSettings, 'waivers' | 'listener'>>,
): MonitorSettings {
  const { share = SHARE, everyMs, cron: expression, webhook, metrics, publicUrl = null } = wishes;
  if (!(share > 0 && share <= 1)) {
    throw new OptionError('A share is above 0 % and at most 100 %.', 'For example --share 5%.');
  }
  if (everyMs !== undefined && expression !== undefined) {
    throw new OptionError('--every and --cron cannot be given together.', 'Give one of them.');
  }
  if (publicUrl !== null && !/^https?:\/\/\S+$/.test(publicUrl)) {
    throw new OptionError(
      '--public-url takes an http or https address.',
      'For example --public-url https://ci.example/assay.',
    );
  }
  const { maxRequests = null, once = false, forMs = null } = wishes;
  if (once && forMs !== null) {
    throw new OptionError('--once and --for cannot be given together.', 'Give one of them.');
  }
  if (maxRequests !== null && maxRequests < SHALLOW_REQUESTS) {
    throw new OptionError(
      `A run of a monitor takes ${SHALLOW_REQUESTS} requests at least, and --max-requests is ${maxRequests}.`,
      'Give a larger one; --share says what a month may take.',
    );
  }
  const { listen = null, otlp = null } = metrics ?? {};
  if (listen !== null) addressOf(listen);
  const secret = webhook?.secret ?? null;
  limitOf({ share, target });
  return {
    ...rest,
    target,
    profile: wishes.profile ?? 'standard',
    only: wishes.only ?? [],
    skip: wishes.skip ?? [],
    maxRequests,
    seed: wishes.seed ?? null,
    share,
    schedule: expression === undefined ? every(everyMs ?? EVERY_MS) : cron(expression),
    jitter: wishes.jitter ?? true,
    output: wishes.output ?? MONITOR_OUTPUT,
    keepMs: wishes.keepMs ?? KEEP_MS,
    // Page and notifications lead to the report.
    formats: [...new Set<Format>(['html', ...(wishes.formats ?? MONITOR_FORMATS)])],
    ...(wishes.concurrency !== undefined && { concurrency: wishes.concurrency }),
    receiver: webhook === undefined ? null : receiverOf(webhook.url, secret),
    secrets: webhook === undefined ? [] : receiverSecrets(webhook.url, secret),
    publicUrl,
    metrics: { listen, otlp },
    once,
    forMs,
  };
}
