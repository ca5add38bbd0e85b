import type { SuiteInput } from '../ask/input.ts';
import { boundsOf } from '../ask/profiles.ts';
import { KEY_ROLES, type KeyRole } from '../spec/exchange.ts';
import { rehearse } from '../suite/rehearsal.ts';
import { SuiteRun } from '../suite/suite-run.ts';
import type { World } from '../reference/world.ts';
import type { Target } from '../target/target.ts';
import { localReference } from './embedded.ts';

/** Planned requests of a run, and the time they take under the rate limit. */
export interface Cost {
  readonly requests: Readonly<Partial<Record<KeyRole, number>>>;
  /**
   * Maximum of additional requests with valid keys: follow-ups that depend on the target's data, retries of
   * transient failures, and requests to test the rate limiter where the planned ones did not. A run never sends more.
   */
  readonly conditional: {
    readonly data: number;
    readonly repeat: number;
    readonly limiter: number;
  };
  readonly validKeys: number;
  /** Rate-limit windows needed by the valid keys, or by the restricted key if it needs more. */
  readonly windows: number;
  readonly busiest: 'valid' | 'restricted';
  /** Minimum time under the rate limit, ms; there is no wait after the last window. */
  readonly waitMs: number;
  /** Share of one key's monthly quota, 0 to 1. */
  readonly quotaShare: number;
}

/** What the cost of a run depends on. */
export interface CostOptions extends Pick<
  SuiteInput,
  'profile' | 'seed' | 'only' | 'skip' | 'maxRequests'
> {
  /** Null for the embedded reference server. */
  readonly target: Target | null;
  /** Case of a property to repeat; default: all cases. */
  readonly path?: string | null;
  /** Existing data of the reference server; default: generated. */
  readonly world?: World;
}

/**
 * Rehearses a run against the reference server in this process, with as many keys of each role as the target has.
 * Nothing is sent to the target.
 * @param judges false to only count requests, which takes half the time
 */
export async function rehearseRun(options: CostOptions, judges: boolean) {
  const { target, profile, seed, only, skip, maxRequests, path = null } = options;
  const reference = await localReference(options.world);
  const embedded = target === null ? reference : costTarget(reference, target);
  const input = { target: embedded, profile, seed, only, skip, maxRequests, path };
  const run = new SuiteRun({ ...input, runId: 'plan', tell: null });
  try {
    const checks = await rehearse(run, judges);
    return { checks, sent: run.sent, target: target ?? reference };
  } finally {
    await run.close();
  }
}

type Rehearsal = Awaited<ReturnType<typeof rehearseRun>>;

/** The cost of a run from its rehearsal; the keys and limits of the target determine the time. */
export function costOf(
  { sent, target: { keys, limits } }: Rehearsal,
  { profile, maxRequests }: Pick<CostOptions, 'profile' | 'maxRequests'>,
): Cost {
  const counts = sent?.session.byRole ?? {};
  // In a fixed order of roles: the order of requests depends on timing.
  const requests: Cost['requests'] = Object.fromEntries(
    KEY_ROLES.flatMap((role) => (counts[role] === undefined ? [] : [[role, counts[role]]])),
  );
  const bounds = boundsOf(profile, maxRequests);
  const valid = requests.valid ?? 0;
  const validKeys = Math.max(1, keys.valid.length);
  const ofValid = Math.ceil(valid / (limits.requests * validKeys));
  const ofRestricted = Math.ceil((requests.restricted ?? 0) / limits.requests);
  const windows = Math.max(ofValid, ofRestricted);
  return {
    requests,
    // Without requests there are no follow-ups.
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

/** The cost of a run, without the other parts of a plan. */
export async function costOfRun(options: CostOptions): Promise<Cost> {
  return costOf(await rehearseRun(options, false), options);
}

/** The reference server with as many valid keys as the target and with its other roles only. */
function costTarget(reference: Target, target: Target): Target {
  const { valid, ...others } = reference.keys;
  const roles = Object.entries(others).filter(
    ([role]) => target.keys[role as keyof typeof others] !== undefined,
  );
  // The reference has a fixed number of keys; more keys change the time, not the requests.
  const keys = { ...Object.fromEntries(roles), valid: valid.slice(0, target.keys.valid.length) };
  return { ...reference, keys };
}
