import type { UntestedCause } from '../../spec/cause.ts';
import { knownAbout } from '../../requirements/catalogue.ts';
import { clauseCoverage } from '../../requirements/clauses.ts';
import { groupBy } from '../../text/group-by.ts';
import { compareSections, LEVELS, UNJUDGED } from './labels.ts';
import type { RequirementResult } from './results.ts';
import { shape } from './shape.ts';
import { isJudged, isWaivedViolation, NO_REASON } from './status.ts';

/** Requirements that were not judged for the same reason. */
export type UnjudgedGroup = ReturnType<typeof groupUnjudged>[number];

/** The flag that left something out; none for recordings. */
const FLAGS: Readonly<
  Record<Extract<UntestedCause, { kind: 'not-selected' }>['by'], string | null>
> = {
  only: '--only',
  skip: '--skip',
  profile: '--profile',
  budget: '--max-requests',
  recording: null,
};

/** Says of requirements together what each of their reasons says in detail. */
const OF_PROFILE = 'the profile left out these requests, or its budget was used up';

/** The setting that makes a requirement judged: an entry of the target file or a flag; null when none does. */
export function settingOf({ cause }: { cause?: UntestedCause | null }): string | null {
  if (cause?.kind === 'setting') return cause.setting;
  return cause?.kind === 'not-selected' ? FLAGS[cause.by] : null;
}

/** The larger profile that includes a requirement, or a check, that was left out; undefined for others. */
export const profileOf = ({ cause }: { cause?: UntestedCause | null }): string | undefined =>
  cause?.kind === 'not-selected' ? cause.profile : undefined;

/**
 * What was not verified, grouped by the setting to change, or by the kind of reason where no setting helps. Groups with musts
 * come first, ordered by outcome: errors, inconclusive, untested, waived; what `--only` and `--skip` left out comes last.
 * Waived violations were judged and are not included.
 */
export function groupUnjudged(requirements: readonly RequirementResult[]) {
  const open = requirements.filter(
    (one) => UNJUDGED.includes(one.outcome) && !isWaivedViolation(one),
  );
  const isSmoke = open.some((one) => profileOf(one) === 'standard');
  const reasonOf = ({ reason }: RequirementResult): string => reason ?? NO_REASON;
  const groups = groupBy(open, (one) =>
    JSON.stringify([
      one.outcome,
      settingOf(one) ?? shape(reasonOf(one)),
      one.follows,
      isSmoke && profileOf(one) === 'full',
      // Where all checks ran, a larger profile has no requests for it, although it may have for others without that data.
      one.cause?.kind === 'data' && one.checks.some((check) => settingOf(check) === FLAGS.profile),
    ]),
  );
  return [...groups.values()]
    .map((own) => ({
      outcome: own[0].outcome,
      /** Such as `keys.expired` or `--max-requests`; null when no setting would change it. */
      setting: settingOf(own[0]),
      reasons: settingOf(own[0]) === FLAGS.profile ? [OF_PROFILE] : [...new Set(own.map(reasonOf))],
      requirements: own.toSorted((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level)),
    }))
    .toSorted(
      (a, b) =>
        Number(mustsIn(a) === 0) - Number(mustsIn(b) === 0) ||
        UNJUDGED.indexOf(a.outcome) - UNJUDGED.indexOf(b.outcome) ||
        Number(isLeftOut(a)) - Number(isLeftOut(b)) ||
        mustsIn(b) - mustsIn(a) ||
        b.requirements.length - a.requirements.length,
    );
}

const isLeftOut = ({ setting }: { setting: string | null }): boolean =>
  setting === FLAGS.only || setting === FLAGS.skip;

const mustsIn = ({ requirements }: { requirements: readonly RequirementResult[] }): number =>
  requirements.filter(({ level }) => level === 'must').length;

/** Musts of a group in brackets: ` (9 must)`, ` (must)` when all are; empty when none are. */
export function mustWords(group: Pick<UnjudgedGroup, 'requirements'>): string {
  const musts = mustsIn(group);
  if (musts === 0) return '';
  return musts === group.requirements.length ? ' (must)' : ` (${musts} must)`;
}

/** `15 untested (9 must)` */
export const countWords = (group: UnjudgedGroup): string =>
  `${group.requirements.length} ${group.outcome}${mustWords(group)}`;

/** The section of a clause: `4.3` of `4.3 rule 1`. */
export const sectionOf = (clause: string): string => clause.split(' ', 1)[0] ?? '';

const CLAUSES = [...clauseCoverage().keys()].toSorted((a, b) =>
  compareSections(sectionOf(a), sectionOf(b)),
);

/** The clauses of which no requirement was judged, in the order of the specification, of all that have a requirement. */
export function openClauses(
  requirements: readonly Pick<RequirementResult, 'id' | 'outcome' | 'waived'>[],
): { readonly open: readonly string[]; readonly of: number } {
  const judged = requirements.filter(isJudged);
  const covered = new Set(judged.flatMap(({ id }) => knownAbout(id).clauses ?? []));
  return { open: CLAUSES.filter((clause) => !covered.has(clause)), of: CLAUSES.length };
}
