import { WORD_KEYS } from '../../spec/near-keys.ts';
import type { Exchange, KeyRole } from '../../spec/exchange.ts';
import { accessOf } from '../../requirements/access.ts';
import { knownAbout, LIMIT_ENFORCED } from '../../requirements/catalogue.ts';
import { STATUS } from '../../spec/finding.ts';
import { LIMITS } from '../model/labels.ts';
import type { RequirementResult, ResultFinding, Results } from '../model/results.ts';
import { errorCode, statusOfCode } from '../model/error-code.ts';
import { forbiddenIn, limitsOf, rateWindows } from './rate-windows.ts';

/** A finding with its requirement. */
export interface CauseMember {
  readonly requirement: RequirementResult;
  readonly finding: ResultFinding;
  /** Index of the load scenario that found it. */
  readonly scenario?: number;
}

/** Kinds of findings about requests that must not be refused. */
export const OF_VALID: readonly string[] = ['request-refused', 'listed-pair-refused'];

/**
 * How a response violated a requirement, judged by its status and key: a request without a valid key was answered (`let in`), or
 * another one that has to be refused (`answered`); it was refused with the wrong error (`refused otherwise`); a valid one was
 * `refused`; there was a `server error`, or the `content` of the response is wrong. Null without a response.
 */
export function seenOf(
  { id }: RequirementResult,
  { kind = '', pointer, header = STATUS }: Pick<ResultFinding, 'kind' | 'pointer' | 'header'>,
  exchange: Exchange | null,
  results: Results,
) {
  const status = exchange?.response?.status;
  if (exchange === null || status === undefined) return null;
  if (status >= 500 && !pointer && header === STATUS) return 'server error';
  const { endpoint, role } = exchange;
  const access = endpoint === null ? null : accessOf(role, endpoint, forbiddenIn(results));
  const isBarred = access?.allowed === false && access.requirement === id;
  const isRefused = status >= 400;
  if (isBarred) return isRefused ? 'refused otherwise' : 'let in';
  if (knownAbout(id).checks?.some(({ refused }) => refused))
    return isRefused ? 'refused otherwise' : 'answered';
  if (isRefused && OF_VALID.includes(kind)) return 'refused';
  if (isRefused && statusOfCode(exchange) !== null) return 'refused otherwise';
  // The refusal is correct, but its body is wrong.
  return isRefused && status !== 429 && pointer === null ? 'refused' : 'content';
}

/** Harm to users of the service, worst first. */
const HARMS = [
  'let in',
  'no limit',
  'limiter',
  'crash',
  'script',
  'data',
  'refusal',
  'wording',
] as const;
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
  // The header of a shared count shows what the limiter does.
  const isHeader =
    ![undefined, STATUS].includes(finding.header) && finding.kind !== 'keys-share-a-count';
  // Of bodies, §8 is only about those of refusals.
  if (requirement.section === LIMITS && (isHeader || finding.pointer !== null)) return 'refusal';
  if (requirement.section === LIMITS)
    return requirement.id === LIMIT_ENFORCED ? 'no limit' : 'limiter';
  if (seen === 'server error' || knownAbout(requirement.id).explains === 'server errors')
    return 'crash';
  if (finding.kind === 'script-tags') return 'script';
  const isRefusal = seen === 'refused otherwise' || seen === 'answered' || isHeader || isError;
  return isRefusal && seen !== 'refused' ? 'refusal' : 'data';
}

/** How much harm a finding does: 0 for the worst. */
export const harmRank = (...finding: Parameters<typeof harmOf>): number =>
  HARMS.indexOf(harmOf(...finding));

/** True for unauthorised access, which always stays on the first screen. */
export const isBreach = (rank: number): boolean => HARMS[rank] === 'let in';

/** Advice that fits a kind of response, for any requirement. */
const LET_IN = 'Unauthorized clients can read paid data.';
const CACHED = 'The response comes from a cache in front of the key check.';
const STATE = 'Only the existence of a key is checked, not its state.';
/** Why a key is let in, by its role. */
const LETS_IN: Readonly<Partial<Record<KeyRole, string>>> = {
  disabled: STATE,
  expired: STATE,
  restricted: 'The rights of a key are not checked for this request.',
};
/** The same for a key that differs little from a valid one. */
const ALIKE =
  'Keys are compared without regard to case, by a part of their text, or after it is normalized.';
const WORD = 'A missing key is stored or compared as this word.';
const NO_CHECK = 'Keys are not checked for this request.';
const SERVER_ERROR = 'This request triggers a server error, and with it an alert, at any time.';
const EDGE =
  'An edge value reaches a parser or the database unchecked, and the error is not caught.';
const OTHERWISE =
  'Clients decide what to do next from the status and code, so wrong values mislead them.';
const ANSWERED = 'The value is ignored or replaced with a default instead of being refused.';

/**
 * Why a finding matters, and what has usually caused such findings: most likely first, empty if none fits. It fits what was seen:
 * advice about the code of a refusal does not fit an admitted key.
 */
export function adviceFor(
  { requirement, finding }: CauseMember,
  exchange: Exchange | null,
  results: Results,
) {
  const { why, usually: usual = [], usuallyFor } = knownAbout(requirement.id);
  if (why === undefined) return { why: null, usually: [] };
  const usualFor: Readonly<Record<string, readonly string[] | undefined>> = usuallyFor ?? {};
  const seen = seenOf(requirement, finding, exchange, results);
  const usually =
    usualFor[finding.kind ?? ''] ?? (seen === 'content' ? usualFor['content'] : undefined) ?? usual;
  if (finding.kind === 'limiter-status') return { why: OTHERWISE, usually: usualRefusal(exchange) };
  if (requirement.id === LIMIT_ENFORCED) {
    // At least twice the limit, as with several independent counters.
    const twice = 2 * limitsOf(results).requests;
    const isMultiple = rateWindows(results).some(({ admitted }) => admitted >= twice);
    return { why, usually: isMultiple ? usually.slice(0, 1) : [] };
  }
  if (seen === 'let in' && exchange !== null) {
    const { role, variation } = exchange;
    const near = WORD_KEYS.some((word) => word === variation) ? WORD : ALIKE;
    const lets = variation === undefined ? (LETS_IN[role] ?? NO_CHECK) : near;
    return { why: LET_IN, usually: [lets, CACHED] };
  }
  if (seen === 'server error')
    return { why: SERVER_ERROR, usually: exchange?.request.query.length === 0 ? [] : [EDGE] };
  if (seen === 'answered') return { why, usually: [ANSWERED] };
  if (seen === 'refused otherwise') return { why: OTHERWISE, usually: usualRefusal(exchange) };
  return { why, usually };
}

function usualRefusal(exchange: Exchange | null): readonly string[] {
  if (exchange === null) return [];
  const code = errorCode(exchange);
  if (code === 0) return ['The refusal, with its error body, comes from a gateway or framework.'];
  return statusOfCode(exchange) !== null
    ? ['The service sets the code, and a gateway or framework in front of it sets the status.']
    : ['The refusal uses a different row of the table in §7.'];
}
