import type { Check } from '../ask/check.ts';
import type { Need } from '../ask/need.ts';
import { endpoint, type EndpointPath } from '../spec/endpoints.ts';
import type { ScenarioName } from '../spec/scenarios.ts';
import type { Basis, Level } from '../spec/levels.ts';
import type { FindingKind } from '../judge/messages.ts';
import type { Judge } from '../judge/judge.ts';

/** A defect of whole answers, from which follows what is found in them. */
export type Explains =
  | 'bodies that are not JSON'
  | 'wrapped bodies'
  | 'error bodies of another shape'
  | 'custom error codes'
  | 'server errors';

/** Help for the reader of a red result. Nothing here decides a verdict. */
export interface Advice {
  /** What goes wrong for consumers when the requirement is violated. */
  readonly why: string;
  /** What a red result has usually turned out to be, the likeliest first. */
  readonly usually: readonly string[];
  /** The same for a kind of finding, or for whatever is wrong in the content of a response, in place of `usually`. */
  readonly usuallyFor?: Readonly<Partial<Record<FindingKind | 'content', readonly string[]>>>;
  /** What recorded traffic has to hold before it can be judged, completing "needs …"; an answer of its endpoints by default. */
  readonly shownBy?: string;
}

/** Everything that is said about a requirement, in one place. */
export interface Definition extends Advice {
  readonly level: Level;
  readonly basis: Basis;
  /** The requirement in one sentence, in words of this project. */
  readonly title: string;
  /** Clauses of the specification it covers; keys of the outline, see `clauses.ts`. */
  readonly clauses: readonly string[];
  /** Endpoints whose answers it is about; all by default. What any other endpoint answers does not count. */
  readonly endpoints?: readonly EndpointPath[];
  /** Numbers of the rulings (`rulings.ts`) that decide how it is judged. */
  readonly rulings?: readonly number[];
  readonly needs?: readonly Need[];
  /** Requirements whose violation may keep it from being judged: wrong figures show nothing about others. */
  readonly hinderedBy?: readonly string[];
  /** True for the plain request of an endpoint: while it fails, nothing else about the endpoint can be judged. */
  readonly basic?: true;
  /** What an earlier run has to see first, in the full profile: it is judged on how that went on. */
  readonly seenFirst?: string;
  /**
   * How often a request is sent to show a violation again, where once shows nothing: once more than a window admits, or
   * then after the reset, too. By default what needs a full window is sent once more than it admits.
   */
  readonly repeat?: 'window' | 'after-reset';
  /** What else is found in the same answers follows from it when it is violated. */
  readonly explains?: Explains;
  /** What a run asks to see whether it is kept; answers to other requests are judged all the same. */
  readonly checks?: readonly Check[];
  /** Load scenarios that show a violation, the surest first. */
  readonly load?: readonly ScenarioName[];
  /** False for what recordings do not keep. */
  readonly recorded?: false;
  /** What decides whether exchanges keep it. Without any, its checks do. */
  readonly judge?: Judge | readonly Judge[];
}

/** True for a requirement on the number of requests in a window (ruling 13), which requests of any check may decide. */
export const isOfCount = ({ repeat, needs = [], rulings = [] }: Partial<Definition>): boolean =>
  rulings.includes(13) && (repeat !== undefined || needs.includes('window'));

/** A requirement without its level, which `must` and `should` give it. */
export type Stated = Omit<Definition, 'level' | 'basis'> & { readonly basis?: Basis };

/** A stated requirement. */
export const must = (stated: Stated): Definition => ({ level: 'must', basis: 'stated', ...stated });

/** A requirement that follows from a stated meaning. */
export const should = (stated: Stated): Definition => ({
  level: 'should',
  basis: 'implied',
  ...stated,
});

/** A question on which the specification is silent. */
export const observe = (stated: Omit<Stated, 'why' | 'usually'>): Definition => ({
  level: 'observe',
  basis: 'silent',
  ...OBSERVED,
  ...stated,
});

/** What a requirement is about: endpoints, with the identifiers that their paths need. */
export function ofEndpoints(
  ...endpoints: readonly EndpointPath[]
): Pick<Definition, 'endpoints' | 'needs'> {
  const needs = [...new Set(endpoints.flatMap((path) => Object.values(endpoint(path).path)))];
  return needs.length === 0 ? { endpoints } : { endpoints, needs };
}

/** Requirements that are about the same endpoints. */
export function about<Id extends string>(
  endpoints: readonly EndpointPath[],
  requirements: Readonly<Record<Id, Definition>>,
): Readonly<Record<Id, Definition>> {
  const common = ofEndpoints(...endpoints);
  const entries = Object.entries<Definition>(requirements);
  return Object.fromEntries(entries.map(([id, one]) => [id, { ...common, ...one }])) as Record<
    Id,
    Definition
  >;
}

/** What an observation is for: it is never red. */
const OBSERVED: Advice = {
  why: 'The specification is silent or contradicts itself here. The behaviour is recorded so that changes are noticed. An observation never fails a run.',
  usually: [
    'If the reading is "mixed", the target behaves in two ways: see the exchanges listed for the reading.',
  ],
};
