import type { Argv } from 'yargs';
import type { FailOn } from '../run/verdict.ts';
import { PROFILES, type Profile } from '../suite/profiles.ts';
import { withTargetOptions, type TargetArguments } from './options.ts';

/** Arguments of `assay run`. */
export interface RunArguments extends TargetArguments {
  profile: Profile | undefined;
  only: string[] | undefined;
  skip: string[] | undefined;
  'max-requests': number | undefined;
  seed: number | undefined;
  path: string | undefined;
  output: string | undefined;
  format: string;
  'fail-on': FailOn[];
  waivers: string | undefined;
  baseline: string | undefined;
  resume: string | undefined;
  'resume-max-age': string | undefined;
  replay: string | undefined;
  verbose: boolean;
}

/** The options of `assay run`. */
export function withRunOptions(yargs: Argv<object>) {
  return withTargetOptions(yargs)
    .option('profile', {
      choices: PROFILES,
      describe:
        'smoke: at most 20 requests a key must pay for; standard (unless told): at most 100; full: everything',
    })
    .option('only', {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'Ids, prefixes (4.3) or globs',
    })
    .option('skip', {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'The same, left out',
    })
    .option('max-requests', {
      type: 'number',
      requiresArg: true,
      describe: 'Bound on requests with valid keys',
    })
    .option('seed', {
      type: 'number',
      requiresArg: true,
      describe: 'Seed of everything drawn by chance; 1 unless told',
    })
    .option('path', {
      type: 'string',
      requiresArg: true,
      describe: 'One case that a property drew, as a finding names it: tried again, and no other',
    })
    .option('output', {
      alias: 'o',
      type: 'string',
      requiresArg: true,
      describe: 'Folder of the reports; reports/<time> unless told',
    })
    .option('format', {
      type: 'string',
      default: 'html,json,junit,ctrf,md,har',
      describe: 'Reports to write',
    })
    .option('fail-on', {
      choices: ['must', 'should', 'untested'] as const,
      array: true,
      default: ['must'] as FailOn[],
      describe: 'What fails the run beyond violated musts',
    })
    .option('waivers', {
      type: 'string',
      requiresArg: true,
      describe: 'Waiver file: violations that somebody answers for, each until a day',
    })
    .option('baseline', {
      type: 'string',
      requiresArg: true,
      describe:
        'results.json of an earlier run: fail on what changed since, not on known violations',
    })
    .option('resume', {
      type: 'string',
      requiresArg: true,
      describe: 'Folder of an interrupted run: go on without asking again what is known',
    })
    .option('resume-max-age', {
      type: 'string',
      requiresArg: true,
      describe: 'Oldest interrupted run to take up, such as 90s, 30m (unless told), 2h',
    })
    .option('replay', {
      type: 'string',
      requiresArg: true,
      describe:
        'Judge a recording again and send nothing: results.json, exchanges.har or journal.ndjson',
    })
    .option('verbose', {
      type: 'boolean',
      default: false,
      describe: 'Print a curl line for each finding',
    })
    .example('$0 run', 'the embedded reference server')
    .example('$0 run -u http://127.0.0.1:4010 -k KEY', 'a server of yours')
    .example('$0 run -t staging.yaml --only 4.3,5 --fail-on should', 'a gate for two sections')
    .example('$0 run --resume reports/2026-01-31T09-00', 'go on after Ctrl-C, with the same keys')
    .example('$0 run --replay reports/latest/results.json', 'judge again, sending nothing');
}
