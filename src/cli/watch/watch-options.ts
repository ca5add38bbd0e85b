import type { Argv } from 'yargs';
import { FORMATS } from '../../report/formats.ts';
import { FAIL_ON, type FailOn } from '../../report/model/gate.ts';
import { parsedPlace, type Place } from '../../watch/place.ts';
import { withConfigOptions, type ConfigArguments } from '../config.ts';
import { UsageError } from '../errors.ts';
import { failOnNames, FORMATS_BY_DEFAULT, withShowHeader } from '../judging-options.ts';
import { withNetworkOptions, type NetworkArguments } from '../options.ts';

/** Arguments of `assay watch`. */
export interface WatchArguments extends ConfigArguments, NetworkArguments {
  listen: string;
  target: string | undefined;
  'base-url': string | undefined;
  page: string;
  host: 'keep' | 'target' | undefined;
  'tls-cert': string | undefined;
  'tls-key': string | undefined;
  'key-header': string | undefined;
  output: string | undefined;
  fresh: boolean;
  duration: string | undefined;
  drain: string;
  'report-every': string | undefined;
  events: string | undefined;
  format: string | undefined;
  only: string[] | undefined;
  skip: string[] | undefined;
  'fail-on': FailOn[] | undefined;
  waivers: string | undefined;
  'show-header': string[] | undefined;
  quiet: boolean;
}

const text = (describe: string) => ({ type: 'string', requiresArg: true, describe }) as const;

const TRAFFIC = 'Traffic:';

/** Adds the options of `assay watch`. */
export function withWatchOptions<T>(yargs: Argv<T>) {
  const traffic = yargs
    .option('target', {
      ...text('Where the traffic goes: base URL, or target file with roles of keys and limits'),
      alias: 't',
      group: TRAFFIC,
    })
    .option('base-url', {
      ...text('Base URL, where the target file names another one or none'),
      alias: 'u',
      group: TRAFFIC,
    })
    .option('listen', {
      ...text('Where clients are served, host:port'),
      default: '127.0.0.1:8080',
      group: TRAFFIC,
    })
    .option('host', {
      choices: ['keep', 'target'] as const,
      group: TRAFFIC,
      describe:
        'Header Host: that of the client, or that of the target; keep for http, target for https by default',
    })
    .option('tls-cert', {
      ...text('Certificate that clients are shown, PEM; they may then speak HTTP/2 and 1.1'),
      group: TRAFFIC,
    })
    .option('tls-key', { ...text('Its private key, PEM'), group: TRAFFIC })
    .option('key-header', {
      ...text('Header that carries keys; X-API-KEY, or that of the target file, by default'),
      group: TRAFFIC,
    })
    .option('drain', {
      ...text('How long what is under way may take to end when the watch is stopped'),
      default: '5s',
      group: TRAFFIC,
    });
  const judged = traffic
    .option('page', {
      ...text('Where the live page is, host:port, or none; any free port of loopback by default'),
      default: '127.0.0.1:0',
    })
    .option('output', {
      ...text('Folder of the reports, and of what a watch that is started again takes up'),
      alias: 'o',
      default: 'reports/watch',
    })
    .option('fresh', {
      type: 'boolean',
      default: false,
      describe: 'Forget what an earlier watch left in the folder',
    })
    .option('duration', text('Stop after so long: 90s, 2m, 1h, 1d; until Ctrl-C by default'))
    .option('report-every', text('Write the reports meanwhile, too: 10m; SIGUSR2 does it once'))
    .option('events', text('File that events are added to, one JSON object a line; - for stdout'))
    .option(
      'format',
      text(`Reports to write, of ${FORMATS.join(', ')}; ${FORMATS_BY_DEFAULT} by default`),
    )
    .option('only', { ...text('Ids, prefixes (4.3) or globs'), array: true })
    .option('skip', { ...text('The same, left out'), array: true })
    .option('fail-on', {
      ...text('What makes the exit code 1 beyond violated musts: must, should, untested'),
      array: true,
      coerce: (given: readonly string[] | undefined) => given && failOnNames(given, FAIL_ON),
    })
    .option('waivers', text('Waiver file: violations that somebody answers for, until a day'))
    .option('quiet', {
      type: 'boolean',
      default: false,
      describe: 'Say nothing while it goes on but what needs attention',
    });
  return withShowHeader(withNetworkOptions(withConfigOptions(judged)));
}

/** @throws UsageError for a text that is no place to listen at */
export function placeOf(flag: string, value: string): Place {
  const place = parsedPlace(value);
  if (place !== null) return place;
  throw new UsageError(
    `${flag} ${value} is no place to listen at.`,
    `For example ${flag} 127.0.0.1:8080, ${flag} 0.0.0.0:8080, ${flag} [::1]:8080.`,
  );
}

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
/** Timers hold no more, ms: 24 days. */
const LONGEST = 2 ** 31 - 1;

/**
 * A length of time such as `90s`, ms.
 * @throws UsageError for anything else
 */
export function lengthOf(flag: string, value: string): number {
  const [, count = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(value.trim()) ?? [];
  const ms = Math.round(Number(count) * (UNITS[unit] ?? Number.NaN));
  if (count === '' || !Number.isFinite(ms) || ms > LONGEST) {
    throw new UsageError(
      `${flag} ${value} is no length of time${ms > LONGEST ? ' that can be waited for' : ''}.`,
      `A number and its unit: ${flag} 500ms, 90s, 2m, 1h, 1d; 24d at the most.`,
    );
  }
  return ms;
}
