import { PROFILES, type Profile } from './profiles.ts';
import { notSelected, type UntestedCause } from '../spec/cause.ts';
import type { Exchange, KeyRole } from '../spec/exchange.ts';
import { selects } from './patterns.ts';
import type { KnownRun } from '../http/record/known-answers.ts';
import type { EarlierRow } from '../judge/facts.ts';
import type { Target } from '../target/target.ts';

/** Requests that a run has under way at a time at most: what a service of any size answers without noticing. */
export const CONCURRENCY = 6;

/** What a run hands to the suites. Holds keys: it lives in memory only. */
export interface SuiteInput {
  /** Names the run: checks of one run share one session. */
  readonly runId: string;
  readonly target: Target;
  readonly profile: Profile;
  readonly seed: number;
  /** Ids, prefixes such as `4.3` or globs; empty for all. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** Bound on requests with valid keys; null for none. */
  readonly maxRequests: number | null;
  /** Bound on requests with the restricted key; none by default. */
  readonly maxRestricted?: number;
  /** Most requests at a time; {@link CONCURRENCY} by default. With 1, each waits for the answer to the one before. */
  readonly concurrency?: number;
  /** The one case of a property to try again, as `--path` names it; null for all of them. */
  readonly path: string | null;
  /** Told of live events as they happen; null when nobody listens. */
  readonly tell: ((event: LiveEvent) => void) | null;
  /** What an earlier run is known to have asked and got; left out for a run of its own. */
  readonly known?: KnownRun;
  /** File that everything sent is written to as it happens, and the salt of fingerprints in it. */
  readonly journal?: { readonly path: string; readonly salt: string };
  /** Rows that earlier runs of the same target saw unsettled (§4.4 rule 1). */
  readonly earlierRows?: readonly EarlierRow[];
}

/** Live events of a run, for those who watch it: results travel with the checks. */
export type LiveEvent =
  | {
      readonly type: 'sent';
      /** As it is recorded: redacted. */
      readonly exchange: Exchange;
      /** Requests so far, those of an earlier part of the run included. */
      readonly byRole: Readonly<Partial<Record<KeyRole, number>>>;
    }
  | {
      readonly type: 'wait';
      readonly role: KeyRole;
      readonly untilMs: number;
      readonly ms: number;
    };

/** Why the run leaves a check out, or `undefined` when it runs. */
export function selection(
  id: string,
  profile: Profile,
  input: SuiteInput,
): { readonly reason: string; readonly cause: UntestedCause } | undefined {
  if (input.only.length > 0 && !input.only.some((pattern) => selects(pattern, id))) {
    return { reason: 'left out by --only', cause: notSelected('only') };
  }
  if (input.skip.some((pattern) => selects(pattern, id))) {
    return { reason: 'left out by --skip', cause: notSelected('skip') };
  }
  if (PROFILES.indexOf(profile) > PROFILES.indexOf(input.profile)) {
    return {
      reason: `left out by the profile ${input.profile}; use --profile ${profile}`,
      cause: notSelected('profile'),
    };
  }
  return undefined;
}
