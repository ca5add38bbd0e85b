import { readFileSync } from 'node:fs';
import path from 'node:path';
import { columnsIn, wantsColor } from '../../report/terminal/console.ts';
import type { RunEvent } from '../../run/events.ts';
import { oneLine, plural } from '../../text/text.ts';
import type { Target } from '../../target/target.ts';
import { addressText, Watch, type WatchEnd } from '../../watch/watch.ts';
import { WatchError } from '../../watch/watch-error.ts';
import type { CommandBody } from '../commands.ts';
import { withEnvironment } from '../config.ts';
import { UsageError } from '../errors.ts';
import { example, EXAMPLES } from '../examples.ts';
import { formatsOf } from '../formats.ts';
import { listenForInterruption } from '../run/interruption.ts';
import { FORMATS_BY_DEFAULT } from '../judging-options.ts';
import { patternsOf, targetOf, warnInsecure } from '../options.ts';
import { EventFile, STDOUT } from '../run/event-file.ts';
import { exitWithoutReports } from '../run/run-end.ts';
import { lengthOf, placeOf, withWatchOptions, type WatchArguments } from './watch-options.ts';

/** What an environment may say of a watch. */
const OF_ENVIRONMENT = ['target', 'waivers', 'fail-on', 'output', 'format'] as const;

/** `assay watch`: hands traffic of clients through to a target, and judges it. Sends nothing of its own. */
export const watchCommand: CommandBody<WatchArguments> = {
  builder: (yargs) =>
    withWatchOptions(yargs)
      .epilogue(EXAMPLES)
      .epilogue(
        example('$0 watch -t http://127.0.0.1:4010/v1', 'clients use http://127.0.0.1:8080/v1'),
      )
      .epilogue(
        example(
          '$0 watch -t target.yaml --listen 0.0.0.0:8080 -o /var/lib/assay',
          'in front of a service, started again with what it knew',
        ),
      )
      .epilogue(
        example(
          '$0 watch -t http://127.0.0.1:4010/v1 --duration 2m --fail-on should',
          'as a gate, while other tests of yours run',
        ),
      )
      .epilogue(
        '\nStops with Ctrl-C or SIGTERM and writes the reports; exit codes are those of `assay run`. More: docs/watch.md.',
      ),
  handler: async (argv) => {
    process.exitCode = await handle(argv);
  },
};

async function handle(given: WatchArguments): Promise<number> {
  const interruption = listenForInterruption();
  const argv = await withEnvironment(given, OF_ENVIRONMENT);
  const output = argv.output ?? path.join('reports', 'watch');
  const say = (line: string): void =>
    void process.stderr.write(`assay watch: ${oneLine(line, 1000)}\n`);
  const settings = {
    only: patternsOf('--only', argv.only),
    skip: patternsOf('--skip', argv.skip),
    failOn: argv['fail-on'] ?? (['must'] as const),
    showHeaders: argv['show-header'] ?? [],
    ...(argv.waivers !== undefined && {
      waivers: (await import('../../run/waivers.ts')).readWaivers(argv.waivers),
    }),
  };
  const target = await watchedTarget(argv, say);
  const durationMs = argv.duration === undefined ? null : lengthOf('--duration', argv.duration);
  const every = argv['report-every'];
  const options = {
    target,
    settings,
    output,
    formats: formatsOf([argv.format ?? FORMATS_BY_DEFAULT].flat().join(',')),
    listen: placeOf('--listen', argv.listen),
    page: argv.page === 'none' ? null : placeOf('--page', argv.page),
    certificate: certificateOf(argv),
    host: argv.host ?? (target.baseUrl.startsWith('https:') ? 'target' : 'keep'),
    fresh: argv.fresh,
    drainMs: lengthOf('--drain', argv.drain),
    reportEveryMs: every === undefined ? null : lengthOf('--report-every', every),
    say,
  } as const;
  const events =
    argv.events === undefined
      ? null
      : new EventFile(argv.events, { flags: 'a', what: 'The watch' });
  const { whileHolding } = await import('../../run/journal/output-lock.ts');
  try {
    return await whileHolding(
      output,
      'assay watch',
      async () => {
        const watch = new Watch({
          ...options,
          onEvent: (event) => {
            events?.write(event);
            if (!argv.quiet) sayFinding(event, say);
          },
        });
        sayBegun(watch, await watch.start(), { argv, output, say });
        await untilStopped(watch, durationMs, interruption.signal);
        say('stopping: no more connections are taken, what is under way may end');
        return ended(await watch.stop(), argv, say);
      },
      say,
    );
  } finally {
    events?.close();
    interruption.release();
  }
}

/**
 * The target of flags and environment; `--target` may be a URL. No key is needed.
 * @throws UsageError and TargetError when there is none, WatchError when a setting would change traffic
 */
