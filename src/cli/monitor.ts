import { readFile } from 'node:fs/promises';
import type { Argv } from 'yargs';
import { PROFILES, type Profile } from '../ask/profiles.ts';
import { wantsColor } from '../report/console.ts';
import { FORMATS } from '../report/formats.ts';
import type { MonitorEvent } from '../monitor/events.ts';
import type { RunFrame } from '../monitor/one-run.ts';
import type { MonitorWishes } from '../monitor/prepare.ts';
import { receiverSecrets } from '../monitor/webhook.ts';
import { withEnvironment, type ConfigArguments } from './config.ts';
import { expectShortRun } from './engine.ts';
import { UsageError } from './errors.ts';
import { EventFile, STDOUT } from './event-file.ts';
import { example, EXAMPLES } from './examples.ts';
import { formatsOf } from './formats.ts';
import { guardConsole } from './guarded-console.ts';
import { listenForInterruption } from './interruption.ts';
import {
  namedFile,
  namedTarget,
  patternsOf,
  withTargetOptions,
  type TargetArguments,
} from './options.ts';
import { progressListener } from './run-progress.ts';
import { durationOf } from './run-start.ts';
import {
  namedSpecification,
  withSpecificationOption,
  type SpecificationArguments,
} from './specification.ts';
import type { CommandBody } from './commands.ts';

interface MonitorArguments extends TargetArguments, ConfigArguments, SpecificationArguments {
  profile: Profile | undefined;
  only: string[] | undefined;
  skip: string[] | undefined;
  'max-requests': number | undefined;
  concurrency: number | undefined;
  share: string | undefined;
  every: string | undefined;
  cron: string | undefined;
  jitter: boolean;
  rotate: boolean;
  seed: number | undefined;
  output: string | undefined;
  keep: string | undefined;
  format: string | undefined;
  waivers: string | undefined;
  webhook: string | undefined;
  'webhook-secret-file': string | undefined;
  'public-url': string | undefined;
  metrics: string | undefined;
  otlp: string | undefined;
  once: boolean;
  for: string | undefined;
  events: string | undefined;
  quiet: boolean;
}

const SCHEDULE = 'Schedule:';
const TELLING = 'Telling:';

/** `assay monitor`: the same runs, again and again, within what the keys have to spare. */
export const monitorCommand: CommandBody<MonitorArguments> = {
  builder: withMonitorOptions,
  handler: async (argv) => {
    process.exitCode = await handle(argv);
  },
};

function withMonitorOptions(yargs: Argv<object>) {
  return withSpecificationOption(withTargetOptions(yargs))
    .option('profile', { choices: PROFILES, describe: 'Of a whole run; standard by default' })
    .option('only', { type: 'string', array: true, requiresArg: true, describe: 'As of run' })
    .option('skip', { type: 'string', array: true, requiresArg: true, describe: 'As of run' })
    .option('max-requests', {
      type: 'number',
      requiresArg: true,
      describe: 'Bound on the requests of one run with valid keys',
    })
    .option('concurrency', { type: 'number', requiresArg: true, describe: 'As of run' })
    .option('rotate', {
      type: 'boolean',
      default: true,
      describe: 'Look at other things every day: the day says which seed a run has',
    })
    .option('seed', {
      type: 'number',
      requiresArg: true,
      describe: 'Seed of every run, in place of rotation',
    })
    .option('output', {
      alias: 'o',
      type: 'string',
      requiresArg: true,
      describe:
        'Folder of state, history and runs, one for each target; reports/monitor by default',
    })
    .option('keep', {
      type: 'string',
      requiresArg: true,
      describe: 'How long runs are kept; 30d by default',
    })
    .option('format', {
      type: 'string',
      requiresArg: true,
      describe: `Reports of each run, of ${FORMATS.join(', ')}; html,json,md by default`,
    })
    .option('waivers', {
      type: 'string',
      requiresArg: true,
      describe: 'As of run; read anew before each run',
    })
    .option('share', {
      group: SCHEDULE,
      type: 'string',
      requiresArg: true,
      describe: 'Part of the monthly quota of each key that may be spent; 5% by default',
    })
    .option('every', {
      group: SCHEDULE,
      type: 'string',
      requiresArg: true,
      describe: 'Time between runs, such as 30m or 6h; 6h by default',
    })
    .option('cron', {
      group: SCHEDULE,
      type: 'string',
      requiresArg: true,
      describe: 'The schedule as a cron expression of five parts, UTC',
    })
    .option('jitter', {
      group: SCHEDULE,
      type: 'boolean',
      default: true,
      describe: 'Begin up to 15 minutes late, the same for the same target and moment',
    })
    .option('once', {
      group: SCHEDULE,
      type: 'boolean',
      default: false,
      describe: 'One run now, and what is due with it: for timers of others; exits as run does',
    })
    .option('for', {
      group: SCHEDULE,
      type: 'string',
      requiresArg: true,
      describe: 'How long to go on, such as 3d; until it is stopped by default',
    })
    .option('webhook', {
      group: TELLING,
      type: 'string',
      requiresArg: true,
      describe:
        'URL that is told when the verdict turns; better in ASSAY_WEBHOOK_URL, when it holds a secret',
    })
    .option('webhook-secret-file', {
      group: TELLING,
      type: 'string',
      requiresArg: true,
      describe: 'File with the secret that notifications are signed with (or ASSAY_WEBHOOK_SECRET)',
    })
    .option('public-url', {
      group: TELLING,
      type: 'string',
      requiresArg: true,
      describe: 'Where the output folder is published, for links in notifications',
    })
    .option('metrics', {
      group: TELLING,
      type: 'string',
      requiresArg: true,
      describe: 'Address that Prometheus scrapes, such as 127.0.0.1:9464',
    })
    .option('otlp', {
      group: TELLING,
      type: 'string',
      requiresArg: true,
      describe: 'Address that metrics are sent to by OTLP over HTTP',
    })
    .option('events', {
      group: TELLING,
      type: 'string',
      requiresArg: true,
      describe: 'Append what happens to a file, one JSON object a line; - for standard output',
    })
    .option('quiet', {
      alias: 'q',
      type: 'boolean',
      default: false,
      describe: 'No progress and no line for each run: only turns, and what goes wrong',
    })
    .epilogue(EXAMPLES)
    .epilogue(example('$0 monitor -t live.yaml', 'every six hours, within 5 % of the quota'))
    .epilogue(
      example('$0 monitor -t live.yaml --cron "0 6 * * 1-5" --share 2%', 'on weekdays at six'),
    )
    .epilogue(
      example('$0 monitor -t live.yaml --once --every 1d', 'from a timer that calls once a day'),
    );
}

