import { randomUUID } from 'node:crypto';
import { Api } from '#src/ask/api.ts';
import type { SuiteInput } from '#src/ask/input.ts';
import { SuiteSession } from '#src/ask/session.ts';
import type { FixtureKind } from '#src/spec/endpoints.ts';
import type { Exchange } from '#src/spec/exchange.ts';
import type { Facts } from '#src/judge/facts.ts';
import { judgedAs } from '#src/requirements/catalogue.ts';
import { judgeFor } from '#src/requirements/judging.ts';
import type { Reference } from '#src/reference/reference.ts';
import { startEmbedded } from '#src/run/embedded.ts';
import { nameOf, checksInOrder } from '#src/suite/checks.ts';
import { TRADING_DAY } from '../kill/catalogue.ts';

/** What one check asks of a server without faults: ids of exchanges, those that other checks had asked for before as well. */
export interface AskedBy {
  readonly name: string;
  readonly asked: readonly string[];
  /** True when it may move the clock of the target, so that what comes after it is asked on another day. */
  readonly movesClock: boolean;
  /** True when its requests have to follow each other. */
  readonly atOnce: boolean;
  /** True when nothing else may be under way with its requests, as for what judges the limiter. */
  readonly alone: boolean;
}

/** Everything that all checks ask of a server without faults, and which of them asks for what. */
export interface Asked {
  readonly checks: readonly AskedBy[];
  readonly exchanges: readonly Exchange[];
  readonly facts: Facts;
  readonly reference: Reference;
}

/** Notes what was sent for an identifier of a kind with everybody who asks for one. */
function remembering<Answer>(
  seen: Set<string>,
  ask: (kind: FixtureKind) => Promise<Answer>,
): (kind: FixtureKind) => Promise<Answer> {
  const sentFor = new Map<FixtureKind, readonly string[]>();
  return async (kind) => {
    const known = sentFor.get(kind);
    if (known !== undefined) {
      for (const id of known) seen.add(id);
      return ask(kind);
    }
    const others = [...seen];
    seen.clear();
    const answer = await ask(kind);
    sentFor.set(kind, [...seen]);
    for (const id of others) seen.add(id);
    return answer;
  };
}

/**
 * Asks what the checks of all profiles ask, one after the other as a run does, and keeps who asked for what. Searches
 * are left out: what they draw follows from what remains of the run.
 */
export async function askAll(seed: number): Promise<Asked> {
  const embedded = await startEmbedded({ seed: 1, now: TRADING_DAY });
  const input: SuiteInput = {
    runId: randomUUID(),
    target: embedded.target,
    profile: 'full',
    seed,
    only: [],
    skip: [],
    maxRequests: null,
    path: null,
    tell: null,
  };
  const session = new SuiteSession(input);
  const seen = new Set<string>();
  const send = session.http.get.bind(session.http);
  session.http.get = async (...request) => {
    const exchange = await send(...request);
    seen.add(exchange.id);
    return exchange;
  };
  // Whoever needs an identifier needs what it was found with, although that is asked for once and then remembered.
  const lists = remembering(seen, session.http.fixtures.get.bind(session.http.fixtures));
  session.http.fixtures.get = lists;
  session.fixtures = remembering(seen, session.fixtures.bind(session));
  const checks: AskedBy[] = [];
  try {
    for (const bound of checksInOrder()) {
      if ('search' in bound.check) continue;
      seen.clear();
      const before = session.exchanges.length;
      await bound.check
        .ask({
          api: new Api(session),
          session,
          judged(judge, role) {
            const id = judgedAs(judge);
            if (id === null) return undefined;
            const exchanges = session.exchanges.filter(
              (one) => role === undefined || one.role === role,
            );
            return judgeFor(id, exchanges, session.context()).requirements.get(id);
          },
        })
        .catch(() => undefined);
      // Requests that a check sends past the memory of the session, such as those of a pinned key.
      for (const { id } of session.exchanges.slice(before)) seen.add(id);
      checks.push({
        name: nameOf(bound),
        asked: [...seen],
        movesClock: bound.check.movesClock === true,
        atOnce: bound.check.atOnce === true,
        alone: bound.check.asks === 'alone',
      });
    }
    return {
      checks,
      exchanges: [...session.exchanges],
      facts: session.facts,
      reference: embedded.reference,
    };
  } finally {
    await session.close();
    await embedded.close();
  }
}
