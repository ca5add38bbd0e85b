import type { Argv } from 'yargs';
import { FORMATS } from '../report/formats.ts';
import { FAIL_ON, type FailOn } from '../report/model/gate.ts';

/** Options of the commands that judge and write reports. */
export interface JudgingArguments {
  only: string[] | undefined;
  skip: string[] | undefined;
  output: string | undefined;
  format: string | undefined;
  'fail-on': FailOn[] | undefined;
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
      describe: 'Folder of the reports; reports/<time> by default',
    })
    .option('format', {
      type: 'string',
      requiresArg: true,
      describe: `Reports to write, of ${FORMATS.join(', ')}; ${FORMATS_BY_DEFAULT} by default`,
    })
    .option('fail-on', {
      type: 'string',
      requiresArg: true,
      array: true,
      coerce: (given: readonly string[] | undefined) => given && failOnOf(given),
      describe: `What fails the ${what} beyond violated musts: must, should, untested; several with commas; must by default`,
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

/** Adds what is shown of the traffic of others. */
export function withShowHeader<T>(yargs: Argv<T>) {
  return yargs.option('show-header', {
    type: 'string',
    array: true,
    requiresArg: true,
    describe:
      'Request header whose value is shown; all but harmless ones are hidden, and the key header is always',
  });
}

/** What an environment may say of how something is judged and written. */
export const JUDGING_OF_ENVIRONMENT = [
  'waivers',
  'baseline',
  'fail-on',
  'skip',
  'output',
  'format',
] as const;

/** Reports that are written when nobody says which. */
export const FORMATS_BY_DEFAULT = 'html,json,junit,ctrf,md,har';

/** What a command judges and writes by, once flags, environment and defaults are put together. */
export interface Judging {
  readonly format: string;
  readonly 'fail-on': FailOn[];
}

/** Fills up what neither a flag nor an environment says. */
export function withDefaults<Arguments extends JudgingArguments>(
  argv: Arguments,
): Arguments & Judging {
  // An environment may hold a list or a text with commas.
  const failOn = argv['fail-on'] as readonly string[] | string | undefined;
  const format = argv.format as readonly string[] | string | undefined;
  return {
    ...argv,
    format: [format ?? FORMATS_BY_DEFAULT].flat().join(','),
    'fail-on': failOn === undefined ? ['must'] : failOnOf([failOn].flat()),
  };
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
