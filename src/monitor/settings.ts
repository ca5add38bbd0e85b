import { DAY, HOUR } from '../spec/time.ts';
import type { Profile } from '../ask/profiles.ts';
import type { Format } from '../report/formats.ts';
import { parsedAddress } from '../run/listen-address.ts';
import { OptionError } from '../run/option-error.ts';
import type { Target } from '../target/target.ts';
import type { Secret } from '../text/secret-scan.ts';
import { limitOf } from './budget.ts';
import type { MonitorEvent } from './events.ts';
import { receiverOf, receiverSecrets, type Receiver } from './notify/webhook.ts';
import type { RunFrame } from './one-run.ts';
import { SHALLOW_REQUESTS } from './pace.ts';
import { every, type Schedule } from './schedule.ts';

/** Where metrics go. */
export interface MetricsOptions {
  /** Address for Prometheus, `127.0.0.1:9464`. */
  readonly listen?: string | undefined;
  /** URL for OTLP over HTTP, such as `http://127.0.0.1:4318/v1/metrics`. */
  readonly otlp?: string | undefined;
}

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
  readonly metrics?: MetricsOptions | undefined;
  readonly once?: boolean | undefined;
  /** Duration, ms; until the signal by default. */
  readonly forMs?: number | undefined;
}

type Filled = { readonly [Name in keyof MonitorWishes]-?: NonNullable<MonitorWishes[Name]> };

/** Complete settings of a monitor. */
export interface MonitorSettings
  extends
    RunFrame,
    Pick<MonitorWishes, 'maxRequests' | 'seed' | 'publicUrl' | 'forMs'>,
    Pick<Filled, 'profile' | 'only' | 'skip' | 'share' | 'jitter' | 'output' | 'keepMs'>,
    Pick<Filled, 'metrics' | 'once'> {
  readonly target: Target;
  readonly schedule: Schedule;
  readonly receiver: Receiver | null;
  /** Texts of the receiver that must not be written anywhere. */
  readonly secrets: readonly Secret[];
  readonly signal: AbortSignal;
  readonly tell: (event: MonitorEvent) => void;
}

/** Result of a monitor. */
export interface MonitorEnd {
  readonly why: 'signal' | 'once' | 'for';
  readonly runs: number;
  /** With `once`, the exit code of its run; otherwise 0. */
  readonly exitCode: number;
}

const FORMATS: readonly Format[] = ['html', 'json', 'md'];

/** Validates the options of a monitor and fills in defaults. @throws OptionError for an invalid one */
export function prepared(
  target: Target,
  wishes: MonitorWishes,
  rest: Pick<MonitorSettings, 'named' | 'signal' | 'tell'> &
    Partial<Pick<MonitorSettings, 'waivers' | 'listener'>>,
): MonitorSettings {
  const { share = 0.05, everyMs, webhook, concurrency, metrics = {} } = wishes;
  const { maxRequests, once = false, forMs, publicUrl } = wishes;
  for (const [isWrong, message, hint] of [
    [
      !(share > 0 && share <= 1),
      '--share takes a percentage above 0 and up to 100.',
      'For example --share 5%, which is 5,000 requests per key per month.',
    ],
    [
      publicUrl !== undefined && !/^https?:\/\/\S+$/.test(publicUrl),
      '--public-url takes an http or https URL.',
      'For example --public-url https://ci.example/assay.',
    ],
    [
      once && forMs !== undefined,
      '--once and --for cannot be given together.',
      'Remove one of the options.',
    ],
    [
      maxRequests !== undefined && maxRequests < SHALLOW_REQUESTS,
      `A monitor run takes at least ${SHALLOW_REQUESTS} requests, but --max-requests is ${maxRequests}.`,
      'Raise --max-requests; --share limits the cost per month.',
    ],
    [
      metrics.listen !== undefined && parsedAddress(metrics.listen) === null,
      `--metrics takes an address with a port, not ${JSON.stringify(metrics.listen)}.`,
      'For example --metrics 127.0.0.1:9464.',
    ],
  ] as const) {
    if (isWrong) throw new OptionError(message, hint);
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
    seed: wishes.seed,
    share,
    schedule: every(everyMs ?? 6 * HOUR),
    jitter: wishes.jitter ?? true,
    output: wishes.output ?? 'reports/monitor',
    keepMs: wishes.keepMs ?? 30 * DAY,
    // The page and notifications link to the report.
    formats: [...new Set<Format>(['html', ...(wishes.formats ?? FORMATS)])],
    ...(concurrency !== undefined && { concurrency }),
    receiver: webhook === undefined ? null : receiverOf(webhook.url, secret),
    secrets: webhook === undefined ? [] : receiverSecrets(webhook.url, secret),
    publicUrl,
    metrics,
    once,
    forMs,
  };
}