async function handle(given: MonitorArguments): Promise<number> {
  expectShortRun();
  const argv = await withEnvironment(given, ['target', 'profile', 'waivers', 'output', 'format']);
  const wishes = await wishesOf(argv);
  const specification = await namedSpecification(argv);
  const target = await namedTarget(argv);
  if (target === null) {
    throw new UsageError(
      'A monitor needs a target.',
      'Give --target FILE or --base-url URL. To try it, start `assay serve` and name the target file that it prints.',
    );
  }
  const { url, secret = null } = wishes.webhook ?? {};
  const hidden = url === undefined ? [] : receiverSecrets(url, secret);
  guardConsole(
    target,
    hidden.map((value) => ({ name: 'webhook', value })),
  );
  const { waivers } = argv;
  // Read now as well: a file that cannot be used must not be found out at night.
  const readWaivers =
    waivers === undefined ? null : (await import('../run/waivers.ts')).readWaivers;
  if (waivers !== undefined) readWaivers?.(waivers);
  const [{ monitor }, { prepared }] = await Promise.all([
    import('../monitor/monitor.ts'),
    import('../monitor/prepare.ts'),
  ]);
  const { wordsOf } = await import('./monitor-words.ts');
  const interruption = listenForInterruption();
  const events =
    argv.events === undefined
      ? null
      : new EventFile(argv.events, { flags: 'a', what: 'The monitor' });
  try {
    const listener = await progressOf(argv);
    const settings = prepared(target, wishes, {
      named: namedFile(argv),
      signal: interruption.signal,
      tell: tellerOf(argv, events, wordsOf),
      ...(listener !== undefined && { listener }),
      ...(specification !== undefined && { specification }),
      ...(waivers !== undefined && readWaivers !== null && { waivers: () => readWaivers(waivers) }),
    });
    const { exitCode } = await monitor(settings);
    return exitCode;
  } finally {
    events?.close();
    interruption.release();
  }
}

/** People read lines on standard output, unless a program reads events there. */
function tellerOf(
  { events, quiet }: MonitorArguments,
  file: EventFile | null,
  wordsOf: (event: MonitorEvent) => readonly string[],
): (event: MonitorEvent) => void {
  const out = events === STDOUT ? process.stderr : process.stdout;
  return (event) => {
    file?.write(event);
    const isNews = event.type === 'turn' || event.type === 'warning' || isUndelivered(event);
    if (quiet && !isNews) return;
    for (const line of wordsOf(event)) out.write(`${line}\n`);
  };
}

const isUndelivered = (event: MonitorEvent): boolean =>
  event.type === 'delivery' && !event.delivery.delivered;

/** Shows a terminal how a run goes on; a log gets one line a run. */
async function progressOf({ quiet }: MonitorArguments): Promise<RunFrame['listener'] | undefined> {
  const { stderr } = process;
  if (quiet || !stderr.isTTY) return undefined;
  const { createProgress } = await import('../report/progress.ts');
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

/** @throws UsageError for what cannot be used */
async function wishesOf(argv: MonitorArguments): Promise<MonitorWishes> {
  const { every, keep, concurrency, seed } = argv;
  for (const [name, value] of [
    ['max-requests', argv['max-requests']],
    ['concurrency', concurrency],
  ] as const) {
    if (value !== undefined && !(Number.isInteger(value) && value > 0)) {
      throw new UsageError(`--${name} takes a whole number above 0.`, `For example --${name} 40.`);
    }
  }
  if (seed !== undefined && !Number.isSafeInteger(seed)) {
    throw new UsageError('--seed takes a whole number.', 'For example --seed 7.');
  }
  const url = argv.webhook ?? nonEmpty(process.env['ASSAY_WEBHOOK_URL']);
  const secret = await secretOf(argv['webhook-secret-file']);
  if (url === undefined && secret !== undefined && argv['webhook-secret-file'] !== undefined) {
    throw new UsageError(
      '--webhook-secret-file is given, and no webhook.',
      'Add --webhook URL, or set ASSAY_WEBHOOK_URL.',
    );
  }
  return {
    profile: argv.profile,
    only: patternsOf('--only', argv.only),
    skip: patternsOf('--skip', argv.skip),
    maxRequests: argv['max-requests'],
    concurrency,
    // Without rotation and without a seed it is that of every run.
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
    'For example --share 5%, which is 5,000 requests a month of each key.',
  );
}

async function secretOf(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return nonEmpty(process.env['ASSAY_WEBHOOK_SECRET']);
  const text = nonEmpty(await readFile(file, 'utf8'));
  if (text !== undefined) return text;
  throw new UsageError(
    `The file ${file} holds no secret.`,
    'Make one with: openssl rand -base64 32',
  );
}
