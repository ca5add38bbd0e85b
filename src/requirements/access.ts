import { exists } from '../../suites/4.7-purpose-only/requirements.ts';
import type { EndpointPath } from '../spec/endpoints.ts';
import { ERRORS } from '../spec/error-codes.ts';
import type { KeyRole } from '../spec/exchange.ts';
import type { RequirementId } from '../spec/requirement-id.ts';
import { describeError, matchesError, refusalOfKey } from '../judge/expectation.ts';
import { answered } from '../judge/shapes.ts';
import { refused } from '../../suites/families/refusal.ts';
import { restrictedElsewhere } from '../../suites/5-authentication/requirements.ts';
import { judgedAs } from './catalogue.ts';

/** Expected access of a key role to an endpoint (§5 rule 3), and the requirement about it. */
export interface Access {
  /** False when the key must be refused. */
  readonly allowed: boolean;
  /** The expected response: `2xx`, `401`, `401 400101`. */
  readonly short: string;
  /** The same as in findings: `status 401 and code 400101 (or 40101)`. */
  readonly words: string;
  /** The requirement that judges it; null when there is none. */
  readonly requirement: RequirementId | null;
  /** Whether a status and error code are expected. `code` is 0 when there is none. */
  readonly isDue: (status: number, code: number) => boolean;
}

/**
 * Expected access, derived from the rules and their requirements.
 *
 * @param forbidden path templates that the restricted key may not call
 */
export function accessOf(role: KeyRole, path: EndpointPath, forbidden: readonly string[]): Access {
  const refusal = refusalOfKey(role, path, forbidden);
  if (refusal === null) {
    return {
      allowed: true,
      short: '2xx',
      words: 'status 2xx',
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

/** The requirement that the endpoint responds successfully. */
const answerOf = (path: EndpointPath): RequirementId | null =>
  judgedAs(answered, path) ?? judgedAs(exists, path);
