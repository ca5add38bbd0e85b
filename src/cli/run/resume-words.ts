import { targetWords } from '../../report/analysis/rerun.ts';
import type { Results } from '../../report/model/results.ts';
import { shellQuote } from '../../text/curl.ts';
import { calledAs } from '../called-as.ts';
import type { RunArguments } from './run-options.ts';

/** Options with a value that the rest of a run needs as its beginning did, and that its journal does not hold. */
const VALUES = [
  'environment',
  'config',
  'base-url',
  'target',
  'key-file',
  'ca-file',
  'cert',
  'cert-key',
  'timeout-ms',
  'concurrency',
  'fail-on',
  'waivers',
  'baseline',
  'format',
  'label',
  'events',
] as const satisfies readonly (keyof RunArguments)[];

const SWITCHES = ['insecure', 'http2', 'verbose', 'quiet'] as const;

/** Options that may hold secrets: they are named, and not repeated. */
const SECRETS = ['api-key', 'header', 'proxy'] as const;

/**
 * What to say of a run that can be taken up: the command, with the options that were given. What it asks and judges is in
 * its journal; what it is judged by, and where its keys are, is not.
 *
 * @param given the arguments as they were given, before an environment filled them up
 */
export function resumeWords(given: RunArguments, results: Results, output: string): string {
  const options = VALUES.flatMap((name) => {
    const value = given[name];
    if (value === undefined) return [];
    // Levels are one list, labels are several options.
    const values = Array.isArray(value) ? (name === 'label' ? value : [value.join(',')]) : [value];
    return values.flatMap((one) => [`--${name}`, shellQuote(String(one))]);
  });
  // A target file that a variable of the environment names is named all the same: the variable may be gone by then.
  const isNamed = [given.environment, given.target, given['base-url']].some(Boolean);
  const target = isNamed || results.target.file === undefined ? [] : targetWords(results);
  const command = [
    calledAs(process.env),
    'run',
    ...target,
    ...options,
    ...SWITCHES.filter((name) => given[name] === true).map((name) => `--${name}`),
    '--resume',
    shellQuote(output),
  ].join(' ');
  const secrets = SECRETS.filter((name) => given[name] !== undefined).map((name) => `--${name}`);
  const again = secrets.length === 0 ? '' : ` (and ${secrets.join(' and ')} as before)`;
  return `To go on with the same target and keys${again}: ${command}`;
}
