import { readFile } from 'node:fs/promises';
import { PROFILES } from '../../ask/profiles.ts';
import type { MonitorEvent } from '../../monitor/events.ts';
import { monitor } from '../../monitor/monitor.ts';
import type { RunFrame } from '../../monitor/one-run.ts';
import { prepared, type MonitorWishes } from '../../monitor/settings.ts';
import { FORMATS } from '../../report/formats.ts';
import { wantsColor } from '../../report/terminal/console.ts';
import { createProgress } from '../../report/terminal/progress.ts';
import { readWaivers } from '../../run/waivers.ts';
import { nonEmpty } from '../../target/proxy.ts';
import { decodedText } from '../../text/decoded-text.ts';
import {
  toggle,
  toggleOn,
  inGroup,
  number,
  string,
  strings,
  commandBody,
  type ValuesOf,
} from '../command.ts';
import { withEnvironment } from '../config.ts';
import { UsageError } from '../errors.ts';
import { guardConsole } from '../guarded-console.ts';
import {
  formatsOf,
  TARGET_OPTIONS,
  durationOf,
  namedFile,
  namedTarget,
  patternsOf,
} from '../options.ts';
import { checkChoices } from '../run/choices.ts';
import { appendedEvents, STDOUT, type EventFile } from '../run/event-file.ts';
import { listenForInterruption } from '../run/interruption.ts';
import { progressListener } from '../run/run-progress.ts';
import { wordsOf } from './monitor-words.ts';

const MONITOR_OPTIONS = {
  ...TARGET_OPTIONS,
  profile: { choices: PROFILES, describe: 'Profile of a full-size run; default: standard' },
  only: strings('Same as for run'),
  skip: strings('Same as for run'),
  'max-requests': number('Maximum number of requests with valid keys per run'),
  concurrency: number('Same as for run'),
  rotate: toggleOn('Test different fixtures every day: derive the seed from the date'),
  seed: number('Fixed seed for every run, instead of --rotate'),
  output: string('Folder for state, history and runs, one per target; default: reports/monitor', {
    alias: 'o',
  }),
  keep: string('How long to keep runs; default: 30d'),
  format: string(
    `Reports for each run: ${FORMATS.join(', ')}; default: html,json,md; html and json are always written`,
  ),
  waivers: string('Same as for run; read again before each run'),
  ...inGroup('Schedule:', {
    share: string("Share of each key's monthly quota to use; default: 5%"),
    every: string('Interval between runs, such as 30m; default: 6h'),
    jitter: toggleOn(
      'Delay each run by up to 15 minutes; the delay is always the same for a given target and scheduled time',
    ),
    once: toggle(
      "Do one run and any due follow-ups now, then exit with the run's exit code; for external schedulers",
    ),
    for: string('Stop after this time, such as 3d; default: run until stopped'),
  }),
  ...inGroup('Notifications:', {
    webhook: string(
      'URL to notify when the verdict changes; prefer ASSAY_WEBHOOK_URL if it contains a secret',
    ),
    'webhook-secret-file': string(
      'File with the secret for signing notifications (or ASSAY_WEBHOOK_SECRET)',
    ),
    'public-url': string('Public URL of the output folder, for links in notifications'),
    metrics: string('Serve Prometheus metrics on this address, such as 127.0.0.1:9464'),
    otlp: string('Send metrics to this OTLP/HTTP endpoint'),
    events: string('Append events to this file as NDJSON; - for standard output'),
  }),
  quiet: toggle('Print verdict changes and problems only', { alias: 'q' }),
} as const;

/** Arguments of `assay monitor`. */
type MonitorArguments = ValuesOf<typeof MONITOR_OPTIONS>;

/** `assay monitor`: recurring runs within a share of the monthly quota. */
export const monitorCommand = commandBody({
  options: MONITOR_OPTIONS,
  examples: {
    '$0 monitor -t live.yaml': 'run every six hours with 5% of the quota',
    '$0 monitor -t live.yaml --every 1d --share 2%': 'run once a day with 2% of it',
    '$0 monitor -t live.yaml --once --every 1d': 'run from a daily timer',
  },
  handler: handle,
});

