import type { KeyRole } from '#src/spec/exchange.ts';
import type { RequestSet } from './matrix.ts';

/** What a fault is worth to the order, and which sets of requests show it. */
export interface Shown {
  readonly weight: number;
  /** Indices of sets. */
  readonly sets: readonly number[];
}

export interface OrderInput {
  readonly sets: readonly RequestSet[];
  /** Role of the key of each exchange, by position. */
  readonly roles: readonly KeyRole[];
  readonly faults: readonly Shown[];
  /** Requirements of must clauses that the clean answers of each set say something about. */
  readonly judged: readonly (readonly string[])[];
}

/** A set in the order, and how many requests with a valid key have been sent after it. */
export interface RankedSet {
  readonly set: number;
  readonly sent: number;
  /** What is shown for the first time, by weight. */
  readonly gain: number;
}

/**
 * What it is worth that a requirement is examined for the first time, compared with a fault that is shown: more and more,
 * so that all of them are examined when the standard profile ends.
 */
const firstLook = (sent: number): number => 0.5 + sent / 10;

/** What it is worth to show without other keys what others show: a target need not have named any. */
const WITHOUT_OTHERS = 0.05;

/**
 * Requests of the restricted key that the standard profile may use: with those that show its limit, they fill no more
 * windows than the valid ones do.
 */
const RESTRICTED = 66;
const STANDARD = 100;

/** Keys that everybody has. */
const EVERYBODYS: ReadonlySet<KeyRole> = new Set(['valid', 'unknown', 'none']);

/** Valid requests after which those that cost nothing are taken: first it is seen what the target is. */
const BEFORE_FREE = 3;

/**
 * Takes the sets in the order in which they show most for each request with a valid key (greedy weighted cover). Sets
 * whose requests were all sent come at once, and so does the rest of what has to be sent together. Requests without a good key cost nothing; those of the restricted key have
 * a window of their own, and cost nothing as long as they fill fewer windows than the valid ones.
 */
export function greedyOrder({ sets, roles, faults, judged }: OrderInput): readonly RankedSet[] {
  const showing = sets.map((): number[] => []);
  for (const [fault, { sets: by }] of faults.entries()) {
    for (const set of by) showing[set]?.push(fault);
  }
  const open = new Set(sets.keys());
  const sent = new Set<number>();
  const count: Partial<Record<KeyRole, number>> = {};
  const seen = new Set<number>();
  const seenByEverybody = new Set<number>();
  const examined = new Set<string>();
  const ranked: RankedSet[] = [];

  const fresh = (set: number): number[] =>
    (sets[set]?.positions ?? []).filter((position) => !sent.has(position));
  const ofRole = (positions: readonly number[], role: KeyRole): number =>
    positions.filter((position) => roles[position] === role).length;
  const ofEverybody = (set: number): boolean =>
    sets[set]?.positions.every((position) => EVERYBODYS.has(roles[position] ?? 'valid')) === true;
  const worth = (set: number): number => {
    let sum = 0;
    const isEverybodys = ofEverybody(set);
    for (const fault of showing[set] ?? []) {
      const weight = faults[fault]?.weight ?? 0;
      if (!seen.has(fault)) sum += weight;
      if (isEverybodys && !seenByEverybody.has(fault)) sum += weight * WITHOUT_OTHERS;
    }
    for (const requirement of judged[set] ?? []) {
      if (!examined.has(requirement)) sum += firstLook(count.valid ?? 0);
    }
    return sum;
  };
  /** Whether a part was sent of what has to be sent at once. */
  const isBegun = (set: number): boolean => {
    const { atOnce = false, positions = [] } = sets[set] ?? {};
    return atOnce && positions.some((position) => sent.has(position));
  };
  const take = (set: number): void => {
    const gain = worth(set);
    open.delete(set);
    for (const position of fresh(set)) {
      sent.add(position);
      const role = roles[position];
      if (role !== undefined) count[role] = (count[role] ?? 0) + 1;
    }
    const isEverybodys = ofEverybody(set);
    for (const fault of showing[set] ?? []) {
      seen.add(fault);
      if (isEverybodys) seenByEverybody.add(fault);
    }
    for (const requirement of judged[set] ?? []) examined.add(requirement);
    ranked.push({ set, sent: count.valid ?? 0, gain });
  };
  /** Requests that a run has to wait for, were it to take this set. */
  const costOf = (set: number): number => {
    const positions = fresh(set);
    const restricted = (count.restricted ?? 0) + ofRole(positions, 'restricted');
    const valid = (count.valid ?? 0) + ofRole(positions, 'valid');
    const atNoCost = valid > STANDARD ? valid : Math.min(valid, RESTRICTED);
    return (
      ofRole(positions, 'valid') +
      Math.max(0, Math.min(ofRole(positions, 'restricted'), restricted - atNoCost))
    );
  };

  while (open.size > 0) {
    for (const set of open) if (fresh(set).length === 0 || isBegun(set)) take(set);
    if ((count.valid ?? 0) >= BEFORE_FREE) {
      const free = [...open].filter((set) => costOf(set) === 0);
      for (const set of free.toSorted((a, b) => worth(b) - worth(a) || a - b)) {
        if (costOf(set) === 0) take(set);
      }
    }
    let best: number | undefined;
    let most = -1;
    for (const set of open) {
      const cost = costOf(set);
      if (cost === 0) continue;
      const value = worth(set) / cost;
      if (value > most) {
        most = value;
        best = set;
      }
    }
    if (best === undefined) {
      for (const set of open) take(set);
    } else take(best);
  }
  return ranked;
}
