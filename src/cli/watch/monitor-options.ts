import type { Argv } from 'yargs';
import { PROFILES, type Profile } from '../../ask/profiles.ts';
import { FORMATS } from '../../report/formats.ts';
import type { ConfigArguments } from '../config.ts';
import { example, EXAMPLES } from '../examples.ts';
import { withTargetOptions, type TargetArguments } from '../options.ts';

/** Arguments of `assay monitor`. */
export interface MonitorArguments extends TargetArguments, ConfigArguments {
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

/** The options of `assay monitor`. */
export function withMonitorOptions(yargs: Argv<object>) {
  return withTargetOptions(yargs)
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
      describe: `Reports of each run, of ${FORMATS.join(', ')}; html,json,md by default; html and json are always there`,
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
