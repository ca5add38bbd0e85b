import type { Exchange } from '../../spec/exchange.ts';
import { STATUS } from '../../spec/finding.ts';
import { isRequirementId, requirementOf } from '../../requirements/catalogue.ts';
import { LIMITS } from '../model/areas.ts';
import type { RequirementResult, ResultFinding, Results } from '../model/results.ts';
import { seenOf } from './seen.ts';

/** Harm to users of the service, worst first. */
const HARMS = ['let in', 'limiter', 'server error', 'data', 'refusal', 'wording'] as const;
type Harm = (typeof HARMS)[number];

function harmOf(
  requirement: RequirementResult,
  finding: ResultFinding,
  exchange: Exchange | null,
  results: Results,
): Harm {
  const seen = seenOf(requirement, finding, exchange, results);
  if (seen === 'let in') return 'let in';
  const isError = (exchange?.response?.status ?? 0) >= 400;
  // Only people read these parts of a refusal.
  if (isError && /^\/(message$|details)/.test(finding.pointer ?? '')) return 'wording';
  const isHeader = finding.header !== undefined && finding.header !== STATUS;
  if (requirement.section === LIMITS) return isHeader ? 'refusal' : 'limiter';
  const { id } = requirement;
  const isOfErrors = isRequirementId(id) && requirementOf(id).explains === 'server errors';
  if (seen === 'server error' || isOfErrors) return 'server error';
  const isRefusal = seen === 'refused otherwise' || isHeader || isError;
  return isRefusal && seen !== 'refused' ? 'refusal' : 'data';
}

/** How much harm a finding does: 0 for the worst. */
export const harmRank = (...finding: Parameters<typeof harmOf>): number =>
  HARMS.indexOf(harmOf(...finding));

/** True for unauthorised access, which always stays on the first screen. */
export const isBreach = (rank: number): boolean => HARMS[rank] === 'let in';
