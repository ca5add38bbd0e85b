import { DEFAULT_SEED, seedOfDay } from '../../target/rotate.ts';
import { UsageError } from '../errors.ts';

/** Arguments that determine the seed. */
export interface SeedArguments {
  readonly seed: number | undefined;
  readonly rotate: boolean;
}

/** The seed of a new run: from `--seed`, from the day with `--rotate`, or the default. */
export const seedOf = ({ seed, rotate }: SeedArguments, now = Date.now()): number =>
  rotate ? seedOfDay(now) : (seed ?? DEFAULT_SEED);

/** @throws UsageError for an invalid seed or conflicting options */
export function checkSeed({ seed, rotate }: SeedArguments): void {
  if (seed !== undefined && !Number.isSafeInteger(seed)) {
    throw new UsageError('--seed takes a whole number.', 'For example --seed 7.');
  }
  if (rotate && seed !== undefined) {
    throw new UsageError(
      '--rotate and --seed cannot be combined: with --rotate, the seed is derived from the date.',
      'Use --rotate for recurring runs, and --seed N to repeat the run that printed it.',
    );
  }
}

/**
 * @throws UsageError when `--rotate` is combined with a recorded run, whose seed is fixed and may be that of another day
 */
export function checkNew(
  { rotate }: SeedArguments,
  { resume, replay }: { resume: string | undefined; replay: string | undefined },
): void {
  const recorded = resume === undefined ? (replay === undefined ? null : '--replay') : '--resume';
  if (!rotate || recorded === null) return;
  throw new UsageError(
    `--rotate cannot be combined with ${recorded}: the recorded run already has a seed.`,
    'Remove --rotate.',
  );
}
