import type { Check } from '../ask/check.ts';
import type { SuiteSession } from '../ask/session.ts';
import type { Requirement } from '../requirements/catalogue.ts';

/** A check that searches by itself, and throws what it finds. */
export type Search = Pick<Check, 'label' | 'profile'> & {
  readonly search: (session: SuiteSession) => Promise<void>;
};

/** A check of a requirement, as one Vitest test. */
export interface BoundCheck {
  readonly requirement: Requirement;
  readonly check: Check | Search;
}

/** Name of the test: the id of the requirement, and the part of it that is looked at. */
export const nameOf = ({ requirement: { id, title }, check }: BoundCheck): string =>
  `${id} ${check.label ?? title}`;