async function watchedTarget(argv: WatchArguments, say: (line: string) => void): Promise<Target> {
  const isUrl = argv.target !== undefined && /^https?:\/\//i.test(argv.target);
  if (isUrl && argv['base-url'] !== undefined) {
    throw new UsageError('--target and --base-url name two URLs.', 'Name one of them.');
  }
  const target = await targetOf(
    {
      ...argv,
      'api-key': undefined,
      'key-file': undefined,
      target: isUrl ? undefined : argv.target,
      'base-url': isUrl ? argv.target : argv['base-url'],
    },
    false,
  );
  warnInsecure(target);
  if (target.http.proxy !== null) {
    throw new WatchError(
      'ASSAY_WATCH_SETTING',
      'A proxy is set, and a watch connects to its target directly.',
      'Give --proxy none when the target can be reached directly.',
    );
  }
  const header = argv['key-header'] ?? target.auth.header;
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(header)) {
    throw new UsageError(
      `--key-header ${header} is no name of a header.`,
      'For example X-API-KEY.',
    );
  }
  if (Object.keys(target.http.headers).length > 0) {
    say('headers of the target file are not added: traffic is passed on as it is');
  }
  return { ...target, auth: { header } };
}

/** @throws UsageError when one of the two files is missing or cannot be read */
function certificateOf(argv: WatchArguments): { cert: string; key: string } | null {
  const { 'tls-cert': cert, 'tls-key': key } = argv;
  if (cert === undefined && key === undefined) return null;
  if (cert === undefined || key === undefined) {
    throw new UsageError(
      `--tls-${cert === undefined ? 'key' : 'cert'} is given alone.`,
      'Clients are served over TLS with both: --tls-cert FILE --tls-key FILE.',
    );
  }
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
}

function sayBegun(
  watch: Watch,
  { taken, judged, takenUp }: Awaited<ReturnType<Watch['start']>>,
  { argv, output, say }: { argv: WatchArguments; output: string; say: (line: string) => void },
): void {
  const scheme = argv['tls-cert'] === undefined ? 'http' : 'https';
  const listen = `${scheme}://${addressText(watch.address)}`;
  const page = watch.pageAddress === null ? null : `http://${addressText(watch.pageAddress)}/`;
  // Where events go to standard output, they say it.
  if (argv.events !== STDOUT) {
    process.stdout.write(`${JSON.stringify({ listen, page, output })}\n`);
  }
  if (taken > 0) {
    const { exchanges, torn } = takenUp;
    say(
      `takes up what is known in ${output}: ${plural(judged, 'exchange')}, of which ${exchanges} were not judged yet${torn ? '; a last line was cut off and is left out' : ''}`,
    );
  }
  if (argv.quiet) return;
  say(`clients are served at ${listen}${page === null ? '' : `; live page ${page}`}`);
}

/** Requirements of which a finding was said. */
const said = new Set<unknown>();

/** The first finding of each requirement, as it comes. */
function sayFinding(event: RunEvent, say: (line: string) => void): void {
  if (event.type !== 'finding') return;
  const { requirement, level, message, exchange } = event.finding;
  if (said.has(requirement)) return;
  said.add(requirement);
  say(`${String(requirement)} (${String(level)}): ${String(message)} [${String(exchange)}]`);
}

/** Waits for Ctrl-C, SIGTERM or the end of the time; writes reports whenever SIGUSR2 asks for them. */
async function untilStopped(
  watch: Watch,
  durationMs: number | null,
  signal: AbortSignal,
): Promise<void> {
  const onAsked = (): void => watch.report();
  process.on('SIGUSR2', onAsked);
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (durationMs !== null) timer = setTimeout(resolve, durationMs);
  });
  clearTimeout(timer);
  process.off('SIGUSR2', onAsked);
}

async function ended(
  { results, files, error, cut }: WatchEnd,
  argv: WatchArguments,
  say: (line: string) => void,
): Promise<number> {
  if (cut > 0) say(`${plural(cut, 'connection')} did not end within ${argv.drain} and were cut`);
  if (error !== null) throw Object.assign(new Error(error.message), error);
  if (results === null) {
    say(
      'the judge did not live to write the reports; started again, the watch takes up what it kept',
    );
    return exitWithoutReports(0);
  }
  if (argv.events !== STDOUT) {
    const { renderSummary } = await import('../../report/terminal/terminal.ts');
    const color = wantsColor(process.stdout.isTTY, process.env);
    const width = columnsIn(process.stdout, 100);
    const paths = files.map((file) => path.relative('', file));
    process.stdout.write(`${renderSummary(results, { color, width, showCurl: false, paths })}\n`);
  }
  return results.exitCode;
}
