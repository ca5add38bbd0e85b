import type { KeyRole } from '../../src/spec/exchange.ts';
import type { Finding } from '../../src/spec/finding.ts';
import { secretsIn } from '../../src/har/secrets.ts';
import { dice, stream } from '../../src/reference/data/prng.ts';
import type { Modification } from '../../src/reference/hooks.ts';
import { createReference, manualClock } from '../../src/reference/reference.ts';
import { DEFAULT_FACTS, type Facts } from '../../src/judge/facts.ts';
import { liveJudge, type LiveJudge } from '../../src/watch/live-judge.ts';
import { observer } from '../../src/watch/observer.ts';
import { rehearseRun } from '../../src/run/cost.ts';
import { WORLD } from '../kept/data.ts';

/** A request as clients send it. */
export interface Ask {
  readonly method: string;
  /** Below the base URL, with its query. */
  readonly path: string;
  readonly role: KeyRole;
}

/** Every request that a whole run asks: good and bad ones, of all kinds. In any order, they are as mixed as traffic gets. */
export async function requestsOfARun(): Promise<readonly Ask[]> {
  const whole = { profile: 'full', seed: 1, only: [], skip: [], maxRequests: null } as const;
  const { sent } = await rehearseRun({ target: null, ...whole }, false);
  return (sent?.exchanges ?? []).map(({ request: { method, url, path: below }, role }) => ({
    method,
    path: below + (url.includes('?') ? url.slice(url.indexOf('?')) : ''),
    role,
  }));
}

export interface Simulated {
  readonly seed: number;
  readonly asks: readonly Ask[];
  /** Requests in all. */
  readonly requests: number;
  readonly clients: number;
  /** Valid keys that the clients share. */
  readonly keys: number;
  /** Mean time between two requests of one client, ms. */
  readonly paceMs: number;
  readonly faults?: readonly string[];
  readonly variants?: readonly string[];
  readonly modifications?: readonly Modification[];
  readonly facts?: Facts;
  /** Share of the stretches in which what passes is not taken, as when the judge is behind. */
  readonly lost?: number;
  /** Requirement; when it is found to be violated, nothing more is sent. */
  readonly until?: string;
}

export interface Seen {
  readonly findings: readonly Finding[];
  readonly judge: LiveJudge;
  readonly taken: number;
  readonly limited: number;
  readonly leftOut: ReadonlyMap<string, number>;
}

const BASE_URL = 'http://service.example/v1';
/** Length of the stretches that are taken or lost as a whole, requests. */
const STRETCH = 60;

/**
 * Clients that share keys and send at once, against the reference server, in simulated time: requests overlap, windows are
 * used up and refused with 429, nobody waits for anybody.
 */
export function simulate(settings: Simulated): Seen {
  const { seed, asks, clients, paceMs } = settings;
  const clock = manualClock(Date.UTC(2026, 2, 11, 9, 30) + seed * 3_700_000);
  const { faults = [], variants = [], modifications = [] } = settings;
  const reference = createReference({ clock, world: WORLD, faults, variants, modifications });
  const facts = settings.facts ?? DEFAULT_FACTS;
  const secrets = secretsIn({ recent: true });
  const observe = observer(BASE_URL, secrets);
  const judge = liveJudge(facts);
  const roll = dice(stream(seed, 'traffic'));
  const findings: Finding[] = [];
  const leftOut = new Map<string, number>();
  let [taken, limited] = [0, 0];
  let lost = false;
  let missed = false;
  const valid = reference.keys.valid.slice(0, settings.keys);
  const keyOf = (role: KeyRole): string | undefined => {
    if (role === 'none') return undefined;
    if (role === 'valid') return valid[roll.int(0, valid.length - 1)];
    if (role === 'unknown') return 'no-such-key-1234567';
    const key = reference.keys[role];
    return typeof key === 'string' ? key : key.key;
  };
  // Answers that are on their way: taken in the order in which they arrive.
  const underWay: { at: number; take: () => void }[] = [];
  const arrive = (until: number): void => {
    underWay.sort((a, b) => a.at - b.at);
    while (underWay[0] !== undefined && underWay[0].at <= until) underWay.shift()?.take();
  };
  for (let number = 1; number <= settings.requests; number += 1) {
    if (findings.some(({ requirement }) => requirement === settings.until)) break;
    clock.advance(Math.round((roll.next() * 2 * paceMs) / clients));
    const now = clock.now();
    arrive(now);
    const ask = asks[roll.int(0, asks.length - 1)];
    if (ask === undefined) continue;
    const key = keyOf(ask.role);
    const answer = reference.handle({
      method: ask.method,
      path: `/v1${ask.path}`,
      headers: key === undefined ? {} : { 'x-api-key': key },
    });
    if (answer.status === 429) limited += 1;
    if (number % STRETCH === 1) lost = roll.next() < (settings.lost ?? 0);
    const isLost = lost;
    const sentAt = now - roll.int(0, 29);
    const receivedAt = now + roll.int(0, 119);
    const take = (): void => {
      if (isLost) {
        missed = true;
        return;
      }
      if (missed) findings.push(...judge.gap());
      missed = false;
      const observed = observe({
        number,
        method: ask.method,
        path: `/v1${ask.path}`,
        requestHeaders: [
          ['Host', 'service.example'],
          ...(key === undefined ? [] : [['X-API-KEY', key] as const]),
        ],
        status: answer.status,
        responseHeaders: Object.entries(answer.headers),
        body: Buffer.from(answer.body),
        sentAt,
        receivedAt,
        client: '127.0.0.1',
      });
      if (typeof observed === 'string') {
        leftOut.set(observed, (leftOut.get(observed) ?? 0) + 1);
        return;
      }
      taken += 1;
      judge.take(observed, receivedAt);
      if (judge.isDue(receivedAt)) findings.push(...judge.judge());
    };
    underWay.push({ at: receivedAt, take });
  }
  arrive(Number.POSITIVE_INFINITY);
  findings.push(...judge.judge());
  return { findings, judge, taken, limited, leftOut };
}

/** Findings as texts, for a test that wants none. */
export const inWords = (findings: readonly Finding[]): readonly string[] =>
  findings.map(
    ({ requirement, message, expected, actual }) =>
      `${requirement}: ${message}; expected ${expected}; got ${actual}`,
  );
