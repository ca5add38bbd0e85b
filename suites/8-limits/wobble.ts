import { RESET_TOLERANCE_MS } from '../../src/contract/limits.ts';
import type { Context } from '../../src/rules/context.ts';
import { SECOND_MS, type KeyTraffic } from './traffic.ts';
import { windowKind } from './window-kind.ts';

type Limits = Pick<Context['limits'], 'requests' | 'windowMs'>;

/** Repeats of a reset to the millisecond that no target gives by chance whose announcements are made anew each time. */
const EXACT_AFTER = 6;

/**
 * By how much the announced resets may be off (ruling 12), ms: the tolerance where the announcements show that the target
 * rounds, or makes them anew for each answer, and nothing where they show that it does neither. Null while they show too
 * little. It takes every key: one that wobbles speaks for all.
 */
export function wobbleOf(traffic: readonly KeyTraffic[], limits: Limits): number | null {
  const announced = traffic.map(({ answers }) => answers.flatMap(({ reset }) => reset ?? []));
  const wobbles = announced.some((resets) => {
    const told = resets.toSorted((a, b) => a - b);
    return told.some((later, index) => {
      const apart = later - (told[index - 1] ?? later);
      return apart > 0 && apart <= RESET_TOLERANCE_MS;
    });
  });
  if (wobbles || areRounded(traffic, announced.flat(), limits)) return RESET_TOLERANCE_MS;
  const repeats = announced.reduce((sum, all) => sum + all.length - new Set(all).size, 0);
  return repeats >= EXACT_AFTER ? 0 : null;
}

/**
 * Whole seconds may be rounded. Those of windows that follow the clock are multiples of their length; in short windows
 * that says nothing of a weighted counter, whose next place comes within a second of the end.
 */
function areRounded(
  traffic: readonly KeyTraffic[],
  resets: readonly number[],
  limits: Limits,
): boolean {
  const { requests, windowMs } = limits;
  const areMultiplesOf = (length: number): boolean => resets.every((reset) => reset % length === 0);
  if (resets.length === 0 || !areMultiplesOf(SECOND_MS)) return false;
  if (!areMultiplesOf(windowMs)) return true;
  const isShort = windowMs < requests * RESET_TOLERANCE_MS;
  return isShort && !traffic.some(({ answers }) => windowKind(answers, limits) === 'fixed');
}
