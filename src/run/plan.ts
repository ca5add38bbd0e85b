import type { KeyRole } from '../contract/exchange.ts';
import { PROFILE_BOUNDS, type Profile } from '../ask/profiles.ts';
import type { Target } from '../target/target.ts';
import { startEmbedded } from './embedded.ts';
import { run } from './run.ts';

/** What a run will cost, before anything is sent to the target. */
export interface Plan {
  readonly profile: Profile;
  readonly requests: Readonly<Partial<Record<KeyRole, number>>>;
  /**
   * Requests with valid keys that may come on top, at most: a second look where the data of the target asks for one,
   * repeats of what failed in passing, and requests that show how the limiter counts and refuses where the planned ones
   * did not. A run never sends more, whatever the target answers.
   */
  readonly conditional: {
    readonly data: number;
    readonly repeat: number;
    readonly limiter: number;
  };
  /** Checks that run. */
  readonly checks: number;
  readonly validKeys: number;
  /** Windows of the rate limit that the requests fill: those of the valid keys, or of the restricted one if it needs more. */
  readonly windows: number;
  /** Whose requests fill them. */
  readonly busiest: 'valid' | 'restricted';
  /** Least time that the rate limit leaves room for, ms: the last window need not be waited out. */
  readonly waitMs: number;
  /** Share of one key's monthly quota, 0 to 1. */
  readonly quotaShare: number;
  /** Requirements that stay untested, with the reason. */
  readonly untested: readonly { readonly id: string; readonly reason: string }[];
}

export interface PlanOptions {
  /** Null: the embedded reference server is what will be run against. */
  readonly target: Target | null;
  readonly profile: Profile;
  readonly seed: number;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly maxRequests: number | null;
}

/**
 * Plans a run by doing it: the suites run against the embedded reference server with as many keys of each role, the
 * same fixtures missing and the same limits as the target has. Nothing is sent to the target. The count is exact for a
 * target that answers as the reference does; a target that fails a control or lacks a list sends less.
 */
export async function planRun(options: PlanOptions): Promise<Plan> {
  const { target, profile, seed, only, skip, maxRequests } = options;
  const embedded = await startEmbedded();
  try {
    const stand = target === null ? embedded.target : standIn(embedded.target, target);
    const results = await run({
      target: stand,
      reference: true,
      profile,
      seed,
      only,
      skip,
      maxRequests,
      failOn: ['must'],
    });
    const requests = results.requests.byRole;
    const bounds = PROFILE_BOUNDS[profile];
    const valid = requests.valid ?? 0;
    const validKeys = stand.keys.valid.length;
    const { limits } = target ?? stand;
    const ofValid = Math.ceil(valid / (limits.requests * validKeys));
    const ofRestricted = Math.ceil((requests.restricted ?? 0) / limits.requests);
    const windows = Math.max(ofValid, ofRestricted);
    return {
      profile,
      requests,
      conditional: {
        data: Math.max(0, bounds.planned - (requests.valid ?? 0)),
        repeat: bounds.repeat,
        limiter: bounds.limiter,
      },
      checks: results.requirements.reduce(
        (sum, { checks }) => sum + checks.filter(({ outcome }) => outcome !== 'untested').length,
        0,
      ),
      validKeys,
      windows,
      busiest: ofRestricted > ofValid ? 'restricted' : 'valid',
      waitMs: Math.max(0, windows - 1) * limits.windowMs,
      quotaShare: valid / validKeys / limits.monthlyQuota,
      untested: results.requirements
        .filter(
          ({ outcome, cause }) =>
            outcome === 'untested' &&
            !(cause?.kind === 'not-selected' && (cause.by === 'only' || cause.by === 'skip')),
        )
        .map(({ id, reason }) => ({ id, reason: reason ?? '' })),
    };
  } finally {
    await embedded.close();
  }
}

/** The reference server with the keys that the target has: as many valid ones, and only the roles that are given. */
function standIn(reference: Target, target: Target): Target {
  const issued = reference.keys;
  const { disabled, expired, restricted, nearQuota, valid } = target.keys;
  return {
    ...reference,
    keys: {
      // The reference has a fixed number of keys: a larger pool changes the time, not the requests.
      valid: issued.valid.slice(0, valid.length),
      ...(disabled !== undefined && issued.disabled !== undefined
        ? { disabled: issued.disabled }
        : {}),
      ...(expired !== undefined && issued.expired !== undefined ? { expired: issued.expired } : {}),
      ...(restricted !== undefined && issued.restricted !== undefined
        ? { restricted: issued.restricted }
        : {}),
      ...(nearQuota !== undefined && issued.nearQuota !== undefined
        ? { nearQuota: issued.nearQuota }
        : {}),
    },
  };
}
