import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '#src/spec/exchange.ts';
import { KEY_HEADER } from '#src/spec/limits.ts';
import { faultsNamed } from '#src/reference/catalog.ts';
import type { Modification } from '#src/reference/hooks.ts';
import {
  createReference,
  manualClock,
  type Reference,
  type ReferenceAnswer,
  type ReferenceRequest,
} from '#src/reference/reference.ts';
import type { Outcome } from '#src/report/model/results.ts';
import { isRequirementId, requirementOf } from '#src/requirements/catalogue.ts';
import { judgeAll } from '#src/requirements/judging.ts';
import { contextOf, type Context } from '#src/judge/context.ts';
import type { Facts } from '#src/judge/facts.ts';
import type { Judgement } from '#src/judge/judgement.ts';
import { UNIT_OPEN } from '#src/judge/series.ts';
import {
  beyondProcess,
  beyondReplay,
  TRADING_DAY,
  type ProofResult,
  type ProofTask,
} from './catalogue.ts';

/**
 * What a clean run asked, asked of a faulty server in this process, and judged by all rules. It costs a small part of a
 * run, and what it sees a run sees as well: that asks the same. A run may see more, since its checks follow up what they
 * are told.
 *
 * @throws Error when the answers of the clean run, given again, are not judged as clean
 */
export function provingBy(replay: Replay): (task: ProofTask) => ProofResult {
  const { clean, facts } = replay;
  const redClean = redBy(judgeAll(clean, facts));
  if (redClean.size > 0)
    throw new Error(`The clean run, replayed, is red: ${[...redClean.keys()].join(', ')}`);
  const isFresh = freshAfter(clean, facts);
  return (task) => {
    const { exchanges, effect, beyond } = replay.answered(task.faults);
    const red = redBy(judgeAll(exchanges, facts, isFresh(exchanges)));
    const faults = faultsNamed(task.faults);
    const needsRun = faults.flatMap((one) => beyondReplay(one) ?? [])[0] ?? beyond;
    const outcomes = Object.fromEntries(
      [...red.keys()].map((id): [string, Outcome] => [
        id,
        levelOf(id) === 'must' ? 'failed' : 'warned',
      ]),
    );
    const violated = Object.values(outcomes).includes('failed');
    return {
      task,
      verdict: violated ? 'violates' : 'conforms',
      exitCode: violated ? 1 : 0,
      sentence: 'A clean run was replayed.',
      outcomes,
      reasons: Object.fromEntries(red),
      validRequests: exchanges.filter(({ role }) => role === 'valid').length,
      // A key that is like a good one is redacted, and another one is sent in its place.
      ...((effect !== '' || !faults.some(looksAtKeys)) && { effect }),
      ...(needsRun !== null && { needsRun }),
    };
  };
}

/** Requirements that the rules turn red, with what they say. */
export function redBy({ requirements }: Judgement): ReadonlyMap<string, string> {
  const red = new Map<string, string>();
  for (const [id, { findings }] of requirements) {
    const [first] = findings;
    if (first !== undefined && levelOf(id) !== 'observe') red.set(id, first.message);
  }
  return red;
}

const levelOf = (id: string) => (isRequirementId(id) ? requirementOf(id).level : 'observe');

/** Whether a fault goes by the very key of a request. */
const looksAtKeys = ({ hooks = [] }: Modification): boolean =>
  [hooks].flat().some(({ key }) => key !== undefined);

/** What a server with faults answered to the requests of a clean run. */
export interface Answered {
  /**
   * In the order of the clean run. One whose answer is that of the server without faults is the same object each time:
   * what rules remember of it, such as its parsed body, is there already.
   */
  readonly exchanges: readonly Exchange[];
  /** The same text for servers that answer the same, `''` for the answers of the server without faults. */
  readonly effect: string;
  /** Why an answer does not stand for what a client would get; null when all of them do. */
  readonly beyond: string | null;
}

/** A request of the clean run as the server gets it. */
interface Asked {
  /** With the answer of the server without faults, once that was asked. */
  readonly exchange: Exchange;
  readonly request: ReferenceRequest;
  /** Time of the server, epoch ms. */
  readonly at: number;
}

/** What a clean run asked of the reference server, to be asked again of one with faults, at the same times. */
export class Replay {
  /** The clean run, with the answers that a replay gets: those of a run lack what depends on the key, for it is redacted. */
  readonly clean: readonly Exchange[];
  readonly #asked: readonly Asked[];
  /** What the clean run knew of its target. */
  readonly facts: Facts;
  readonly #world: Reference['world'];

