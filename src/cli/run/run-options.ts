import { example, EXAMPLES } from '../examples.ts';
import type { Argv } from 'yargs';
import { CONCURRENCY } from '../../ask/input.ts';
import { PROFILES, type Profile } from '../../ask/profiles.ts';
import { withJudgingOptions, type JudgingArguments } from '../judging-options.ts';
import type { ConfigArguments } from '../config.ts';
import type { LastFailedArguments } from './last-failed.ts';
import { withLabelOption, type LabelArguments } from '../labels.ts';
import { withTargetOptions, type TargetArguments } from '../options.ts';

/** Arguments of `assay run`. */
export interface RunArguments
  extends TargetArguments, JudgingArguments, LabelArguments, LastFailedArguments, ConfigArguments {
  profile: Profile | undefined;
  'max-requests': number | undefined;
  concurrency: number | undefined;
  seed: number | undefined;
  rotate: boolean;
  path: string | undefined;
  resume: string | undefined;
  'resume-max-age': string | undefined;
  replay: string | undefined;
  events: string | undefined;
  quiet: boolean;
}

/** `--last-failed`, of run and plan. */
export const LAST_FAILED = {
  type: 'string',
  describe:
    'Rerun the failures, warnings and inconclusive requirements from the last run, or from the run in DIR, with its profile and seed; everything if there were none',
} as const;

export function withRunOptions(yargs: Argv<object>) {
  const named = withTargetOptions(yargs).option('profile', {
    choices: PROFILES,
    describe:
      'smoke: at most 20 requests with valid keys; standard (default): at most 100; full: at most 300; retries after transient failures are extra',
  });
  return withLabelOption(withJudgingOptions(named, 'run'))
    .option('max-requests', {
      type: 'number',
      requiresArg: true,
      describe:
        'Maximum number of requests with valid keys; above 300, a full run adds generated requests',
    })
    .option('concurrency', {
      type: 'number',
      requiresArg: true,
      describe: `Maximum number of parallel requests; default: ${CONCURRENCY}`,
    })
    .option('seed', {
      type: 'number',
      requiresArg: true,
      describe: 'Seed for generated values and the choice of fixtures; default: 1',
    })
    .option('rotate', {
      type: 'boolean',
      default: false,
      describe:
        'Test different currencies, tickers and categories every day: derive the seed from the date (UTC) and print it',
    })
    .option('path', {
      type: 'string',
      requiresArg: true,
      describe: 'Repeat only this generated case of a property, as named in a finding',
    })
    .option('resume', {
      type: 'string',
      requiresArg: true,
      describe: 'Folder of an interrupted run: resume without repeating answered requests',
    })
    .option('resume-max-age', {
      type: 'string',
      requiresArg: true,
      describe: 'Maximum age of an interrupted run to resume, such as 90s or 2h; default: 30m',
    })
    .option('replay', {
      type: 'string',
      requiresArg: true,
      describe:
        'Judge a recorded run again without sending requests: results.json, exchanges.har or journal.ndjson',
    })
    .option('last-failed', LAST_FAILED)
    .option('events', {
      type: 'string',
      requiresArg: true,
      describe: 'Write events to this file as NDJSON; - for standard output',
    })
    .option('quiet', {
      alias: 'q',
      type: 'boolean',
      default: false,
      describe: 'Print results and errors only',
    })
    .epilogue(EXAMPLES)
    .epilogue(example('$0 run', 'run against the embedded reference server'))
    .epilogue(example('$0 run -u http://127.0.0.1:4010 -k KEY', 'run against your server'))
    .epilogue(
      example('$0 run -t staging.yaml --only 4.3,5 --fail-on should', 'gate on two sections'),
    )
    .epilogue(example('$0 run -t staging.yaml --last-failed', 'after a fix, rerun the failures'))
    .epilogue(
      example(
        '$0 run --resume reports/2026-01-31T09-00',
        'resume after Ctrl-C, with the same keys',
      ),
    )
    .epilogue(
      example(
        '$0 run --replay reports/latest/results.json',
        'judge again without sending requests',
      ),
    );
}
