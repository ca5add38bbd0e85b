import { targetWords } from '../../report/analysis/rerun.ts';
import type { Results } from '../../report/model/results.ts';
import { shellQuote } from '../../text/curl.ts';
import { calledAs } from '../called-as.ts';
import type { RunArguments } from './run-options.ts';

/** Options that a resumed run needs again because its journal does not contain them. */
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

/** Options that may contain secrets: their values are not repeated. */
const SECRETS = ['api-key', 'header', 'proxy'] as const;

/**
 * How to resume a run, with the options of the interrupted one. The journal contains its requests and
 * selection, but not its keys, waivers or gates.
 * @param given the arguments before an environment filled them in
 */
export function resumeWords(
  given: RunArguments,
  results: Results,
  output: string,
): NonNullable<Results['resume']> {
  // As reports name it: without credentials.
  const givenTo = (name: (typeof VALUES)[number]) =>
    name === 'base-url' && given[name] !== undefined ? results.target.baseUrl : given[name];
  const options = VALUES.flatMap((name) => {
    // --fail-on takes a list, --label is repeated.
    const values = name === 'label' ? (given.label ?? []) : [givenTo(name) ?? []].flat();
    const words = name === 'label' || values.length === 0 ? values : [values.join(',')];
    return words.flatMap((one) => [`--${name}`, shellQuote(String(one))]);
  });
  // Name a target file from ASSAY_TARGET explicitly: the variable may be unset by then.
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
  const again = secrets.length === 0 ? '' : `, adding ${secrets.join(' and ')} again`;
  return { words: `Resume the run with the same target and keys${again}:`, command };
}
