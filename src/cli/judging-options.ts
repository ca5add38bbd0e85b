import type { Argv } from 'yargs';
import { FORMATS } from '../report/formats.ts';
import { FAIL_ON, type FailOn } from '../report/model/gate.ts';

/** Options of commands that judge and write reports. */
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
 * Adds the options for selection, output and gating.
 *
 * @param what what the help calls an invocation
 */
export function withJudgingOptions<T>(yargs: Argv<T>, what: 'run' | 'check') {
  return yargs
    .option('only', {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'Judge only these requirements: ids, prefixes (4.3) or globs',
    })
    .option('skip', {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'Leave out these requirements: ids, prefixes or globs',
    })
    .option('output', {
      alias: 'o',
      type: 'string',
      requiresArg: true,
      describe: 'Report folder; default: reports/<time>',
    })
    .option('format', {
      type: 'string',
      requiresArg: true,
      describe: `Reports to write: ${FORMATS.join(', ')}; default: ${FORMATS_BY_DEFAULT}`,
    })
    .option('fail-on', {
      type: 'string',
      requiresArg: true,
      array: true,
      coerce: (given: readonly string[] | undefined) => given && failOnOf(given),
      describe: `Exit with code 1 for these (comma-separated): must (always included), should, untested; default: must`,
    })
    .option('waivers', {
      type: 'string',
      requiresArg: true,
      describe: 'Waiver file: violations accepted by an owner until a given date',
    })
    .option('baseline', {
      type: 'string',
      requiresArg: true,
      describe: `results.json of an earlier ${what}: fail only on changes since then, not on known violations`,
    })
    .option('verbose', {
      type: 'boolean',
      default: false,
      describe: 'Print a curl command for each finding',
    });
}

/** Adds the option to unhide headers of recorded or proxied traffic. */
export function withShowHeader<T>(yargs: Argv<T>) {
  return yargs.option('show-header', {
    type: 'string',
    array: true,
    requiresArg: true,
    describe:
      'Show the value of this request header; by default, only non-sensitive headers are shown; the key header is never shown',
  });
}

/** Judging options that an environment may set. */
export const JUDGING_OF_ENVIRONMENT = [
  'waivers',
  'baseline',
  'fail-on',
  'skip',
  'output',
  'format',
] as const;

export const FORMATS_BY_DEFAULT = 'html,json,junit,ctrf,md,har';

/** Judging options after merging flags, environment and defaults. */
export interface Judging {
  readonly format: string;
  readonly 'fail-on': FailOn[];
}

/** Fills in the defaults. */
export function withDefaults<Arguments extends JudgingArguments>(
  argv: Arguments,
): Arguments & Judging {
  // In an environment these may be a list or a comma-separated text.
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
 * Values of `--fail-on`, which may be repeated and comma-separated.
 * @throws Error for an unknown name
 */
export function failOnNames<Name extends string>(
  given: readonly string[],
  known: readonly Name[],
): Name[] {
  const names = given.flatMap((text) => text.split(',')).map((name) => name.trim());
  const wrong = names.find((name) => !known.some((one) => one === name));
  if (wrong !== undefined) {
    throw new Error(`--fail-on takes ${known.join(', ')}, not "${wrong}".`);
  }
  return names as Name[];
}
