import { FAIL_ON, type FailOn } from '../report/model/gate.ts';
import type { TrafficSettings } from '../run/check/traffic-results.ts';
import { readWaivers } from '../run/waivers.ts';
import { toggle, REPORTS_TO_WRITE, string, strings, type ValuesOf } from './command.ts';
import { patternsOf } from './options.ts';

const FORMATS_BY_DEFAULT = 'html,json,junit,ctrf,md,har';

/** Options for selection, output and gating. @param what what the help calls an invocation */
export const judgingOptions = (what: 'run' | 'check') => ({
  ...SELECTION_OPTIONS,
  output: string('Report folder; default: reports/<time>', { alias: 'o' }),
  ...GATE_OPTIONS,
  baseline: string(
    `results.json of an earlier ${what}: fail only on changes since then, not on known violations`,
  ),
  verbose: toggle('Print a curl command for each finding'),
});

export const SELECTION_OPTIONS = {
  only: strings('Judge only these requirements: ids, prefixes (4.3) or globs'),
  skip: strings('Leave out these requirements: ids, prefixes or globs'),
};

export const GATE_OPTIONS = {
  format: string(`${REPORTS_TO_WRITE}; default: ${FORMATS_BY_DEFAULT}`),
  'fail-on': strings(
    'Exit with code 1 for these (comma-separated): must (always included), should, untested; default: must',
    { coerce: (given: readonly string[] | undefined) => given && failOnNames(given, FAIL_ON) },
  ),
  waivers: string('Waiver file: violations accepted by an owner until a given date'),
};

/** Unhides headers of recorded or proxied traffic. */
export const SHOW_HEADER = strings(
  'Show the value of this request header; by default, only non-sensitive headers are shown; the key header is never shown',
);

/** Selection and gates for recorded or proxied traffic. @throws UsageError or WaiverError for invalid ones */
export const trafficSettings = (
  argv: ValuesOf<typeof SELECTION_OPTIONS & Pick<typeof GATE_OPTIONS, 'waivers'>> &
    Judging & { readonly 'show-header': readonly string[] | undefined },
): TrafficSettings => ({
  only: patternsOf('--only', argv.only),
  skip: patternsOf('--skip', argv.skip),
  failOn: argv['fail-on'],
  showHeaders: argv['show-header'] ?? [],
  waivers: argv.waivers === undefined ? undefined : readWaivers(argv.waivers),
});

/** Judging options that an environment may set. */
export const JUDGING_OF_ENVIRONMENT = [
  'waivers',
  'baseline',
  'fail-on',
  'skip',
  'output',
  'format',
] as const;

/** Judging options after merging flags, environment and defaults. */
export type Judging = { readonly format: string | readonly string[]; readonly 'fail-on': FailOn[] };

/** Fills in the defaults. */
export function withDefaults<Arguments extends ValuesOf<typeof GATE_OPTIONS>>(
  argv: Arguments,
): Arguments & Judging {
  // In an environment these may be a list or a comma-separated text.
  const failOn = argv['fail-on'] as readonly string[] | string | undefined;
  return {
    ...argv,
    format: argv.format ?? FORMATS_BY_DEFAULT,
    'fail-on': failOn === undefined ? ['must'] : failOnNames([failOn].flat(), FAIL_ON),
  };
}

/** Values of `--fail-on`, repeated or comma-separated. @throws Error for an unknown name */
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