  constructor(exchanges: readonly Exchange[], facts: Facts, { keys, world }: Reference) {
    this.facts = facts;
    this.#world = world;
    const valid = [
      ...new Set(
        exchanges.flatMap(({ role, key }) => (role === 'valid' && key !== null ? [key] : [])),
      ),
    ];
    const keyOf = ({ role, key }: Exchange): string | null =>
      ({
        valid: keys.valid[valid.indexOf(key ?? '')] ?? keys.valid[0] ?? '',
        disabled: keys.disabled,
        expired: keys.expired,
        restricted: keys.restricted.key,
        nearQuota: keys.nearQuota.key,
        unknown: 'no-such-key',
        none: null,
      })[role];
    const asked = exchanges.map((exchange) => askedIn(exchange, keyOf(exchange)));
    this.clean = this.#ask(asked, []).exchanges;
    this.#asked = asked.map((one, index) => ({
      ...one,
      exchange: this.clean[index] ?? one.exchange,
    }));
  }

  /** The exchanges of the clean run with the answers of a server with faults. */
  answered(faults: readonly string[]): Answered {
    return this.#ask(this.#asked, faults);
  }

  #ask(asked: readonly Asked[], faults: readonly string[]): Answered {
    const clock = manualClock(TRADING_DAY);
    const { requests, windowMs } = this.facts.limits;
    const server = createReference({
      clock,
      world: this.#world,
      limit: requests,
      windowMs,
      faults,
    });
    let beyond: string | null = null;
    const changed: unknown[] = [];
    const exchanges = asked.map(({ exchange, request, at }, index) => {
      if (exchange.response === null) return exchange;
      clock.advance(Math.max(0, at - clock.now()));
      const answer = server.handle(request);
      if (isAnswer(answer, exchange.response)) return exchange;
      beyond ??= beyondProcess(answer);
      changed.push([index, answer.status, inOrder(answer.headers), answer.body]);
      return withAnswer(exchange, exchange.response, answer);
    });
    const effect =
      changed.length === 0
        ? ''
        : createHash('sha256').update(JSON.stringify(changed)).digest('hex');
    return { exchanges, effect, beyond };
  }
}

/** Headers by name: their order counts for nothing. */
const inOrder = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).toSorted(([a], [b]) => (a < b ? -1 : 1));

function askedIn(exchange: Exchange, key: string | null): Asked {
  const { method, url, headers } = exchange.request;
  const { pathname, search } = new URL(url);
  return {
    exchange,
    at: Math.round(exchange.sentAt + exchange.skewMs),
    request: {
      method,
      path: `${pathname}${search}`,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) =>
          name.toLowerCase() === KEY_NAME ? [name, key ?? value] : [name, value],
        ),
      ),
    },
  };
}

const KEY_NAME = KEY_HEADER.toLowerCase();

type Response = NonNullable<Exchange['response']>;

/** True when this answer is the one that was recorded: the order of its headers counts for nothing. */
function isAnswer({ status, headers, body }: ReferenceAnswer, known: Response): boolean {
  if (status !== known.status || body !== known.text) return false;
  const names = Object.keys(headers);
  return (
    names.length === Object.keys(known.headers).length &&
    names.every((name) => headers[name] === known.headers[name])
  );
}

function withAnswer(
  exchange: Exchange,
  response: Response,
  { status, headers, body }: ReferenceAnswer,
): Exchange {
  const bytes = Buffer.byteLength(body);
  return { ...exchange, response: { ...response, status, headers, text: body, bytes } };
}

/** Tells of exchanges which of them are to be judged by themselves. */
type FreshAmong = (exchanges: readonly Exchange[]) => (exchange: Exchange) => boolean;

/**
 * Exchanges to be judged by themselves when those of a clean run, in their order, were judged and found without fault:
 * those with another answer, and those that the others now show in another light. The rest is only compared with them.
 */
export function freshAfter(clean: readonly Exchange[], facts: Facts): FreshAmong {
  const before = contextOf(facts, clean);
  return (exchanges) => {
    const changed = exchanges.filter((exchange, index) => exchange !== clean[index]);
    const fresh = new Set(changed);
    const inOtherLight = differently(before, contextOf(facts, exchanges));
    // In which unit a service reads a range decides which of them are judged at all.
    const unitOpen = changed.some(({ endpoint }) => endpoint === UNIT_OPEN);
    return (exchange) =>
      fresh.has(exchange) ||
      (unitOpen && exchange.endpoint === UNIT_OPEN) ||
      inOtherLight(exchange);
  };
}

/** Whether an exchange may be judged in another way because of what all of them say about keys and identifiers. */
function differently(
  { acceptedQueries: before, ...one }: Context,
  { acceptedQueries: after, ...other }: Context,
): (exchange: Exchange) => boolean {
  if (!isDeepStrictEqual(one, other)) return () => true;
  // Of the queries that were accepted only those of its own path matter to an exchange.
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  const moved = new Set(
    paths.filter((path) => !isDeepStrictEqual(before.get(path), after.get(path))),
  );
  return ({ request: { path } }) => moved.has(path);
}
