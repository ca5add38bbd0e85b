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
    'Only what was red, warned or inconclusive in the last run beside the output, or in the run of DIR, with its profile and seed; everything when nothing was',
} as const;

/** The options of `assay run`. */
export function withRunOptions(yargs: Argv<object>) {
  const named = withTargetOptions(yargs).option('profile', {
    choices: PROFILES,
    describe:
      'smoke: at most 20 requests that a key pays for; standard (the default): at most 100; full: at most 300; repeats of what failed in passing come on top',
  });
  return withLabelOption(withJudgingOptions(named, 'run'))
    .option('max-requests', {
      type: 'number',
      requiresArg: true,
      describe:
        'Bound on requests with valid keys; above 300, a full run searches with made-up requests',
    })
    .option('concurrency', {
      type: 'number',
      requiresArg: true,
      describe: `Most requests at a time; ${CONCURRENCY} by default, 1 for one after the other`,
    })
    .option('seed', {
      type: 'number',
      requiresArg: true,
      describe: 'Seed of everything drawn, and of what is looked at; 1 by default',
    })
    .option('rotate', {
      type: 'boolean',
      default: false,
      describe:
        'Look at other currencies, tickers and categories every day: the seed is the number of the day (UTC), and printed',
    })
    .option('path', {
      type: 'string',
      requiresArg: true,
      describe: 'One case that a property drew, as a finding names it: tried again, and no other',
    })
    .option('resume', {
      type: 'string',
      requiresArg: true,
      describe: 'Folder of an interrupted run: go on without asking again what is known',
    })
    .option('resume-max-age', {
      type: 'string',
      requiresArg: true,
      describe: 'Oldest interrupted run to take up, such as 90s, 30m (the default), 2h',
    })
    .option('replay', {
      type: 'string',
      requiresArg: true,
      describe:
        'Judge a recording again and send nothing: results.json, exchanges.har or journal.ndjson',
    })
    .option('last-failed', LAST_FAILED)
    .option('events', {
      type: 'string',
      requiresArg: true,
      describe: 'Write what happens to a file, one JSON object a line; - for standard output',
    })
    .option('quiet', {
      alias: 'q',
      type: 'boolean',
      default: false,
      describe: 'No progress: only the results, and what goes wrong',
    })
    .epilogue(EXAMPLES)
    .epilogue(example('$0 run', 'the embedded reference server'))
    .epilogue(example('$0 run -u http://127.0.0.1:4010 -k KEY', 'a server of yours'))
    .epilogue(
      example('$0 run -t staging.yaml --only 4.3,5 --fail-on should', 'a gate for two sections'),
    )
    .epilogue(
      example('$0 run -t staging.yaml --last-failed', 'after a repair: only what was wrong'),
    )
    .epilogue(
      example('$0 run --resume reports/2026-01-31T09-00', 'go on after Ctrl-C, with the same keys'),
    )
    .epilogue(
      example('$0 run --replay reports/latest/results.json', 'judge again, sending nothing'),
    );
}
