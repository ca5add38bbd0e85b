import { readFileSync } from 'node:fs';
import { sleep } from '../../http/pace/run-clock.ts';
import type { RunEvent } from '../../run/events.ts';
import { parsedAddress, type ListenAddress } from '../../run/listen-address.ts';
import type { Target } from '../../target/target.ts';
import { oneLine, plural } from '../../text/text.ts';
import { WatchError } from '../../watch/watch-error.ts';
import { openWatch, type Watch } from '../../watch/watch.ts';
import { toggle, inGroup, string, commandBody, type ValuesOf } from '../command.ts';
import { CONFIG_OPTIONS, withEnvironment } from '../config.ts';
import { UsageError } from '../errors.ts';
import {
  GATE_OPTIONS,
  SELECTION_OPTIONS,
  SHOW_HEADER,
  trafficSettings,
  withDefaults,
} from '../judging-options.ts';
import {
  formatsOf,
  durationOf,
  NETWORK_OPTIONS,
  namedFile,
  targetOf,
  warnInsecure,
} from '../options.ts';
import { appendedEvents, STDOUT } from '../run/event-file.ts';
import { listenForInterruption } from '../run/interruption.ts';
import { exitWithoutReports, printSummary } from '../run/run-end.ts';
import { sayLine } from '../say.ts';

const WATCH_OPTIONS = {
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

type WatchArguments = ValuesOf<typeof WATCH_OPTIONS>;

/** @throws UsageError for anything but host:port */
function addressOf(flag: string, value: string): ListenAddress {
  const address = parsedAddress(value);
  if (address !== null) return address;
  throw new UsageError(
    `${flag} takes host:port, not ${value}.`,
    `For example ${flag} 127.0.0.1:8080, ${flag} 0.0.0.0:8080, ${flag} [::1]:8080.`,
  );
}

/** Maximum of a Node timer, ms. */
const LONGEST = 2 ** 31 - 1;

/** A duration for a timer, ms; null without one. @throws UsageError for an invalid one */
function timerOf(option: string, text: string | undefined): number | null {
  const ms = durationOf(option, text) ?? null;
  if (ms === null || ms <= LONGEST) return ms;
  throw new UsageError(`${option} ${text ?? ''} is too long.`, 'The maximum is 24d.');
}

const OF_ENVIRONMENT = ['target', 'waivers', 'fail-on', 'output', 'format'] as const;

/** `assay watch`: proxies client traffic to a target and judges it. Sends no requests itself. */
export const watchCommand = commandBody({
  options: WATCH_OPTIONS,
  examples: {
    '$0 watch -t http://127.0.0.1:4010/v1': 'clients use http://127.0.0.1:8080/v1',
    '$0 watch -t target.yaml --listen 0.0.0.0:8080 -o /var/lib/assay':
      'run in front of a service and resume after a restart',
    '$0 watch -t http://127.0.0.1:4010/v1 --duration 2m --fail-on should':
      "gate on your tests' traffic",
  },
  footer:
    '\nCtrl-C or SIGTERM stops the watch and writes the reports. Exit codes are the same as for `assay run`. See docs/watch.md.',
  handler: handle,
});

async function handle(given: WatchArguments): Promise<number> {
  const interruption = listenForInterruption();
  const argv = withDefaults(withEnvironment(given, OF_ENVIRONMENT));
  const { output } = argv;
  const say = (line: string): void =>
    void process.stderr.write(`assay watch: ${oneLine(line, 1000)}\n`);
  const settings = trafficSettings(argv);
  const target = watchedTarget(argv, say);
  const durationMs = timerOf('--duration', argv.duration);
  const options = {
    target,
    named: namedFile(addressIn(argv)),
    settings,
    output,
    owner: 'assay watch',
    formats: formatsOf(argv.format),
    listen: addressOf('--listen', argv.listen),
    page: argv.page === 'none' ? null : addressOf('--page', argv.page),
    certificate: certificateOf(argv),
    host: argv.host ?? (target.baseUrl.startsWith('https:') ? 'target' : 'keep'),
    fresh: argv.fresh,
    drainMs: timerOf('--drain', argv.drain) ?? 0,
    reportEveryMs: timerOf('--report-every', argv['report-every']),
    say,
  } as const;
  const events = appendedEvents(argv.events, 'The watch');
  try {
    const watch = await openWatch({
      ...options,
      onEvent: (event) => {
        events?.write(event);
        if (!argv.quiet) sayFinding(event, say);
      },
    });
    const { listen, page } = watch;
    const { taken, judged, takenUp } = watch.ready;
    // Standard output is for events then.
    if (argv.events !== STDOUT) sayLine(JSON.stringify({ listen, page, output }));
    if (taken > 0) {
      const { exchanges, torn } = takenUp;
      say(
        `resuming the watch in ${output}: ${plural(judged, 'exchange')}, ${exchanges} of them not judged yet${torn ? '; ignoring a truncated last line' : ''}`,
      );
    }
    if (!argv.quiet) say(`listening on ${listen}${page === null ? '' : `; live page ${page}`}`);
    await untilStopped(watch, durationMs, interruption.signal);
    say('stopping: no new connections, waiting for open requests');
    return await ended(await watch.stop(), argv, say);
  } finally {
    events?.close();
    interruption.release();
  }
}

/** `--target` may be a URL. */
const addressIn = (argv: WatchArguments): Pick<WatchArguments, 'target' | 'base-url'> =>
  /^https?:\/\//i.test(argv.target ?? '')
    ? { target: undefined, 'base-url': argv.target }
    : { target: argv.target, 'base-url': argv['base-url'] };

/**
 * The target from flags and environment. Needs no key.
 * @throws UsageError and TargetError when there is none, WatchError when a setting would change traffic
 */
function watchedTarget(argv: WatchArguments, say: (line: string) => void): Target {
  const address = addressIn(argv);
  if (argv.target !== address.target && argv['base-url'] !== undefined) {
    throw new UsageError('--target and --base-url are both URLs.', 'Remove one of the options.');
  }
  const target = targetOf(
    {
      ...argv,
      'api-key': undefined,
      'key-file': undefined,
      ...address,
    },
    false,
  );
  warnInsecure(target);
  if (target.http.proxy !== null) {
    throw new WatchError(
      'ASSAY_WATCH_SETTING',
      'A proxy is set, but a watch can only connect to its target directly.',
      'Use --proxy none if the target can be reached directly.',
    );
  }
  const header = argv['key-header'] ?? target.auth.header;
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(header)) {
    throw new UsageError(
      `--key-header ${header} is not a valid header name.`,
      'For example X-API-KEY.',
    );
  }
  if (Object.keys(target.http.headers).length > 0) {
    say('http.headers in the target file are ignored: traffic is forwarded unchanged');
  }
  return { ...target, auth: { header } };
}

