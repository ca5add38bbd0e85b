import { KEY_HEADER } from '#src/contract/limits.ts';
import type { Exchange } from '#src/contract/exchange.ts';
import { createWorld } from '#src/reference/data/world.ts';
import { createReference, standingClock, type Reference } from '#src/reference/reference.ts';
import type { Facts } from '#src/rules/facts.ts';
import { TRADING_DAY } from './deployments.ts';

/** What a clean run asked of the reference server, to be asked again of one with faults, at the same times. */
export class Replay {
  readonly #exchanges: readonly Exchange[];
  readonly #facts: Facts;
  readonly #keyOf: (exchange: Exchange) => string | null;
  readonly #world = createWorld(1);

  constructor(exchanges: readonly Exchange[], facts: Facts, { keys }: Reference) {
    this.#exchanges = exchanges;
    this.#facts = facts;
    const valid = [
      ...new Set(
        exchanges.flatMap(({ role, key }) => (role === 'valid' && key !== null ? [key] : [])),
      ),
    ];
    this.#keyOf = ({ role, key }) =>
      ({
        valid: keys.valid[valid.indexOf(key ?? '')] ?? keys.valid[0] ?? '',
        disabled: keys.disabled,
        expired: keys.expired,
        restricted: keys.restricted.key,
        nearQuota: keys.nearQuota.key,
        unknown: 'no-such-key',
        none: null,
      })[role];
  }

  /** The exchanges of the clean run with the answers of a server with faults. */
  answered(faults: readonly string[]): Exchange[] {
    const clock = standingClock(TRADING_DAY);
    const { requests, windowMs } = this.#facts.limits;
    const server = createReference({
      clock,
      world: this.#world,
      limit: requests,
      windowMs,
      faults,
    });
    return this.#exchanges.map((exchange) => {
      if (exchange.response === null) return exchange;
      clock.advance(Math.max(0, Math.round(exchange.sentAt + exchange.skewMs) - clock.now()));
      const { pathname, search } = new URL(exchange.request.url);
      const key = this.#keyOf(exchange);
      const { status, headers, body } = server.handle({
        method: exchange.request.method,
        path: `${pathname}${search}`,
        headers: Object.fromEntries(
          Object.entries(exchange.request.headers).flatMap(([name, value]) =>
            name.toLowerCase() !== KEY_NAME ? [[name, value]] : key === null ? [] : [[name, key]],
          ),
        ),
      });
      const text = body ?? '';
      return {
        ...exchange,
        response: { ...exchange.response, status, headers, text, bytes: Buffer.byteLength(text) },
      };
    });
  }
}

const KEY_NAME = KEY_HEADER.toLowerCase();
