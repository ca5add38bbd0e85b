import { DAY, HOUR } from '../spec/time.ts';
import type { Format } from '../report/formats.ts';
import { OptionError } from '../run/option-error.ts';
import { parsedAddress } from '../run/listen-address.ts';
import type { Target } from '../target/target.ts';
import { limitOf } from './budget.ts';
import { SHALLOW_REQUESTS } from './pace.ts';
import { cron, every } from './schedule.ts';
import type { MonitorSettings, MonitorWishes } from './settings.ts';
import { receiverOf, receiverSecrets } from './notify/webhook.ts';

/** Report formats of every run. */
const FORMATS: readonly Format[] = ['html', 'json', 'md'];

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
  const { share = 0.05, everyMs, cron: expression, webhook, concurrency } = wishes;
  const { maxRequests = null, once = false, forMs = null, publicUrl = null } = wishes;
  const { listen = null, otlp = null } = wishes.metrics ?? {};
  const both = 'Remove one of the options.';
  for (const [isWrong, message, hint] of [
    [
      !(share > 0 && share <= 1),
      '--share must be above 0 % and at most 100 %.',
      'For example --share 5%.',
    ],
    [
      everyMs !== undefined && expression !== undefined,
      '--every and --cron cannot be given together.',
      both,
    ],
    [
      publicUrl !== null && !/^https?:\/\/\S+$/.test(publicUrl),
      '--public-url takes an http or https URL.',
      'For example --public-url https://ci.example/assay.',
    ],
    [once && forMs !== null, '--once and --for cannot be given together.', both],
    [
      maxRequests !== null && maxRequests < SHALLOW_REQUESTS,
      `A monitor run takes at least ${SHALLOW_REQUESTS} requests, but --max-requests is ${maxRequests}.`,
      'Raise --max-requests; --share limits the cost per month.',
    ],
    [
      listen !== null && parsedAddress(listen) === null,
      `--metrics takes an address with a port, not ${JSON.stringify(listen)}.`,
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
    seed: wishes.seed ?? null,
    share,
    schedule: expression === undefined ? every(everyMs ?? 6 * HOUR) : cron(expression),
    jitter: wishes.jitter ?? true,
    output: wishes.output ?? 'reports/monitor',
    keepMs: wishes.keepMs ?? 30 * DAY,
    // The page and notifications link to the report.
    formats: [...new Set<Format>(['html', ...(wishes.formats ?? FORMATS)])],
    ...(concurrency !== undefined && { concurrency }),
    receiver: webhook === undefined ? null : receiverOf(webhook.url, secret),
    secrets: webhook === undefined ? [] : receiverSecrets(webhook.url, secret),
    publicUrl,
    metrics: { listen, otlp },
    once,
    forMs,
  };
}
