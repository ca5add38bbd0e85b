import { createHash } from 'node:crypto';
import type { EndpointPath } from '#src/contract/endpoints.ts';
import type { Exchange } from '#src/contract/exchange.ts';
import { createWorld } from '#src/reference/data/world.ts';
import type { OperatorFault } from '#src/reference/operators/operators.ts';
import {
  createReference,
  standingClock,
  type Reference,
  type ReferenceAnswer,
} from '#src/reference/reference.ts';
import { startEmbedded } from '#src/run/embedded.ts';
import type { Profile } from '#src/ask/profiles.ts';
import { TRADING_DAY } from './deployments.ts';
import { runSuitesOn } from './suite-run.ts';

/** A request of the clean run, to be asked again of other servers. */
export interface Asked {
  readonly endpoint: EndpointPath | null;
  readonly method: string;
  readonly path: string;
  readonly role: Exchange['role'];
  /** Time of the server, epoch ms. */
  readonly at: number;
}

/**
 * What a fault changes in the answers to a clean run: the same text for faults that change the same, `''` when nothing
 * changes. Faults of the same effect need one run: each request of it gets the same answers, so it comes out the same.
 * Undefined for faults of no endpoint, whose effect depends on how many requests were sent before.
 */
export type EffectOf = (fault: OperatorFault) => string | undefined;

/** Runs the suites once against the server without faults and keeps what they ask for. */
export async function effectsIn(profile: Profile, validKeys: number): Promise<EffectOf> {
  const embedded = await startEmbedded({ validKeys, seed: 1, now: TRADING_DAY });
  try {
    const { exchanges } = await runSuitesOn(embedded.target, { profile, seed: 1 });
    return effectsOn(exchanges.map(askedIn));
  } finally {
    await embedded.close();
  }
}

function askedIn({ endpoint, request, role, sentAt, skewMs }: Exchange): Asked {
  const { pathname, search } = new URL(request.url);
  const at = Math.max(TRADING_DAY, Math.round(sentAt + skewMs));
  return { endpoint, method: request.method, path: `${pathname}${search}`, role, at };
}

/** More requests than any run sends: nothing is refused, and what is left can still be told exactly. */
const MANY = 1_000_000;

/** Effects on the requests of a run. */
export function effectsOn(asked: readonly Asked[]): EffectOf {
  const world = createWorld(1);
  const answersOf = (faults: readonly string[], endpoint: EndpointPath): readonly string[] => {
    const clock = standingClock(TRADING_DAY);
    const server = createReference({ clock, world, faults, limit: MANY });
    return asked.flatMap((one) => {
      if (one.endpoint !== endpoint) return [];
      clock.advance(Math.max(0, one.at - clock.now()));
      return told(ask(server, one));
    });
  };
  const plain = new Map<EndpointPath, readonly string[]>();
  return ({ id, endpoint }) => {
    if (endpoint === null) return undefined;
    const usual = plain.get(endpoint) ?? answersOf([], endpoint);
    plain.set(endpoint, usual);
    const changed = answersOf([id], endpoint).flatMap((answer, index) =>
      answer === usual[index] ? [] : [index, answer],
    );
    if (changed.length === 0) return '';
    return createHash('sha256')
      .update(JSON.stringify([endpoint, changed]))
      .digest('hex');
  };
}

function ask(server: Reference, { method, path, role }: Asked): ReferenceAnswer {
  const { keys } = server;
  const key = {
    valid: keys.valid[0] ?? '',
    disabled: keys.disabled,
    expired: keys.expired,
    restricted: keys.restricted.key,
    // Its quota is spent sooner than a run asks; what it is shown is what any good key is.
    nearQuota: keys.valid[1] ?? '',
    unknown: 'no-such-key',
    none: null,
  }[role];
  return server.handle({ method, path, headers: key === null ? {} : { 'X-API-KEY': key } });
}

/** An answer without the order of its headers. The same requests come before it, so that the count of them is part of it. */
function told({ status, headers, body }: ReferenceAnswer): string {
  return JSON.stringify([
    status,
    Object.entries(headers).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    body,
  ]);
}
