import { KEY_HEADER } from '#src/contract/limits.ts';
import type { Exchange } from '#src/contract/exchange.ts';
import { createWorld } from '#src/reference/data/world.ts';
import {
  createReference,
  standingClock,
  type Reference,
  type ReferenceAnswer,
  type ReferenceRequest,
} from '#src/reference/reference.ts';
import type { Facts } from '#src/rules/facts.ts';
import { beyondProcess } from './beyond-replay.ts';
import { TRADING_DAY } from './deployments.ts';

/** What a server with faults answered to the requests of a clean run. */
export interface Answered {
  /**
   * In the order of the clean run. One whose answer is that of the server without faults is the same object each time:
   * what rules remember of it, such as its parsed body, is there already.
   */
  readonly exchanges: readonly Exchange[];
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
  readonly #facts: Facts;
  readonly #world = createWorld(1);

  constructor(exchanges: readonly Exchange[], facts: Facts, { keys }: Reference) {
    this.#facts = facts;
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
    const clock = standingClock(TRADING_DAY);
    const { requests, windowMs } = this.#facts.limits;
    const server = createReference({
      clock,
      world: this.#world,
      limit: requests,
      windowMs,
      faults,
    });
    let beyond: string | null = null;
    const exchanges = asked.map(({ exchange, request, at }) => {
      if (exchange.response === null) return exchange;
      clock.advance(Math.max(0, at - clock.now()));
      const answer = server.handle(request);
      if (isAnswer(answer, exchange.response)) return exchange;
      beyond ??= beyondProcess(answer);
      return withAnswer(exchange, exchange.response, answer);
    });
    return { exchanges, beyond };
  }
}

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
        Object.entries(headers).flatMap(([name, value]) =>
          name.toLowerCase() === KEY_NAME && key !== null ? [[name, key]] : [[name, value]],
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
