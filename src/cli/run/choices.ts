import { DEFAULT_SEED, seedOfDay } from '../../target/rotate.ts';
import { UsageError } from '../errors.ts';

/** The seed of a new run: from `--seed`, from the day with `--rotate`, from the run to repeat, or the default. */
export const seedOf = (
  { seed, rotate }: { readonly seed: number | undefined; readonly rotate: boolean },
  repeated?: { readonly seed: number },
): number => seed ?? (rotate ? seedOfDay(Date.now()) : (repeated?.seed ?? DEFAULT_SEED));

/** Options that cannot be combined, the reason, and what to do. */
const CONFLICTS: readonly (readonly [string, readonly string[], why: string, hint: string])[] = [
  [
    'rotate',
    ['seed'],
    'with --rotate the seed is derived from the day',
    'Use --rotate for recurring runs, and --seed N to repeat the run that printed it.',
  ],
  ['rotate', ['resume', 'replay'], 'the recorded run already has a seed', 'Remove --rotate.'],
  [
    'last-failed',
    ['only', 'resume', 'replay'],
    'both select what to run',
    'Remove one of the options; --skip can be combined with --last-failed.',
  ],
  [
    'resume',
    ['replay'],
    'a resumed run sends requests, and a replay sends none',
    'Use --resume to send the missing requests, or --replay to send none.',
  ],
];

/** @throws UsageError for options that cannot be combined, or an invalid number */
export function checkChoices(argv: Readonly<Record<string, unknown>>): void {
  for (const [option, others, why, hint] of CONFLICTS) {
    const other = others.find((name) => argv[name] !== undefined);
    if (other === undefined || argv[option] === undefined || argv[option] === false) continue;
    throw new UsageError(`--${option} and --${other} cannot be combined: ${why}.`, hint);
  }
  for (const name of ['max-requests', 'concurrency']) {
    const value = argv[name];
    if (value === undefined || (Number.isInteger(value) && Number(value) > 0)) continue;
    throw new UsageError(`--${name} takes a whole number above 0.`, `For example --${name} 40.`);
  }
  const { seed } = argv;
  if (seed !== undefined && !Number.isSafeInteger(seed)) {
    throw new UsageError('--seed takes a whole number.', 'For example --seed 7.');
  }
}
