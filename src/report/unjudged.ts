import type { UntestedCause } from '../contract/cause.ts';
import { UNJUDGED } from './labels.ts';
import type { Outcome, RequirementResult } from './results.ts';
import { shape } from './shape.ts';

/** Requirements that share the reason why they were not judged. */
export interface UnjudgedGroup {
  readonly outcome: Outcome;
  /** The setting that would change it, such as `keys.expired` or `--max-requests`; null when none would. */
  readonly setting: string | null;
  /** The reasons given, each once. */
  readonly reasons: readonly string[];
  readonly requirements: readonly RequirementResult[];
}

/** The flag that left something out. What a recording does not hold, no flag brings back. */
const FLAGS: Readonly<Record<NotSelected['by'], string | null>> = {
  only: '--only',
  skip: '--skip',
  profile: '--profile',
  budget: '--max-requests',
  recording: null,
};

type NotSelected = Extract<UntestedCause, { kind: 'not-selected' }>;

/** What has to be set otherwise for a requirement to be judged: an entry of the target file, or a flag; null when no setting helps. */
export function settingOf({ cause }: Pick<RequirementResult, 'cause'>): string | null {
  if (cause?.kind === 'setting') return cause.setting;
  return cause?.kind === 'not-selected' ? FLAGS[cause.by] : null;
}

/**
 * What was not verified, grouped by the setting to add, or by the kind of reason where no setting helps. Assay's own errors
 * come first, then inconclusive, untested and waived; larger groups first.
 */
export function groupUnjudged(
  requirements: readonly RequirementResult[],
): readonly UnjudgedGroup[] {
  const groups = new Map<string, UnjudgedGroup>();
  for (const requirement of requirements) {
    const { outcome } = requirement;
    if (!UNJUDGED.includes(outcome)) continue;
    const reason = requirement.reason ?? 'no reason was recorded';
    const setting = settingOf(requirement);
    const key = JSON.stringify([outcome, setting ?? shape(reason)]);
    const group = groups.get(key);
    groups.set(key, {
      outcome,
      setting,
      reasons: group === undefined ? [reason] : [...new Set([...group.reasons, reason])],
      requirements: [...(group?.requirements ?? []), requirement],
    });
  }
  return [...groups.values()].toSorted(
    (a, b) =>
      UNJUDGED.indexOf(a.outcome) - UNJUDGED.indexOf(b.outcome) ||
      b.requirements.length - a.requirements.length,
  );
}