async function handle(given: MonitorArguments): Promise<number> {
  const argv = withEnvironment(given, ['target', 'profile', 'waivers', 'output', 'format']);
  const wishes = await wishesOf(argv);
  const target = namedTarget(argv);
  if (target === null) {
    throw new UsageError(
      'A monitor needs a target.',
      'Pass --target FILE or --base-url URL. To try it out, start `assay serve` and pass the target file it prints.',
    );
  }
  const { waivers } = argv;
  // Read it now, too, so that an invalid file is reported at start and not at night.
  if (waivers !== undefined) readWaivers(waivers);
  const interruption = listenForInterruption();
  const events = appendedEvents(argv.events, 'The monitor');
  try {
    const listener = progressOf(argv);
    const settings = prepared(target, wishes, {
      named: namedFile(argv),
      signal: interruption.signal,
      tell: printerOf(argv, events),
      ...(listener !== undefined && { listener }),
      ...(waivers !== undefined && { waivers: () => readWaivers(waivers) }),
    });
    guardConsole(target, settings.secrets);
    const { exitCode } = await monitor(settings);
    return exitCode;
  } finally {
    events?.close();
    interruption.release();
  }
}

/** Lines go to standard output, unless events do. */
function printerOf(
  { events, quiet }: MonitorArguments,
  file: EventFile | null,
): (event: MonitorEvent) => void {
  const out = events === STDOUT ? process.stderr : process.stdout;
  let leftOut: string | null = null;
  return (event) => {
    file?.write(event);
    // Report a used-up quota once, not every hour.
    const why = event.type === 'left-out' ? event['left-out'].why : null;
    const isRepeated = why !== null && why !== 'missed' && why === leftOut;
    if (why !== null || event.type === 'run') leftOut = why;
    if (isRepeated) return;
    const isNews =
      event.type === 'turn' ||
      event.type === 'warning' ||
      (event.type === 'delivery' && !event.delivery.delivered);
    if (quiet && !isNews) return;
    const words = wordsOf(event);
    if (words !== '') out.write(`${words}\n`);
  };
}

/** Progress on a terminal; a log gets one line per run. */
function progressOf({ quiet }: MonitorArguments): RunFrame['listener'] | undefined {
  const { stderr } = process;
  if (quiet || !stderr.isTTY) return undefined;
  return (target) => {
    const progress = createProgress(stderr, {
      isTTY: true,
      color: wantsColor(true, process.env),
    });
    const onEnd = (): void => {
      progress.end();
      progress.stop();
    };
    return { ...progressListener(progress, { target }, null), onEnd };
  };
}

async function wishesOf(argv: MonitorArguments): Promise<MonitorWishes> {
  const { every, keep, concurrency, seed } = argv;
  checkChoices({ ...argv, rotate: false });
  const url = argv.webhook ?? nonEmpty(process.env['ASSAY_WEBHOOK_URL']);
  const secret = await secretOf(argv['webhook-secret-file']);
  if (url === undefined && argv['webhook-secret-file'] !== undefined) {
    throw new UsageError(
      '--webhook-secret-file needs a webhook.',
      'Add --webhook URL, or set ASSAY_WEBHOOK_URL.',
    );
  }
  return {
    profile: argv.profile,
    only: patternsOf('--only', argv.only),
    skip: patternsOf('--skip', argv.skip),
    maxRequests: argv['max-requests'],
    concurrency,
    // Without --rotate and --seed, use the default seed of a run.
    seed: seed ?? (argv.rotate ? undefined : 1),
    share: argv.share === undefined ? undefined : shareOf(argv.share),
    everyMs: durationOf('--every', every),
    jitter: argv.jitter,
    output: argv.output,
    keepMs: durationOf('--keep', keep),
    formats: argv.format === undefined ? undefined : formatsOf(argv.format),
    webhook: url === undefined ? undefined : { url, secret },
    publicUrl: argv['public-url'],
    metrics: { listen: argv.metrics, otlp: argv.otlp },
    once: argv.once,
    forMs: durationOf('--for', argv.for),
  };
}

/** `5%` or `5` as 0.05; NaN for anything but a percentage. */
const shareOf = (text: string): number =>
  Number(/^(\d+(?:\.\d+)?) ?%?$/.exec(text.trim())?.[1]) / 100;

async function secretOf(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return nonEmpty(process.env['ASSAY_WEBHOOK_SECRET']);
  const text = nonEmpty(decodedText(await readFile(file)));
  if (text !== undefined) return text;
  throw new UsageError(
    `The file ${file} is empty.`,
    'Generate a secret with: openssl rand -base64 32',
  );
}
