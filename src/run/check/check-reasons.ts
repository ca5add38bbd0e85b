import { endpoint, type EndpointPath } from '../../spec/endpoints.ts';
import type { UntestedCause } from '../../spec/cause.ts';
import type { Need } from '../../ask/need.ts';
import type { Requirement } from '../../requirements/catalogue.ts';

/** Facts about all recorded traffic, for the reasons. */
export interface Shown {
  /** Endpoints with at least one judged answer. */
  readonly endpoints: ReadonlySet<EndpointPath>;
  /** Cause for requirements that no exchange covers. */
  readonly unseen: UntestedCause;
  /** What the exchanges are called: `recorded traffic`. */
  readonly called: string;
}

const KEYS: Readonly<Partial<Record<Need, string>>> = {
  'disabled-key': 'a request with a disabled key, set as keys.disabled in a target file',
  'expired-key': 'a request with an expired key, set as keys.expired in a target file',
  'restricted-key':
    'requests with a key without access to at least one endpoint, set as keys.restricted in a target file',
  'near-quota-key': 'all requests made with a key until its monthly quota is used up',
};

/** Why recorded traffic does not cover a requirement, and which request would. */
export function whyUntested(requirement: Requirement, shown: Shown): string {
  const { judge = [], endpoints = [], needs = [], shownBy } = requirement;
  const isWatched = shown.unseen.kind === 'unseen';
  if ([judge].flat().length === 0) {
    return `${shown.called} cannot show whether it holds; only a run can, with special requests`;
  }
  const key = needs.flatMap((need) => KEYS[need] ?? [])[0];
  const needed = key ?? shownBy;
  const missing = endpoints.length > 0 && !endpoints.some((one) => shown.endpoints.has(one));
  if (missing) {
    const [first] = endpoints;
    const others = endpoints.length > 1 ? ' or a similar endpoint' : '';
    const request = `GET ${first ?? ''}${others}`;
    if (isWatched) return `not seen yet: no client has requested ${request}`;
    const purpose = first === undefined ? '' : endpoint(first).purpose;
    return `not recorded: ${purpose}; needs ${request}`;
  }
  const what = isWatched ? 'not seen yet' : 'no recorded response shows whether it holds';
  return needed === undefined ? what : `${what}: needs ${needed}`;
}

/** Reason when a refusal may have had another cause than the fault in the request. */
export const NO_CONTROL =
  'was refused as required, but without a control: a correct request to the same endpoint that succeeds is needed to rule out other causes';
