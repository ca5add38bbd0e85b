import type { UntestedCause } from '../spec/cause.ts';
import { STATUS } from '../spec/finding.ts';
import { knownAbout, LIMIT_ENFORCED, REQUIREMENTS } from './catalogue.ts';

/** What a run says of a requirement. */
interface Result {
  readonly id: string;
  readonly outcome: string;
  readonly cause: UntestedCause | null;
  /** Ids of exchanges it was judged on. */
  readonly exchanges: readonly string[];
  readonly findings: readonly {
    readonly exchange: string | null;
    readonly header?: string | undefined;
  }[];
  /** Ids of exchanges with findings that were not recorded. */
  readonly unrecorded?: readonly string[] | undefined;
}

/** The reason where requests cover a requirement, and a violation explains why they show nothing. */
export const KEPT = 'another violation keeps it from being judged';

/** The violated requirements among what keeps others from being judged: named, or found in the answer that is in the way. */
export function violatedIn(
  hinderedBy: readonly string[],
  requirements: readonly Result[],
): { readonly follows?: readonly string[] } {
  if (hinderedBy.length === 0) return {};
  const isCrash = ({ id }: Result): boolean => knownAbout(id).explains === 'server errors';
  // A wrong header keeps nothing else about an answer from being judged.
  const placesOf = ({ findings }: Result) =>
    findings.flatMap(({ header = STATUS, exchange }) => (header === STATUS ? [exchange] : []));
  // What else is wrong with a server error is not in the way.
  const crashes = new Set(requirements.filter(isCrash).flatMap(placesOf));
  const follows = requirements.filter(
    (one) =>
      (one.outcome === 'failed' || one.outcome === 'warned') &&
      [one.id, ...placesOf(one).filter((at) => isCrash(one) || !crashes.has(at))].some((at) =>
        hinderedBy.includes(at ?? ''),
      ),
  );
  return follows.length === 0 ? {} : { follows: follows.map(({ id }) => id) };
}

function isKeptSomewhere({ exchanges, findings, unrecorded = [] }: Result): boolean {
  const wrong = new Set([...findings.map(({ exchange }) => exchange), ...unrecorded]);
  return exchanges.some((id) => !wrong.has(id));
}

/**
 * The requirements whose violation explains why the run shows nothing about another; a limiter that refuses nothing, where
 * it states nothing closer that is violated.
 */
export function hindrancesOf(
  { id, cause }: Pick<Result, 'id' | 'cause'>,
  requirements: readonly Result[] = [],
): readonly string[] {
  if (cause?.kind !== 'data') return [];
  const { hinderedBy = [], needs = [], endpoints = [] } = knownAbout(id);
  // An endpoint that answers some requests rightly could have shown it there.
  const answers = new Set(requirements.filter(isKeptSomewhere).map((one) => one.id));
  const basic = REQUIREMENTS.filter(
    (one) =>
      one.basic === true &&
      !answers.has(one.id) &&
      one.endpoints?.some((path) => endpoints.includes(path)) === true,
  );
  const isExplained = violatedIn(hinderedBy, requirements).follows !== undefined;
  const limiter = needs.includes('window') && !isExplained ? [LIMIT_ENFORCED] : [];
  return [...hinderedBy, ...limiter, ...basic.map((one) => one.id)];
}
