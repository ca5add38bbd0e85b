import type { Argv } from 'yargs';
import type { FailOn } from '../run/verdict.ts';

/** Options of the commands that judge and write reports. */
export interface JudgingArguments {
  only: string[] | undefined;
  skip: string[] | undefined;
  output: string | undefined;
  format: string;
  'fail-on': FailOn[];
  waivers: string | undefined;
  baseline: string | undefined;
  verbose: boolean;
}

/**
 * Adds what selects, what is written, and what fails.
 *
 * @param what the word for one use of the command
 */
export function withJudgingOptions<T>(yargs: Argv<T>, what: 'run' | 'check') {
  return yargs
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
      describe: `What fails the ${what} beyond violated musts`,
    })
    .option('waivers', {
      type: 'string',
      requiresArg: true,
      describe: 'Waiver file: violations that somebody answers for, each until a day',
    })
    .option('baseline', {
      type: 'string',
      requiresArg: true,
      describe: `results.json of an earlier ${what}: fail on what changed since, not on known violations`,
    })
    .option('verbose', {
      type: 'boolean',
      default: false,
      describe: 'Print a curl line for each finding',
    });
}
