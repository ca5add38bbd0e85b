import { PROFILES } from '../../ask/profiles.ts';
import { FORMATS } from '../../report/formats.ts';
import { toggle, toggleOn, inGroup, number, string, strings, type ValuesOf } from '../command.ts';
import { TARGET_OPTIONS } from '../options.ts';

export const MONITOR_OPTIONS = {
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
    cron: string('Schedule as a cron expression with five fields, UTC'),
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
export type MonitorArguments = ValuesOf<typeof MONITOR_OPTIONS>;
