import { RESOURCE_REQUIREMENTS } from '../../suites/2-resources/requirements.ts';
import { CURRENCY_REQUIREMENTS } from '../../suites/4.1-currencies/requirements.ts';
import { ETF_SUMMARY_REQUIREMENTS } from '../../suites/4.3-etf-summary/requirements.ts';
import { ETF_HISTORY_REQUIREMENTS } from '../../suites/4.4-etf-history/requirements.ts';
import { STOCK_REQUIREMENTS } from '../../suites/4.5-crypto-stocks/requirements.ts';
import { MACRO_AND_CHART_REQUIREMENTS } from '../../suites/4.6-macro-and-charts/requirements.ts';
import { PURPOSE_ONLY_REQUIREMENTS } from '../../suites/4.7-purpose-only/requirements.ts';
import { sectionOf, type RequirementId } from '../spec/requirement-id.ts';
import { GENERAL_REQUIREMENTS } from '../../suites/4-general/requirements.ts';
import { FEATURED_NEWS_REQUIREMENTS } from '../../suites/4.2-news/featured.ts';
import { NEWS_REQUIREMENTS } from '../../suites/4.2-news/requirements.ts';
import { AUTHENTICATION_REQUIREMENTS } from '../../suites/5-authentication/requirements.ts';
import { ERROR_REQUIREMENTS } from '../../suites/7-errors/requirements.ts';
import { LIMIT_REQUIREMENTS } from '../../suites/8-limits/requirements.ts';
import type { EndpointPath } from '../spec/endpoints.ts';
import { groupBy } from '../text/group-by.ts';
import type { Judge } from '../judge/judge.ts';
import type { Definition } from './definition.ts';

const NAMED = {
  ...RESOURCE_REQUIREMENTS,
  ...GENERAL_REQUIREMENTS,
  ...CURRENCY_REQUIREMENTS,
  ...NEWS_REQUIREMENTS,
  ...FEATURED_NEWS_REQUIREMENTS,
  ...ETF_SUMMARY_REQUIREMENTS,
  ...ETF_HISTORY_REQUIREMENTS,
  ...STOCK_REQUIREMENTS,
  ...MACRO_AND_CHART_REQUIREMENTS,
  ...PURPOSE_ONLY_REQUIREMENTS,
  ...AUTHENTICATION_REQUIREMENTS,
  ...ERROR_REQUIREMENTS,
  ...LIMIT_REQUIREMENTS,
} as const;

/** A requirement with its id and section. */
export interface Requirement extends Definition {
  readonly id: RequirementId;
  readonly section: string;
}

/** Sorts `2.2/…` before `2.10/…`; stable within a section. */
function bySection(a: Requirement, b: Requirement): number {
  const [majorA = 0, minorA = 0] = a.section.split('.').map(Number);
  const [majorB = 0, minorB = 0] = b.section.split('.').map(Number);
  return majorA - majorB || minorA - minorB;
}

/** The whole catalogue, by section. */
export const REQUIREMENTS: readonly Requirement[] = Object.entries<Definition>(NAMED)
  .map(([name, definition]) => {
    const id = name as RequirementId;
    return { ...definition, id, section: sectionOf(id) };
  })
  .toSorted(bySection);

const byId = new Map<string, Requirement>(REQUIREMENTS.map((entry) => [entry.id, entry]));

export function isRequirementId(id: string): id is RequirementId {
  return byId.has(id);
}

/** What is stated about a requirement; nothing for an id of another version. */
export const knownAbout = (id: string): Partial<Requirement> => byId.get(id) ?? {};

/** @throws RangeError for an unknown id */
export function requirementOf(id: RequirementId): Requirement {
  const found = byId.get(id);
  if (found === undefined) throw new RangeError(`Unknown requirement ${id}`);
  return found;
}

const byJudge = groupBy(
  REQUIREMENTS.flatMap((one) => [one.judge ?? []].flat().map((judge) => ({ one, judge }))),
  ({ judge }) => judge,
);

/** The requirement that a judgement decides, for an endpoint if given; null when there is none. */
export const judgedAs = (judge: Judge, endpoint?: EndpointPath): RequirementId | null =>
  byJudge
    .get(judge)
    ?.find(({ one }) => endpoint === undefined || one.endpoints?.includes(endpoint) === true)?.one
    .id ?? null;

/** The requirement that has the checks of properties. What their generated requests show of others counts for those. */
export const OF_PROPERTIES = '4/no-5xx';

/** The requirement whose advice depends on the number of admitted requests. */
export const LIMIT_ENFORCED = '8/limit-enforced';
/** Shows a limiter that admits too many requests, but only in a window that is used up. */
export const REMAINING_DECREMENTS = '8/remaining-decrements';
