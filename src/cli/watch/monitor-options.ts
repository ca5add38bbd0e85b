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
const NOTIFICATIONS = 'Notifications:';

export function withMonitorOptions(yargs: Argv<object>) {
  return withTargetOptions(yargs)
    .option('profile', {
      choices: PROFILES,
      describe: 'Profile of a full-size run; default: standard',
    })
    .option('only', { type: 'string', array: true, requiresArg: true, describe: 'Same as for run' })
    .option('skip', { type: 'string', array: true, requiresArg: true, describe: 'Same as for run' })
    .option('max-requests', {
      type: 'number',
      requiresArg: true,
      describe: 'Maximum number of requests with valid keys per run',
    })
    .option('concurrency', { type: 'number', requiresArg: true, describe: 'Same as for run' })
    .option('rotate', {
      type: 'boolean',
      default: true,
      describe: 'Test different fixtures every day: derive the seed from the date',
    })
    .option('seed', {
      type: 'number',
      requiresArg: true,
      describe: 'Fixed seed for every run, instead of --rotate',
    })
    .option('output', {
      alias: 'o',
      type: 'string',
      requiresArg: true,
      describe: 'Folder for state, history and runs, one per target; default: reports/monitor',
    })
    .option('keep', {
      type: 'string',
      requiresArg: true,
      describe: 'How long to keep runs; default: 30d',
    })
    .option('format', {
      type: 'string',
      requiresArg: true,
      describe: `Reports for each run: ${FORMATS.join(', ')}; default: html,json,md; html and json are always written`,
    })
    .option('waivers', {
      type: 'string',
      requiresArg: true,
      describe: 'Same as for run; read again before each run',
    })
    .option('share', {
      group: SCHEDULE,
      type: 'string',
      requiresArg: true,
      describe: "Share of each key's monthly quota to use; default: 5%",
    })
    .option('every', {
      group: SCHEDULE,
      type: 'string',
      requiresArg: true,
      describe: 'Interval between runs, such as 30m; default: 6h',
    })
    .option('cron', {
      group: SCHEDULE,
      type: 'string',
      requiresArg: true,
      describe: 'Schedule as a cron expression with five fields, UTC',
    })
    .option('jitter', {
      group: SCHEDULE,
      type: 'boolean',
      default: true,
      describe:
        'Delay each run by up to 15 minutes; the delay is always the same for a given target and scheduled time',
    })
    .option('once', {
      group: SCHEDULE,
      type: 'boolean',
      default: false,
      describe:
        "Do one run and any due follow-ups now, then exit with the run's exit code; for external schedulers",
    })
    .option('for', {
      group: SCHEDULE,
      type: 'string',
      requiresArg: true,
      describe: 'Stop after this time, such as 3d; default: run until stopped',
    })
    .option('webhook', {
      group: NOTIFICATIONS,
      type: 'string',
      requiresArg: true,
      describe:
        'URL to notify when the verdict changes; prefer ASSAY_WEBHOOK_URL if it contains a secret',
    })
    .option('webhook-secret-file', {
      group: NOTIFICATIONS,
      type: 'string',
      requiresArg: true,
      describe: 'File with the secret for signing notifications (or ASSAY_WEBHOOK_SECRET)',
    })
    .option('public-url', {
      group: NOTIFICATIONS,
      type: 'string',
      requiresArg: true,
      describe: 'Public URL of the output folder, for links in notifications',
    })
    .option('metrics', {
      group: NOTIFICATIONS,
      type: 'string',
      requiresArg: true,
      describe: 'Serve Prometheus metrics on this address, such as 127.0.0.1:9464',
    })
    .option('otlp', {
      group: NOTIFICATIONS,
      type: 'string',
      requiresArg: true,
      describe: 'Send metrics to this OTLP/HTTP endpoint',
    })
    .option('events', {
      group: NOTIFICATIONS,
      type: 'string',
      requiresArg: true,
      describe: 'Append events to this file as NDJSON; - for standard output',
    })
    .option('quiet', {
      alias: 'q',
      type: 'boolean',
      default: false,
      describe: 'Print verdict changes and problems only',
    })
    .epilogue(EXAMPLES)
    .epilogue(example('$0 monitor -t live.yaml', 'run every six hours with 5 % of the quota'))
    .epilogue(
      example('$0 monitor -t live.yaml --cron "0 6 * * 1-5" --share 2%', 'run on weekdays at six'),
    )
    .epilogue(example('$0 monitor -t live.yaml --once --every 1d', 'run from a daily timer'));
}