function certificateOf(argv: WatchArguments): { cert: string; key: string } | null {
  const { 'tls-cert': cert, 'tls-key': key } = argv;
  if (cert === undefined && key === undefined) return null;
  if (cert === undefined || key === undefined) {
    throw new UsageError(
      `--tls-${cert === undefined ? 'key needs --tls-cert' : 'cert needs --tls-key'}.`,
      'Give both: --tls-cert FILE --tls-key FILE.',
    );
  }
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
}

const printed = new Set<unknown>();

function sayFinding(event: RunEvent, say: (line: string) => void): void {
  if (event.type !== 'finding') return;
  const { requirement, level, message, exchange } = event.finding;
  if (printed.has(requirement)) return;
  printed.add(requirement);
  say(`${String(requirement)} (${String(level)}): ${String(message)} [${String(exchange)}]`);
}

/** Waits for Ctrl-C, SIGTERM or the end of --duration; SIGUSR2 writes reports. */
async function untilStopped(
  watch: Watch,
  durationMs: number | null,
  signal: AbortSignal,
): Promise<void> {
  const onAsked = (): void => void watch.report();
  process.on('SIGUSR2', onAsked);
  if (durationMs !== null) await sleep(durationMs, signal);
  else while (!signal.aborted) await sleep(LONGEST, signal);
  process.off('SIGUSR2', onAsked);
}

async function ended(
  { results, files, error, cut }: Awaited<ReturnType<Watch['stop']>>,
  argv: WatchArguments,
  say: (line: string) => void,
): Promise<number> {
  if (cut > 0)
    say(`${plural(cut, 'connection')} did not finish within ${argv.drain} and were closed`);
  if (error !== null) throw Object.assign(new Error(error.message), error);
  if (results === null) {
    say(
      'the judge crashed before it wrote the reports; restart the watch to resume from its saved state',
    );
    return exitWithoutReports(0);
  }
  if (argv.events !== STDOUT) await printSummary(results, files);
  return results.exitCode;
}
