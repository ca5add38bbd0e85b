import { PROFILES, type Profile } from './profiles.ts';
import { notSelected, type UntestedCause } from '../spec/cause.ts';
import type { Exchange, KeyRole } from '../spec/exchange.ts';
import { leftOutBy } from './patterns.ts';
import type { KnownRun } from '../http/record/known-answers.ts';
import type { EarlierRow } from '../judge/facts.ts';
import type { Target } from '../target/target.ts';

/** Default maximum of parallel requests, small enough for any service. */
export const CONCURRENCY = 6;

/** Input of the suites. Contains keys, so it is never written anywhere. */
export interface SuiteInput {
  /** Id of the run. */
  readonly runId: string;
  readonly target: Target;
  readonly profile: Profile;
  readonly seed: number;
  /** Ids, prefixes such as `4.3` or globs; empty for all. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** Maximum number of requests with valid keys; null for no limit. */
  readonly maxRequests: number | null;
  /** Maximum number of requests with the restricted key; default: no limit. */
  readonly maxRestricted?: number;
  /** Maximum number of parallel requests; default: {@link CONCURRENCY}. */
  readonly concurrency?: number | undefined;
  /** The case of a property to repeat (`--path`); null for all cases. */
  readonly path: string | null;
  /** Called with live events, or null. */
  readonly tell: ((event: LiveEvent) => void) | null;
  /** Recorded exchanges of an earlier run, to resume or replay. */
  readonly known?: KnownRun;
  /** Journal file, and the salt of its fingerprints. */
  readonly journal?: { readonly path: string; readonly salt: string };
  /** Rows that earlier runs of the same target saw unsettled (§4.4 rule 1). */
  readonly earlierRows?: readonly EarlierRow[];
}

/** Live events of a run. Results are part of the checks instead. */
export type LiveEvent =
  | {
      readonly type: 'sent';
      /** Redacted, as recorded. */
      readonly exchange: Exchange;
      /** Requests so far, including an earlier part of the run. */
      readonly byRole: Readonly<Partial<Record<KeyRole, number>>>;
    }
  | {
      readonly type: 'wait';
      readonly role: KeyRole;
      readonly untilMs: number;
      readonly ms: number;
    };

/** Why the run does not include a check, or `undefined`. */
export function selection(
  id: string,
  profile: Profile,
  input: SuiteInput,
): { readonly reason: string; readonly cause: UntestedCause } | undefined {
  const by = leftOutBy(id, input);
  if (by !== undefined) return { reason: `left out by --${by}`, cause: notSelected(by) };
  if (PROFILES.indexOf(profile) > PROFILES.indexOf(input.profile)) {
    const reason = `left out by the profile ${input.profile}`;
    return { reason, cause: notSelected('profile', profile) };
  }
  return undefined;
}
