import { CURRENCY_REQUIREMENTS } from './requirements/currencies.ts';
import { ETF_REQUIREMENTS } from './requirements/etfs.ts';
import { FIELD_REQUIREMENTS } from './requirements/fields.ts';
import { GENERAL_REQUIREMENTS, LIMIT_REQUIREMENTS } from './requirements/general.ts';
import { NEWS_REQUIREMENTS } from './requirements/news.ts';
import { AREA_REQUIREMENTS } from './requirements/other-areas.ts';
import { RESOURCE_REQUIREMENTS } from './requirements/resources.ts';
import type { RequirementFacts } from './requirements/types.ts';

export type { Basis, Level, Need, RequirementFacts } from './requirements/types.ts';

const NAMED = {
  ...RESOURCE_REQUIREMENTS,
  ...GENERAL_REQUIREMENTS,
  ...CURRENCY_REQUIREMENTS,
  ...NEWS_REQUIREMENTS,
  ...ETF_REQUIREMENTS,
  ...AREA_REQUIREMENTS,
  ...LIMIT_REQUIREMENTS,
} as const;

/** `<section>/<slug>`. Ids of fields of §2 are checked when used; all others when compiled. */
export type RequirementId = keyof typeof NAMED | `2.${number}/${string}`;

/** A requirement with its id and section. */
export interface Requirement extends RequirementFacts {
  readonly id: RequirementId;
  readonly section: string;
}

/** Orders `2.2/…` before `2.10/…`; within a section the order of the catalogue stays. */
function bySection(a: Requirement, b: Requirement): number {
  const [majorA = 0, minorA = 0] = a.section.split('.').map(Number);
  const [majorB = 0, minorB = 0] = b.section.split('.').map(Number);
  return majorA - majorB || minorA - minorB;
}

/** The whole catalogue, by section. */
export const REQUIREMENTS: readonly Requirement[] = Object.entries<RequirementFacts>({
  ...FIELD_REQUIREMENTS,
  ...NAMED,
})
  .map(([id, facts]) => ({
    ...facts,
    id: id as RequirementId,
    section: id.slice(0, id.indexOf('/')),
  }))
  .toSorted(bySection);

const byId = new Map<string, Requirement>(REQUIREMENTS.map((entry) => [entry.id, entry]));

/** True for the id of a requirement of the catalogue. */
export function isRequirementId(id: string): id is RequirementId {
  return byId.has(id);
}

/**
 * The requirement with this id.
 * @throws RangeError when the catalogue has none
 */
export function requirementOf(id: RequirementId): Requirement {
  const found = byId.get(id);
  if (found === undefined) throw new RangeError(`No requirement has the id ${id}`);
  return found;
}
