import { requirementOf, isRequirementId } from '#src/requirements/catalogue.ts';
import { judgeAll } from '#src/requirements/judging.ts';
import type { Exchange } from '#src/spec/exchange.ts';
import type { Facts } from '#src/judge/facts.ts';
import type { Asked } from './asked.ts';
import { Replay } from '../kill/replay.ts';

/** Whether some answers of a faulty server break a must or, for faults of a should, anything. */
export function isRed(exchanges: readonly Exchange[], facts: Facts, level: Level): boolean {
  for (const [id, { findings }] of judgeAll(exchanges, facts).requirements) {
    if (findings.length === 0 || !isRequirementId(id)) continue;
    const of = requirementOf(id).level;
    if (of === 'must' || (of === 'should' && level === 'should')) return true;
  }
  return false;
}

/** How many exchanges, from the first on, break a must; null when all of them together do not. What was shown stays shown. */
export function firstRed(exchanges: readonly Exchange[], facts: Facts): number | null {
  if (!isRed(exchanges, facts, 'must')) return null;
  let [green, red] = [0, exchanges.length];
  while (red - green > 1) {
    const middle = Math.floor((green + red) / 2);
    if (isRed(exchanges.slice(0, middle), facts, 'must')) red = middle;
    else green = middle;
  }
  return red;
}

/** A request set that one or more checks ask for. */
export interface RequestSet {
  /** Positions of exchanges in the order sent. */
  readonly positions: readonly number[];
  readonly checks: readonly string[];
  /** Of checks that move the clock of the target. */
  readonly movesClock: boolean;
  /** True when its requests have to follow each other. */
  readonly atOnce: boolean;
  /** Of checks that all ask alone. */
  readonly alone: boolean;
}

/** The different sets of requests that checks ask for. */
export function requestSets({ checks, exchanges }: Asked): readonly RequestSet[] {
  const positionOf = new Map(exchanges.map(({ id }, index) => [id, index]));
  const sets = new Map<string, RequestSet & { readonly checks: string[]; alone: boolean }>();
  for (const { name, asked, movesClock, atOnce, alone } of checks) {
    const positions = asked.flatMap((id) => positionOf.get(id) ?? []).toSorted((a, b) => a - b);
    const key = `${String(movesClock)} ${String(atOnce)} ${positions.join(' ')}`;
    const set = sets.get(key) ?? { positions, checks: [], movesClock, atOnce, alone };
    set.alone &&= alone;
    sets.set(key, set);
    set.checks.push(name);
  }
  return [...sets.values()];
}

/**
 * Tells which sets of requests, each judged by itself, show a fault: by giving a clean run the answers of a faulty server.
 * Returns their indices.
 */
export function showing(
  { exchanges: asked, facts, reference }: Asked,
  sets: readonly RequestSet[],
): (fault: string, level: Level) => readonly number[] {
  const replay = new Replay(asked, facts, reference);
  return (fault, level) => {
    const { exchanges } = replay.answered([fault]);
    const red = new Map<number, boolean>();
    // What is not changed is the same object each time.
    const isChanged = (position: number): boolean => exchanges[position] !== replay.clean[position];
    const isRedAlone = (position: number): boolean => {
      const exchange = exchanges[position];
      if (exchange === undefined || !isChanged(position)) return false;
      const known = red.get(position) ?? isRed([exchange], facts, level);
      red.set(position, known);
      return known;
    };
    return sets.flatMap(({ positions }, index) => {
      if (!positions.some(isChanged)) return [];
      // An answer that is red alone makes every set red that it is in.
      if (positions.some(isRedAlone)) return [index];
      if (positions.length === 1) return [];
      const answers = positions.flatMap((position) => exchanges[position] ?? []);
      return isRed(answers, facts, level) ? [index] : [];
    });
  };
}

type Level = 'must' | 'should';
