import type { Check } from '../ask/check.ts';
import type { Profile } from '../ask/profiles.ts';
import type { SuiteSession } from '../ask/session.ts';
import type { Requirement } from '../requirements/catalogue.ts';

/** A check that sends its own requests and throws its findings. */
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
   * Smallest profile that runs it when its requirement is named with `--only`: the first checks of a requirement then run in
   * every profile, because the checks it otherwise relies on are skipped.
   */
  readonly whenNamed: Profile;
}

/** Name of the test: requirement id and label. */
export const nameOf = ({
  requirement: { id, title },
  check,
}: Pick<BoundCheck, 'requirement' | 'check'>): string => `${id} ${check.label ?? title}`;
