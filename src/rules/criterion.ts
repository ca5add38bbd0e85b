import type { RequirementId } from '../contract/requirement-id.ts';

/**
 * What a rule decides. Rules know no requirements: a requirement names the criteria by which it is judged, so that
 * everything about it stands where it is defined.
 */
export class Criterion {
  /** Name for messages about a rule that failed. */
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** What is judged: a criterion, or a field of §2, whose id stands with the facts about it. */
export type Subject = Criterion | RequirementId;

/** Criteria of a rule, or of several that belong together. */
export function criteria<Name extends string>(
  ...names: readonly Name[]
): Readonly<Record<Name, Criterion>> {
  return Object.fromEntries(names.map((name) => [name, new Criterion(name)])) as Record<
    Name,
    Criterion
  >;
}
