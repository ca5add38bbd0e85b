import { endpoint, type EndpointPath } from '../../spec/endpoints.ts';
import type { UntestedCause } from '../../spec/cause.ts';
import type { Need } from '../../ask/need.ts';
import type { Requirement } from '../../requirements/catalogue.ts';

/** What recorded traffic as a whole shows, as far as reasons need it. */
export interface Shown {
  /** Endpoints of which at least one answer was judged. */
  readonly endpoints: ReadonlySet<EndpointPath>;
  /** True when all of it is the traffic of a run of Assay. */
  readonly complete: boolean;
  /** Why a requirement that no exchange shows is untested. */
  readonly unseen: UntestedCause;
  /** What all the exchanges together are called: `recorded traffic`. */
  readonly called: string;
}

const KEYS: Readonly<Partial<Record<Need, string>>> = {
  'disabled-key': 'a request with a disabled key: name the key as keys.disabled in a target file',
  'expired-key': 'a request with an expired key: name the key as keys.expired in a target file',
  'restricted-key':
    'requests with a key without access to some endpoint: name the key as keys.restricted in a target file',
  'near-quota-key': 'all requests of a key up to the end of its monthly quota',
};

/** Why traffic that others sent says nothing about a requirement, and which request would change that. */
export function whyUntested(requirement: Requirement, shown: Shown): string {
  const { judge = [], endpoints = [], needs = [], shownBy } = requirement;
  const isWatched = shown.unseen.kind === 'unseen';
  if ([judge].flat().length === 0) {
    return `${shown.called} cannot show it: a run asks for it with requests of its own`;
  }
  const key = needs.flatMap((need) => KEYS[need] ?? [])[0];
  const needed = key ?? shownBy;
  const missing = endpoints.length > 0 && !endpoints.some((one) => shown.endpoints.has(one));
  if (missing) {
    const [first] = endpoints;
    const others = endpoints.length > 1 ? ' or another endpoint of its kind' : '';
    const request = `GET ${first ?? ''}${others}`;
    if (isWatched) return `not seen yet: no client asked for it (${request})`;
    const purpose = first === undefined ? '' : endpoint(first).purpose;
    return `no answer with ${purpose} was recorded: needs ${request}`;
  }
  const what = isWatched ? 'not seen yet' : 'no recorded answer shows it';
  return needed === undefined ? what : `${what}: needs ${needed}`;
}

/** Reason when a refusal was seen without proof that it is about what was wrong with the request. */
export const NO_CONTROL =
  'was refused as it should, but without a control: needs a good request to the same endpoint that succeeds, so that the refusal cannot have another cause';
