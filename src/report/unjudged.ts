import { UNJUDGED } from './labels.ts';
import type { Outcome, RequirementResult } from './results.ts';
import { shape } from './shape.ts';

/** Requirements that share the reason why they were not judged. */
export interface UnjudgedGroup {
  readonly outcome: Outcome;
  /** The setting that would change it, such as `keys.expired` or `--max-requests`; null when the reason names none. */
  readonly setting: string | null;
  /** The reasons given, each once. */
  readonly reasons: readonly string[];
  readonly requirements: readonly RequirementResult[];
}

/** Sections of the target file whose entries a reason may name, and the flags of a run that change what is judged. */
const SETTING =
  /(?<![\w.])(?:keys|fixtures|limits|auth|http)\.[A-Za-z]\w*|(?<![\w-])--(?:api-key|base-url|max-requests|only|profile|skip|target)(?![\w-])|(?<![\w.])ASSAY_[A-Z_]+/;

/** The setting that a reason tells the reader to add, or null. */
export function settingIn(reason: string): string | null {
  return SETTING.exec(reason)?.[0] ?? null;
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
    const setting = settingIn(reason);
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
