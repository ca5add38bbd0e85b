import { CONCURRENCY } from '../../ask/input.ts';
import { PROFILES } from '../../ask/profiles.ts';
import { toggle, number, string, type ValuesOf } from '../command.ts';
import { judgingOptions } from '../judging-options.ts';
import { LABEL } from '../labels.ts';
import { TARGET_OPTIONS } from '../options.ts';
import { lastFailedOption } from './last-failed.ts';

export const RUN_OPTIONS = {
  ...TARGET_OPTIONS,
  profile: {
    choices: PROFILES,
    describe:
      'smoke: at most 20 requests with valid keys; standard (default): at most 100; full: at most 300; retries after transient failures are extra',
  },
  ...judgingOptions('run'),
  label: LABEL,
  'max-requests': number(
    'Maximum number of requests with valid keys; above 300, a full run adds generated requests',
  ),
  concurrency: number(`Maximum number of parallel requests; default: ${CONCURRENCY}`),
  seed: number('Seed for generated values and the choice of fixtures; default: 1'),
  rotate: toggle(
    'Test different currencies, tickers and categories every day: derive the seed from the date (UTC) and print it',
  ),
  path: string('Repeat only this generated case of a property, as named in a finding'),
  resume: string('Folder of an interrupted run: resume without repeating answered requests'),
  'resume-max-age': string(
    'Maximum age of an interrupted run to resume, such as 90s or 2h; default: 30m',
  ),
  replay: string(
    'Judge a recorded run again without sending requests: results.json, exchanges.har or journal.ndjson',
  ),
  'last-failed': lastFailedOption(
    'Rerun the failures, warnings and inconclusive requirements from the last run, or from the run in DIR, with its profile and seed; everything if there were none',
  ),
  events: string('Write events to this file as NDJSON; - for standard output'),
  quiet: toggle('Print results and errors only', { alias: 'q' }),
} as const;

/** Arguments of `assay run`. */
export type RunArguments = ValuesOf<typeof RUN_OPTIONS>;
