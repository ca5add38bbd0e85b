import type { Exchange, KeyRole } from '../spec/exchange.ts';

/** What the traffic shows of one key. Roles are inferred from answers, since nobody says what the keys of clients are. */
export interface KeyLine {
  /** Salted fingerprint. */
  readonly key: string;
  /** Role by what it was answered, or as the target file says. */
  readonly role: KeyRole;
  /** True when the target file says it. */
  readonly isTold: boolean;
  readonly requests: number;
  readonly accepted: number;
  /** Refused by the limiter (429). */
  readonly limited: number;
  /** Refused as a key (401), and for an endpoint (403). */
  readonly unauthorized: number;
  readonly forbidden: number;
  /** Addresses that it came from, counted up to {@link MOST_CLIENTS}. */
  readonly clients: number;
  /** Most requests that were under way at once. */
  readonly atOnce: number;
  /** When it was seen last, epoch ms. */
  readonly lastAt: number;
}

type Line = { -readonly [Name in Exclude<keyof KeyLine, 'key' | 'role'>]: KeyLine[Name] } & {
  told: KeyRole;
  readonly addresses: Set<string>;
  readonly underWay: { sentAt: number; receivedAt: number }[];
};

/** Keys that are told apart; beyond it the one that was not used for longest is forgotten. */
const MOST_KEYS = 500;
export const MOST_CLIENTS = 50;
/** Recent requests of a key among which those that overlap are counted. */
const RECENT = 64;

/** Counts what is known of each key, in bounded memory. Addresses of clients are counted and never written down. */
export class KeyBook {
  readonly #lines = new Map<string, Line>();
  /** Keys that were forgotten to make room. */
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
      line.told = role;
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

  /** Every key that is known, the busiest first. */
  lines(): readonly KeyLine[] {
    return [...this.#lines]
      .map(([key, { addresses: _addresses, underWay: _underWay, told, ...line }]) => ({
        ...line,
        key,
        role: line.isTold ? told : inferredRole(line),
      }))
      .toSorted((a, b) => b.requests - a.requests);
  }

  /** Takes up what another book knew. */
  restore(lines: readonly KeyLine[], forgotten: number): void {
    this.forgotten = forgotten;
    for (const { key, role, ...line } of lines) {
      this.#lines.set(key, { ...line, told: role, addresses: new Set(), underWay: [] });
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
      told: 'valid',
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

/** What a key must be, to be answered so. One that was never let in may be unknown, disabled or expired: nothing tells. */
function inferredRole({
  accepted,
  limited,
  unauthorized,
  forbidden,
}: Pick<KeyLine, 'accepted' | 'limited' | 'unauthorized' | 'forbidden'>): KeyRole {
  if (accepted > 0 || limited > 0) return forbidden > 0 ? 'restricted' : 'valid';
  if (forbidden > 0) return 'restricted';
  return unauthorized > 0 ? 'unknown' : 'valid';
}
