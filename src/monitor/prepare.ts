import { DAY, HOUR } from '../spec/time.ts';
import type { Profile } from '../ask/profiles.ts';
import type { Format } from '../report/formats.ts';
import { OptionError } from '../run/option-error.ts';
import { parsedAddress } from '../run/listen-address.ts';
import type { Target } from '../target/target.ts';
import { limitOf } from './budget.ts';
import { SHALLOW_REQUESTS } from './pace.ts';
import { cron, every } from './schedule.ts';
import type { MonitorSettings } from './settings.ts';
import { receiverOf, receiverSecrets } from './notify/webhook.ts';

/** Options of a monitor, with defaults. */
export interface MonitorWishes {
  readonly profile?: Profile | undefined;
  readonly only?: readonly string[] | undefined;
  readonly skip?: readonly string[] | undefined;
  readonly maxRequests?: number | undefined;
  /** Seed of every run; the day's seed by default, so that runs rotate. */
  readonly seed?: number | undefined;
  /** Share of the monthly quota of each key, above 0 and up to 1; 0.05 by default. */
  readonly share?: number | undefined;
  /** Interval of runs, ms; six hours by default. */
  readonly everyMs?: number | undefined;
  /** The schedule as a cron expression in UTC, instead of `everyMs`. */
  readonly cron?: string | undefined;
  /** False to start exactly on schedule. */
  readonly jitter?: boolean | undefined;
  /** Folder of state, history and runs; `reports/monitor` by default. */
  readonly output?: string | undefined;
  /** How long to keep runs, ms; 30 days by default. */
  readonly keepMs?: number | undefined;
  readonly formats?: readonly Format[] | undefined;
  readonly concurrency?: number | undefined;
  /** Receiver of verdict changes, and its signing secret. */
  readonly webhook?: { readonly url: string; readonly secret?: string | undefined } | undefined;
  /** URL of the published output folder, for links in notifications. */
  readonly publicUrl?: string | undefined;
  readonly metrics?:
    { readonly listen?: string | undefined; readonly otlp?: string | undefined } | undefined;
  readonly once?: boolean | undefined;
  /** Duration, ms; until the signal by default. */
  readonly forMs?: number | undefined;
}

const SHARE = 0.05;
const EVERY_MS = 6 * HOUR;
const KEEP_MS = 30 * DAY;
export const MONITOR_OUTPUT = 'reports/monitor';
/** Report formats of every run. */
export const MONITOR_FORMATS: readonly Format[] = ['html', 'json', 'md'];

/**
 * The settings of a monitor, validated and with defaults.
 * @throws OptionError for an invalid option
 */
export function prepared(
  target: Target,
  wishes: MonitorWishes,
  rest: Pick<MonitorSettings, 'named' | 'signal' | 'tell'> &
    Partial<Pick<MonitorSettings, 'waivers' | 'listener'>>,
): MonitorSettings {
  const { share = SHARE, everyMs, cron: expression, webhook, metrics, publicUrl = null } = wishes;
  if (!(share > 0 && share <= 1)) {
    throw new OptionError(
      '--share must be above 0 % and at most 100 %.',
      'For example --share 5%.',
    );
  }
  if (everyMs !== undefined && expression !== undefined) {
    throw new OptionError(
      '--every and --cron cannot be given together.',
      'Remove one of the options.',
    );
  }
  if (publicUrl !== null && !/^https?:\/\/\S+$/.test(publicUrl)) {
    throw new OptionError(
      '--public-url takes an http or https URL.',
      'For example --public-url https://ci.example/assay.',
    );
  }
  const { maxRequests = null, once = false, forMs = null } = wishes;
  if (once && forMs !== null) {
    throw new OptionError(
      '--once and --for cannot be given together.',
      'Remove one of the options.',
    );
  }
  if (maxRequests !== null && maxRequests < SHALLOW_REQUESTS) {
    throw new OptionError(
      `A monitor run takes at least ${SHALLOW_REQUESTS} requests, but --max-requests is ${maxRequests}.`,
      'Raise --max-requests; --share limits the cost per month.',
    );
  }
  const { listen = null, otlp = null } = metrics ?? {};
  if (listen !== null && parsedAddress(listen) === null) {
    throw new OptionError(
      `--metrics takes an address with a port, not ${JSON.stringify(listen)}.`,
      'For example --metrics 127.0.0.1:9464.',
    );
  }
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
    // The page and notifications link to the report.
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
