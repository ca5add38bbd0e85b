import { readFile } from 'node:fs/promises';
import { wantsColor } from '../../report/terminal/console.ts';
import { createProgress } from '../../report/terminal/progress.ts';
import { readWaivers } from '../../run/waivers.ts';
import type { MonitorEvent } from '../../monitor/events.ts';
import { monitor } from '../../monitor/monitor.ts';
import type { RunFrame } from '../../monitor/one-run.ts';
import { prepared, type MonitorWishes } from '../../monitor/settings.ts';
import { receiverSecrets } from '../../monitor/notify/webhook.ts';
import { decodedText } from '../../text/decoded-text.ts';
import { commandBody } from '../command.ts';
import { withEnvironment } from '../config.ts';
import { UsageError } from '../errors.ts';
import { EventFile, STDOUT } from '../run/event-file.ts';
import { formatsOf } from '../formats.ts';
import { guardConsole } from '../guarded-console.ts';
import { listenForInterruption } from '../run/interruption.ts';
import { MONITOR_OPTIONS, type MonitorArguments } from './monitor-options.ts';
import { durationOf, namedFile, namedTarget, patternsOf } from '../options.ts';
import { checkChoices } from '../run/choices.ts';
import { wordsOf } from './monitor-words.ts';
import { progressListener } from '../run/run-progress.ts';

/** `assay monitor`: recurring runs within a share of the monthly quota. */
export const monitorCommand = commandBody({
  options: MONITOR_OPTIONS,
  examples: {
    '$0 monitor -t live.yaml': 'run every six hours with 5% of the quota',
    '$0 monitor -t live.yaml --cron "0 6 * * 1-5" --share 2%': 'run on weekdays at six',
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
  const { url, secret = null } = wishes.webhook ?? {};
  const hidden = url === undefined ? [] : receiverSecrets(url, secret);
  guardConsole(
    target,
    hidden.map((value) => ({ name: 'webhook', value })),
  );
  const { waivers } = argv;
  // Read it now, too, so that an invalid file is reported at start and not at night.
  if (waivers !== undefined) readWaivers(waivers);
  const interruption = listenForInterruption();
  const events =
    argv.events === undefined
      ? null
      : new EventFile(argv.events, { flags: 'a', what: 'The monitor' });
  try {
    const listener = progressOf(argv);
    const settings = prepared(target, wishes, {
      named: namedFile(argv),
      signal: interruption.signal,
      tell: printerOf(argv, events),
      ...(listener !== undefined && { listener }),
      ...(waivers !== undefined && { waivers: () => readWaivers(waivers) }),
    });
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
    for (const line of wordsOf(event)) out.write(`${line}\n`);
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
      now: Date.now,
    });
    const shown = progressListener(progress, { target }, null);
    return {
      ...shown,
      onEnd: () => {
        progress.end();
        progress.stop();
      },
    };
  };
}

async function wishesOf(argv: MonitorArguments): Promise<MonitorWishes> {
  const { every, keep, concurrency, seed } = argv;
  checkChoices({ ...argv, rotate: false });
  const url = argv.webhook ?? nonEmpty(process.env['ASSAY_WEBHOOK_URL']);
  const secret = await secretOf(argv['webhook-secret-file']);
  if (url === undefined && secret !== undefined && argv['webhook-secret-file'] !== undefined) {
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
    share: shareOf(argv.share),
    everyMs: durationOf('--every', every),
    cron: argv.cron,
    jitter: argv.jitter,
    output: argv.output,
    keepMs: durationOf('--keep', keep),
    formats: argv.format === undefined ? undefined : formatsOf([argv.format].flat().join(',')),
    webhook: url === undefined ? undefined : { url, secret },
    publicUrl: argv['public-url'],
    metrics: { listen: argv.metrics, otlp: argv.otlp },
    once: argv.once,
    forMs: durationOf('--for', argv.for),
  };
}

const nonEmpty = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : text.trim();

/** `5%` or `5` as 0.05. @throws UsageError */
function shareOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, number] = /^(\d+(?:\.\d+)?) ?%?$/.exec(text.trim()) ?? [];
  const share = Number(number) / 100;
  if (number !== undefined && share > 0 && share <= 1) return share;
  throw new UsageError(
    '--share takes a percentage above 0 and up to 100.',
    'For example --share 5%, which is 5,000 requests per key per month.',
  );
}

async function secretOf(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return nonEmpty(process.env['ASSAY_WEBHOOK_SECRET']);
  const text = nonEmpty(decodedText(await readFile(file)));
  if (text !== undefined) return text;
  throw new UsageError(
    `The file ${file} is empty.`,
    'Generate a secret with: openssl rand -base64 32',
  );
}
