import type { Exchange, KeyRole } from '../spec/exchange.ts';

/** Facts about a key from the traffic. Its role is inferred from answers. */
export interface KeyLine {
  /** Salted fingerprint. */
  readonly key: string;
  /** Role, inferred or from the target file. */
  readonly role: KeyRole;
  /** True if it is from the target file. */
  readonly isTold: boolean;
  readonly requests: number;
  readonly accepted: number;
  /** Refused by the limiter (429). */
  readonly limited: number;
  /** Refused with 401, and with 403. */
  readonly unauthorized: number;
  readonly forbidden: number;
  /** Number of client addresses, up to {@link MOST_CLIENTS}. */
  readonly clients: number;
  /** Maximum number of concurrent requests. */
  readonly atOnce: number;
  /** Time of its last request, epoch ms. */
  readonly lastAt: number;
}

type Line = { -readonly [Name in keyof KeyLine]: KeyLine[Name] } & {
  readonly addresses: Set<string>;
  readonly underWay: { sentAt: number; receivedAt: number }[];
};

/** Maximum number of keys; the least recently used one is dropped. */
const MOST_KEYS = 500;
export const MOST_CLIENTS = 50;
/** Number of recent requests of a key that are checked for overlaps. */
const RECENT = 64;

/** Counts facts about each key in bounded memory. Client addresses are counted, never written. */
export class KeyBook {
  readonly #lines = new Map<string, Line>();
  /** Number of dropped keys. */
  forgotten = 0;

  take({ key, role, response, sentAt, receivedAt }: Exchange, client: string): void {
    if (key === null) return;
    const line = this.#line(key);
    const status = response?.status ?? 0;
    line.requests += 1;
    if (status >= 200 && status < 300) line.accepted += 1;
    if (status === 429) line.limited += 1;
    if (status === 401) line.unauthorized += 1;
    if (status === 403) line.forbidden += 1;
    if (role !== 'valid') {
      line.role = role;
      line.isTold = true;
    }
    if (line.addresses.size < MOST_CLIENTS) line.addresses.add(client);
    line.clients = Math.max(line.clients, line.addresses.size);
    line.lastAt = Math.max(line.lastAt, receivedAt);
    const others = line.underWay.filter(
      (other) => other.sentAt < receivedAt && other.receivedAt > sentAt,
    );
    line.atOnce = Math.max(line.atOnce, others.length + 1);
    line.underWay.push({ sentAt, receivedAt });
    if (line.underWay.length > RECENT) line.underWay.shift();
  }

  /** All keys, busiest first. */
  lines(): readonly KeyLine[] {
    return [...this.#lines.values()]
      .map(({ addresses: _addresses, underWay: _underWay, ...line }) => ({
        ...line,
        role: line.isTold ? line.role : inferredRole(line),
      }))
      .toSorted((a, b) => b.requests - a.requests);
  }

  /** Imports the keys of another book. */
  restore(lines: readonly KeyLine[], forgotten: number): void {
    this.forgotten = forgotten;
    for (const line of lines) {
      this.#lines.set(line.key, { ...line, addresses: new Set(), underWay: [] });
    }
  }

  #line(key: string): Line {
    const known = this.#lines.get(key);
    if (known !== undefined) {
      this.#lines.delete(key);
      this.#lines.set(key, known);
      return known;
    }
    const [oldest] = this.#lines.keys();
    if (this.#lines.size >= MOST_KEYS && oldest !== undefined) {
      this.#lines.delete(oldest);
      this.forgotten += 1;
    }
    const made: Line = {
      key,
      role: 'valid',
      isTold: false,
      requests: 0,
      accepted: 0,
      limited: 0,
      unauthorized: 0,
      forbidden: 0,
      clients: 0,
      atOnce: 0,
      lastAt: 0,
      addresses: new Set(),
      underWay: [],
    };
    this.#lines.set(key, made);
    return made;
  }
}

/** Role of a key inferred from its answers. A key that was never admitted may be unknown, disabled or expired. */
function inferredRole({ accepted, limited, unauthorized, forbidden }: KeyLine): KeyRole {
  if (forbidden > 0) return 'restricted';
  return accepted === 0 && limited === 0 && unauthorized > 0 ? 'unknown' : 'valid';
}
