import { parsedAddress, type ListenAddress } from '../../run/listen-address.ts';
import { toggle, inGroup, string, type ValuesOf } from '../command.ts';
import { CONFIG_OPTIONS } from '../config.ts';
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
    },
    'tls-cert': string('Server certificate for clients, PEM; enables HTTPS'),
    'tls-key': string('Private key for --tls-cert, PEM'),
    'key-header': string(
      'Header that carries the key; default: from the target file, or X-API-KEY',
    ),
    drain: string('How long to wait for open requests when stopping', { default: '5s' }),
  } as const),
  page: string('Address of the live page, host:port, or none', { default: '127.0.0.1:0' }),
  output: string('Folder for reports and for the state that a restarted watch resumes', {
    alias: 'o',
    default: 'reports/watch',
  }),
  fresh: toggle('Discard the state of an earlier watch in the folder'),
  duration: string('Stop after this time, such as 90s, 2m, 1h or 1d; default: run until Ctrl-C'),
  'report-every': string(
    'Also write reports at this interval, such as 10m; SIGUSR2 writes them immediately',
  ),
  events: string('Append events to this file as NDJSON; - for stdout'),
  ...SELECTION_OPTIONS,
  ...GATE_OPTIONS,
  quiet: toggle('Print warnings and errors only'),
  ...CONFIG_OPTIONS,
  ...NETWORK_OPTIONS,
  'show-header': SHOW_HEADER,
} as const;

/** Arguments of `assay watch`. */
export type WatchArguments = ValuesOf<typeof WATCH_OPTIONS>;

/** @throws UsageError for anything but host:port */
export function addressOf(flag: string, value: string): ListenAddress {
  const address = parsedAddress(value);
  if (address !== null) return address;
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
