import { readFile } from 'node:fs/promises';
import { PROFILES } from '../../ask/profiles.ts';
import type { MonitorEvent, BudgetNow, MonitorHappenings } from '../../monitor/events.ts';
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
import { plural } from '../../text/text.ts';

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

const count = (of: number): string => of.toLocaleString('en-US');
const minuteOf = (iso: string): string => iso.slice(0, 16).replace('T', ' ');

const left = ({ used, limit, month }: BudgetNow): string =>
  `${count(Math.max(0, limit - used))} of ${count(limit)} requests left in ${month}`;

const VERDICTS = {
  conforms: 'conforms',
  'no-violation': 'no violation found',
  violates: 'VIOLATES',
  incomplete: 'no verdict',
  interrupted: 'interrupted',
  error: 'bug in Assay',
} as const;

const KINDS = {
  scheduled: '',
  confirmation: ' (confirmation of the violations)',
  settlement: ' (check of a row that settles a day later)',
} as const;

const ROWS = {
  waiting: 'is not settled yet',
  complete: 'is complete',
  overdue: 'is OVERDUE',
  lost: 'was never seen complete and has dropped out of the history',
} as const;

/** An event of a monitor for people; empty for events that are not shown. */
function wordsOf(event: MonitorEvent): string {
  const at = minuteOf(event.at);
  switch (event.type) {
    case 'started': {
      const { target, schedule, budget, plan, verdict, profile } = event.started;
      const soFar = verdict === null ? '' : `, ${verdict} so far`;
      return `assay monitor: ${target.baseUrl}, ${schedule}, profile ${profile}${soFar}\n${planWords(plan)}; ${left(budget)}`;
    }
    case 'run': {
      const { kind, verdict, sentence, requests, budget, report } = event.run;
      return `${at} ${VERDICTS[verdict]}${KINDS[kind]}: ${sentence} ${plural(requests.valid, 'request')}, ${left(budget)}. ${report}`;
    }
    case 'left-out': {
      const { why, until, budget, count: moments } = event['left-out'];
      if (why === 'missed') return `${at} ${plural(moments, 'run')} missed; catching up with one.`;
      if (why === 'pace') return `${at} no run: saving the remaining requests. ${left(budget)}`;
      return `${at} no run: the share for ${budget.month} is used up. Runs continue at ${minuteOf(until ?? '')} UTC. ${left(budget)}`;
    }
    case 'settlement': {
      const { ticker, date, state, deadline } = event.settlement;
      const due = state === 'waiting' ? `; due by ${minuteOf(deadline)} UTC` : '';
      return `${at} row ${date} of ${ticker} ${ROWS[state]}${due}`;
    }
    case 'turn': {
      const { from, to, text, report } = event.turn;
      return `${at} CHANGED ${from ?? 'unknown'} -> ${to}: ${text} ${report}`;
    }
    case 'delivery': {
      const { delivered, attempts, why, next } = event.delivery;
      const end = next === null ? '; giving up' : '';
      return delivered
        ? `${at} notification delivered, attempt ${attempts}`
        : `${at} notification not delivered, attempt ${attempts}: ${why ?? ''}${end}`;
    }
    case 'warning':
      return `${at} warning: ${event.warning.message}`;
    default:
      return '';
  }
}

function planWords(plan: MonitorHappenings['started']['plan']): string {
  const { runs, whole, wholeRequests, shallow, shallowRequests } = plan;
  const parts = [
    ...(whole > 0 ? [`${whole} with at most ${wholeRequests} requests each`] : []),
    ...(shallow > 0 ? [`${shallow} with at most ${shallowRequests}`] : []),
  ];
  const skipped = runs - whole - shallow;
  if (skipped > 0) parts.push(`${skipped} skipped`);
  return `${plural(runs, 'run')} until the end of the month: ${parts.join(', ')}`;
}
