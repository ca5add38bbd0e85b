import type { Argv } from 'yargs';
import { FORMATS } from '../../report/formats.ts';
import { FAIL_ON, type FailOn } from '../../report/model/gate.ts';
import { parsedPlace, type Place } from '../../run/place.ts';
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
      ...text('Upstream: base URL, or target file with key roles and limits'),
      alias: 't',
      group: TRAFFIC,
    })
    .option('base-url', {
      ...text('Base URL, overrides the one in the target file'),
      alias: 'u',
      group: TRAFFIC,
    })
    .option('listen', {
      ...text('Address for clients, host:port'),
      default: '127.0.0.1:8080',
      group: TRAFFIC,
    })
    .option('host', {
      choices: ['keep', 'target'] as const,
      group: TRAFFIC,
      describe:
        "Host header to send: the client's (keep) or the target's (target); default: keep for http, target for https",
    })
    .option('tls-cert', {
      ...text('Server certificate for clients, PEM; enables HTTPS'),
      group: TRAFFIC,
    })
    .option('tls-key', { ...text('Private key for --tls-cert, PEM'), group: TRAFFIC })
    .option('key-header', {
      ...text('Header that carries the key; default: from the target file, or X-API-KEY'),
      group: TRAFFIC,
    })
    .option('drain', {
      ...text('How long to wait for open requests when stopping'),
      default: '5s',
      group: TRAFFIC,
    });
  const judged = traffic
    .option('page', {
      ...text('Address of the live page, host:port, or none'),
      default: '127.0.0.1:0',
    })
    .option('output', {
      ...text('Folder for reports and for the state that a restarted watch resumes'),
      alias: 'o',
      default: 'reports/watch',
    })
    .option('fresh', {
      type: 'boolean',
      default: false,
      describe: 'Discard the state of an earlier watch in the folder',
    })
    .option(
      'duration',
      text('Stop after this time, such as 90s, 2m, 1h or 1d; default: run until Ctrl-C'),
    )
    .option(
      'report-every',
      text('Also write reports at this interval, such as 10m; SIGUSR2 writes them immediately'),
    )
    .option('events', text('Append events to this file as NDJSON; - for stdout'))
    .option(
      'format',
      text(`Reports to write: ${FORMATS.join(', ')}; default: ${FORMATS_BY_DEFAULT}`),
    )
    .option('only', {
      ...text('Judge only these requirements: ids, prefixes (4.3) or globs'),
      array: true,
    })
    .option('skip', {
      ...text('Leave out these requirements: ids, prefixes or globs'),
      array: true,
    })
    .option('fail-on', {
      ...text(
        'Also exit with code 1 for these (comma-separated): must, should, untested; default: must',
      ),
      array: true,
      coerce: (given: readonly string[] | undefined) => given && failOnNames(given, FAIL_ON),
    })
    .option('waivers', text('Waiver file: violations accepted by an owner until a given date'))
    .option('quiet', {
      type: 'boolean',
      default: false,
      describe: 'Print warnings and errors only',
    });
  return withShowHeader(withNetworkOptions(withConfigOptions(judged)));
}

/** @throws UsageError for anything but host:port */
export function placeOf(flag: string, value: string): Place {
  const place = parsedPlace(value);
  if (place !== null) return place;
  throw new UsageError(
    `${flag} ${value} must be host:port.`,
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
/** Maximum of a Node timer: 24 days, ms. */
const LONGEST = 2 ** 31 - 1;

/**
 * A duration such as `90s`, ms.
 * @throws UsageError for anything else
 */
export function lengthOf(flag: string, value: string): number {
  const [, count = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(value.trim()) ?? [];
  const ms = Math.round(Number(count) * (UNITS[unit] ?? Number.NaN));
  if (count === '' || !Number.isFinite(ms) || ms > LONGEST) {
    throw new UsageError(
      `${flag} ${value} is ${ms > LONGEST ? 'too long' : 'not a duration'}.`,
      `Use a number with a unit, at most 24d: ${flag} 500ms, 90s, 2m, 1h or 1d.`,
    );
  }
  return ms;
}
