import type { Argv } from 'yargs';
import { FORMATS } from '../../report/formats.ts';
import { FAIL_ON, type FailOn } from '../../report/model/gate.ts';
import { parsedPlace, type Place } from '../../run/place.ts';
import { withConfigOptions, type ConfigArguments } from '../config.ts';
import { UsageError } from '../errors.ts';
import { GATE_OPTIONS, SELECTION_OPTIONS, SHOW_HEADER } from '../judging-options.ts';
import { durationOf, NETWORK_OPTIONS } from '../options.ts';

export const WATCH_OPTIONS = {
  ...inGroup('Traffic:', {
    target: string('Upstream: base URL, or target file with key roles and limits', { alias: 't' }),
    'base-url': string('Base URL, overrides the one in the target file', { alias: 'u' }),
    listen: string('Address for clients, host:port', { default: '127.0.0.1:8080' }),
    host: {
      choices: ['keep', 'target'],
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
    `${flag} takes host:port, not ${value}.`,
    `For example ${flag} 127.0.0.1:8080, ${flag} 0.0.0.0:8080, ${flag} [::1]:8080.`,
  );
}

/** Maximum of a Node timer, ms. */
const LONGEST = 2 ** 31 - 1;

/**
 * A duration for a timer, ms; null without one.
 * @throws UsageError for an invalid one
 */
export function timerOf(option: string, text: string | undefined): number | null {
  const ms = durationOf(option, text) ?? null;
  if (ms === null || ms <= LONGEST) return ms;
  throw new UsageError(`${option} ${text ?? ''} is too long.`, 'The maximum is 24d.');
}
