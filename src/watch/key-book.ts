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
  /** Number of client addresses, up to 50. */
  readonly clients: number;
}

type Line = { -readonly [Name in keyof KeyLine]: KeyLine[Name] };

/** Maximum number of keys; the least recently used one is dropped. */
const MOST_KEYS = 500;
const MOST_CLIENTS = 50;

const NEW_LINE: Omit<KeyLine, 'key'> = {
  role: 'valid',
  isTold: false,
  requests: 0,
  accepted: 0,
  limited: 0,
  unauthorized: 0,
  forbidden: 0,
  clients: 0,
};

/** Counts facts about each key in bounded memory. Client addresses are counted, never written. */
export class KeyBook {
  readonly #lines = new Map<string, Line>();
  readonly #addresses = new Map<string, Set<string>>();
  /** Number of dropped keys. */
  forgotten: number;

  /** @param lines the keys of an earlier book */
  constructor(lines: readonly KeyLine[] = [], forgotten = 0) {
    this.forgotten = forgotten;
    for (const line of lines) this.#lines.set(line.key, { ...line });
  }

  take({ key, role, response }: Exchange, client: string): void {
    if (key === null) return;
    const line = this.#lines.get(key) ?? { ...NEW_LINE, key };
    // Most recently used last.
    this.#lines.delete(key);
    this.#lines.set(key, line);
    const [oldest = ''] = this.#lines.keys();
    if (this.#lines.size > MOST_KEYS && this.#lines.delete(oldest)) {
      this.#addresses.delete(oldest);
      this.forgotten += 1;
    }
    const status = response?.status ?? 0;
    line.requests += 1;
    line.accepted += Number(status >= 200 && status < 300);
    line.limited += Number(status === 429);
    line.unauthorized += Number(status === 401);
    line.forbidden += Number(status === 403);
    if (role !== 'valid') Object.assign(line, { role, isTold: true });
    const addresses = this.#addresses.get(key) ?? new Set();
    this.#addresses.set(key, addresses);
    if (addresses.size < MOST_CLIENTS) addresses.add(client);
    line.clients = Math.max(line.clients, addresses.size);
  }

  /** All keys, busiest first. */
  lines(): readonly KeyLine[] {
    return [...this.#lines.values()]
      .map((line) => ({ ...line, role: line.isTold ? line.role : inferredRole(line) }))
      .toSorted((a, b) => b.requests - a.requests);
  }
}

/** Role of a key inferred from its answers. A key that was never admitted may be unknown, disabled or expired. */
function inferredRole({ accepted, limited, unauthorized, forbidden }: KeyLine): KeyRole {
  if (forbidden > 0) return 'restricted';
  return accepted === 0 && limited === 0 && unauthorized > 0 ? 'unknown' : 'valid';
}
