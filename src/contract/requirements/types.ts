import type { FixtureKind } from '../endpoints.ts';

/** `must`: stated. `should`: follows from the stated meaning. `observe`: the specification is silent; never failed. */
export type Level = 'must' | 'should' | 'observe';

/** Where a requirement comes from: a sentence, a meaning, a gap, or sentences that disagree. */
export type Basis = 'stated' | 'implied' | 'silent' | 'contradictory';

/**
 * What a target must offer before the requirement can be judged, beyond a base URL and one valid key. `window`: a full
 * rate-limit window is spent or waited for. `clock`: time has to pass on the target.
 */
export type Need =
  | FixtureKind
  | 'exchanges'
  | 'second-key'
  | 'disabled-key'
  | 'expired-key'
  | 'restricted-key'
  | 'near-quota-key'
  | 'window'
  | 'clock';

export interface RequirementFacts {
  readonly level: Level;
  readonly basis: Basis;
  /** The requirement in one sentence, in words of this project. */
  readonly title: string;
  /** Clauses of the specification it covers; keys of the outline, see `clauses.ts`. */
  readonly clauses: readonly string[];
  /** Numbers of the rulings (`rulings.ts`) that decide how it is judged. */
  readonly rulings?: readonly number[];
  readonly needs?: readonly Need[];
}

type More = Partial<Pick<RequirementFacts, 'basis' | 'rulings' | 'needs'>>;
const entry =
  (level: Level, basis: Basis) =>
  (title: string, clauses: readonly string[], more: More = {}): RequirementFacts => ({
    level,
    basis,
    title,
    clauses,
    ...more,
  });

/** A stated requirement. */
export const must = entry('must', 'stated');
/** A requirement that follows from a stated meaning. */
export const should = entry('should', 'implied');
/** A matter on which the specification is silent. */
export const observe = entry('observe', 'silent');
