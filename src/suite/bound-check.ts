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
  /**
   * Smallest profile that runs it when its requirement is named. No profile is too small for the first checks of a
   * requirement then: smaller profiles judge it by what other checks ask, and those are left out.
   */
  readonly whenNamed: Profile;
}

/** Name of the test: the id of the requirement, and the part of it that is looked at. */
export const nameOf = ({
  requirement: { id, title },
  check,
}: Pick<BoundCheck, 'requirement' | 'check'>): string => `${id} ${check.label ?? title}`;
