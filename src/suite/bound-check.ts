import type { Check } from '../ask/check.ts';
import type { Profile } from '../ask/profiles.ts';
import type { SuiteSession } from '../ask/session.ts';
import type { Requirement } from '../requirements/catalogue.ts';

/** A check that searches by itself, and throws what it finds. */
export type Search = Pick<Check, 'label'> & {
  readonly search: (session: SuiteSession) => Promise<void>;
};

/** A check of a requirement, as one Vitest test. */
export interface BoundCheck {
  readonly requirement: Requirement;
  readonly check: Check | Search;
  /** Smallest profile that runs it. */
  readonly profile: Profile;
}

/** Name of the test: the id of the requirement, and the part of it that is looked at. */
export const nameOf = ({
  requirement: { id, title },
  check,
}: Omit<BoundCheck, 'profile'>): string => `${id} ${check.label ?? title}`;
