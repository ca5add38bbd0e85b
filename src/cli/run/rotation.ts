import { DEFAULT_SEED, seedOfDay } from '../../target/turn.ts';
import { UsageError } from '../errors.ts';

/** What says which seed a run has. */
export interface SeedArguments {
  readonly seed: number | undefined;
  readonly rotate: boolean;
}

/** The seed of a new run: that of `--seed`, that of the day with `--rotate`, else the default one. */
export const seedOf = ({ seed, rotate }: SeedArguments, now = Date.now()): number =>
  rotate ? seedOfDay(now) : (seed ?? DEFAULT_SEED);

/** @throws UsageError for a seed that is none, or when two options say which it is */
export function checkSeed({ seed, rotate }: SeedArguments): void {
  if (seed !== undefined && !Number.isSafeInteger(seed)) {
    throw new UsageError('--seed takes a whole number.', 'For example --seed 7.');
  }
  if (rotate && seed !== undefined) {
    throw new UsageError(
      '--rotate and --seed cannot be given together: with --rotate the day says which seed a run has.',
      'Use --rotate for runs that come back, --seed N to repeat the run that printed it.',
    );
  }
}

/**
 * @throws UsageError when `--rotate` is given for a run whose seed is on record: the day of a run that is taken up or judged
 * again may have been another one
 */
export function checkNew(
  { rotate }: SeedArguments,
  { resume, replay }: { resume: string | undefined; replay: string | undefined },
): void {
  const recorded = resume === undefined ? (replay === undefined ? null : '--replay') : '--resume';
  if (!rotate || recorded === null) return;
  throw new UsageError(
    `--rotate cannot be given with ${recorded}: that run has its seed already.`,
    'Leave --rotate out.',
  );
}
