import { exists } from '../../suites/4.7-purpose-only/requirements.ts';
import type { EndpointPath } from '../spec/endpoints.ts';
import { ERRORS } from '../spec/error-codes.ts';
import type { KeyRole } from '../spec/exchange.ts';
import type { RequirementId } from '../spec/requirement-id.ts';
import { describeError, matchesError, refusalOfKey } from '../judge/expectation.ts';
import { answered } from '../judge/shapes.ts';
import { refused } from '../../suites/families/refusal.ts';
import { restrictedElsewhere } from '../../suites/5-authentication/judge.ts';
import { judgedAs } from './catalogue.ts';

export { MAX_FINDINGS } from '../judge/judgement.ts';

/** What a key of one role is to get at one endpoint (§5 rule 3), and the requirement that says so. */
export interface Access {
  /** False where the key has to be turned away. */
  readonly allowed: boolean;
  /** The answer that is due, as few signs as will do: `2xx`, `401`, `401 400101`. */
  readonly short: string;
  /** The same as findings say it: `status 401 and code 400101 (or 40101)`. */
  readonly words: string;
  /** What an answer is held against; null when no requirement is about it. */
  readonly requirement: RequirementId | null;
  /** Whether an answer of this status and error code is the one that is due. `code` is 0 where there is none. */
  readonly isDue: (status: number, code: number) => boolean;
}

/**
 * What a key of the role is to get at the endpoint. Nothing is listed here: it follows from what the rules expect and
 * from the requirements that they judge.
 *
 * @param forbidden path templates that the restricted key may not call
 */
export function accessOf(role: KeyRole, path: EndpointPath, forbidden: readonly string[]): Access {
  const refusal = refusalOfKey(role, path, forbidden);
  if (refusal === null) {
    return {
      allowed: true,
      short: '2xx',
      words: 'an answer',
      requirement: role === 'restricted' ? judgedAs(restrictedElsewhere) : answerOf(path),
      isDue: (status) => status >= 200 && status < 300,
    };
  }
  const { error, wrong } = refusal;
  const words = describeError(error);
  const stated =
    error === 'unauthenticated' || error === 'invalid' || error === 'emptyKey'
      ? null
      : ERRORS[error];
  return {
    allowed: false,
    short: stated === null ? words.replace('status ', '') : `${stated.status} ${stated.code}`,
    words,
    requirement: judgedAs(refused(wrong)),
    isDue: (status, code) => matchesError(error, status, code),
  };
}

/** The requirement that the endpoint answers. */
const answerOf = (path: EndpointPath): RequirementId | null =>
  judgedAs(answered, path) ?? judgedAs(exists, path);
