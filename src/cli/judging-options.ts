import type { Argv } from 'yargs';
import { FAIL_ON, type FailOn } from '../report/gate.ts';
import { withSpecificationOption, type SpecificationArguments } from './specification.ts';

/** Options of the commands that judge and write reports. */
export interface JudgingArguments extends SpecificationArguments {
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
  const selected = yargs
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
      describe: 'Folder of the reports; reports/<time> by default',
    })
    .option('format', {
      type: 'string',
      default: 'html,json,junit,ctrf,md,har',
      describe: 'Reports to write',
    })
    .option('fail-on', {
      type: 'string',
      requiresArg: true,
      array: true,
      default: ['must'] as FailOn[],
      coerce: failOnOf,
      describe: `What fails the ${what} beyond violated musts: must, should, untested; several with commas`,
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
  return withSpecificationOption(selected);
}

function failOnOf(given: readonly string[]): FailOn[] {
  return failOnNames(given, FAIL_ON);
}

/**
 * Values of `--fail-on`, which takes commas and repetition.
 * @throws Error for a name that is none of them
 */
export function failOnNames<Name extends string>(
  given: readonly string[],
  known: readonly Name[],
): Name[] {
  const names = given.flatMap((text) => text.split(',')).map((name) => name.trim());
  const wrong = names.find((name) => !known.some((one) => one === name));
  if (wrong !== undefined) {
    throw new Error(`--fail-on takes ${known.join(', ')}, and not "${wrong}".`);
  }
  return names as Name[];
}
