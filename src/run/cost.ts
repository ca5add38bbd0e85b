import { boundsOf, type Profile } from '../ask/profiles.ts';
import { KEY_ROLES, type KeyRole } from '../spec/exchange.ts';
import { rehearse, type Rehearsed } from '../suite/rehearsal.ts';
import { SuiteRun } from '../suite/suite-run.ts';
import type { World } from '../reference/world.ts';
import type { Target } from '../target/target.ts';
import { localReference } from './embedded.ts';

/** What a run sends as planned, and how long the rate limit makes that take. */
export interface Cost {
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
  readonly validKeys: number;
  /** Windows of the rate limit that the requests fill: those of the valid keys, or of the restricted one if it needs more. */
  readonly windows: number;
  /** Whose requests fill them. */
  readonly busiest: 'valid' | 'restricted';
  /** Least time that the rate limit leaves room for, ms: the last window need not be waited out. */
  readonly waitMs: number;
  /** Share of one key's monthly quota, 0 to 1. */
  readonly quotaShare: number;
}

/** What decides what a run costs. */
export interface CostOptions {
  /** Null: the embedded reference server is what will be run against. */
  readonly target: Target | null;
  readonly profile: Profile;
  readonly seed: number;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly maxRequests: number | null;
  /** Case of a property that is tried again; all of them by default. */
  readonly path?: string | null;
  /** Data of the reference server that were made before; made anew by default. */
  readonly world?: World;
}

/** What a rehearsal leaves behind. */
export interface Rehearsal {
  readonly checks: readonly Rehearsed[];
  readonly sent: SuiteRun['sent'];
  /** The target that is planned for: its keys and limits say how long the requests take. */
  readonly target: Target;
}

/**
 * Rehearses a run: all that the suites ask is asked of the reference server, with as many keys of each role as the target
 * has. Nothing is sent to the target, and nothing leaves this process.
 *
 * @param judges false to count requests only, in half of the time
 */
export async function rehearseRun(options: CostOptions, judges: boolean): Promise<Rehearsal> {
  const { target, profile, seed, only, skip, maxRequests, path = null } = options;
  const reference = await localReference(options.world);
  const stand = target === null ? reference : standIn(reference, target);
  const input = { target: stand, profile, seed, only, skip, maxRequests, path };
  const run = new SuiteRun({ ...input, runId: 'plan', tell: null });
  try {
    const checks = await rehearse(run, judges);
    return { checks, sent: run.sent, target: target ?? reference };
  } finally {
    await run.close();
  }
}

/**
 * What a run costs by what its rehearsal sent: the same numbers for a plan, and for the run that says them before it
 * begins.
 */
export function costOf(
  { sent, target: { keys, limits } }: Rehearsal,
  { profile, maxRequests }: Pick<CostOptions, 'profile' | 'maxRequests'>,
): Cost {
  const requests = inOrderOfRoles(sent?.session.byRole ?? {});
  const bounds = boundsOf(profile, maxRequests);
  const valid = requests.valid ?? 0;
  const validKeys = Math.max(1, keys.valid.length);
  const ofValid = Math.ceil(valid / (limits.requests * validKeys));
  const ofRestricted = Math.ceil((requests.restricted ?? 0) / limits.requests);
  const windows = Math.max(ofValid, ofRestricted);
  return {
    requests,
    // Where nothing is asked, nothing is asked again.
    conditional:
      Object.keys(requests).length === 0
        ? { data: 0, repeat: 0, limiter: 0 }
        : {
            data: Math.max(0, bounds.planned - valid),
            repeat: bounds.repeat,
            limiter: Math.min(bounds.limiter, Math.max(0, bounds.total - valid)),
          },
    validKeys,
    windows,
    busiest: ofRestricted > ofValid ? 'restricted' : 'valid',
    waitMs: Math.max(0, windows - 1) * limits.windowMs,
    quotaShare: valid / validKeys / limits.monthlyQuota,
  };
}

/** What a run will cost: the numbers of its plan without what it will look at and what stays untested. */
export async function costOfRun(options: CostOptions): Promise<Cost> {
  return costOf(await rehearseRun(options, false), options);
}

/** Counts in the order of the roles: which of them asks first depends on what is on its way. */
const inOrderOfRoles = (counts: Cost['requests']): Cost['requests'] =>
  Object.fromEntries(
    KEY_ROLES.flatMap((role) => (counts[role] === undefined ? [] : [[role, counts[role]]])),
  );

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
