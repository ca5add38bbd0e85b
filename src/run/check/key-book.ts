import type { Exchange, KeyRole } from '../../spec/exchange.ts';
import type { Results } from '../../report/model/results.ts';

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

type Line = { -readonly [Name in keyof KeyLine]: KeyLine[Name] } & {
  /** Addresses of its clients in this process. */
  readonly addresses: Set<string>;
};

/** Maximum number of keys; the least recently used one is dropped. */
const MOST_KEYS = 500;
const MOST_CLIENTS = 50;

const NO_REQUESTS = { requests: 0, accepted: 0, limited: 0, unauthorized: 0, forbidden: 0 };

/** The facts about the keys of traffic. */
export type KeyBook = ReturnType<typeof keyBook>;

/**
 * Counts facts about each key in bounded memory. Client addresses are counted, never written.
 * @param issued fingerprints of the keys in the target file, or in the description of a recorded run
 */
export function keyBook(
  issued: ReadonlySet<string>,
  known: readonly KeyLine[] = [],
  forgotten = 0,
) {
  const lines = new Map<string, Line>(
    known.map((line) => [line.key, { ...line, addresses: new Set() }]),
  );
  return {
    get forgotten(): number {
      return forgotten;
    },
    take({ key, role, response }: Exchange, client: string): void {
      if (key === null) return;
      const none = { ...NO_REQUESTS, role: 'valid', isTold: false, clients: 0 } as const;
      const line: Line = lines.get(key) ?? { ...none, key, addresses: new Set() };
      // Most recently used last.
      lines.delete(key);
      lines.set(key, line);
      const [oldest = ''] = lines.keys();
      if (lines.size > MOST_KEYS && lines.delete(oldest)) forgotten += 1;
      const status = response?.status ?? 0;
      line.requests += 1;
      line.accepted += Number(status >= 200 && status < 300);
      line.limited += Number(status === 429);
      line.unauthorized += Number(status === 401);
      line.forbidden += Number(status === 403);
      if (issued.has(key) || role !== 'valid') Object.assign(line, { role, isTold: true });
      if (line.addresses.size < MOST_CLIENTS) line.addresses.add(client);
      line.clients = Math.max(line.clients, line.addresses.size);
    },
    lines: (): readonly KeyLine[] =>
      [...lines.values()]
        .map(({ addresses: _addresses, ...line }) => ({ ...line, role: roleOf(line) }))
        .toSorted((a, b) => b.requests - a.requests),
  };
}

/**
 * Fingerprints and requests by role.
 * @param counted requests by role, where keys of which nothing is told count as valid
 */
export function rolesIn(book: KeyBook, counted: Results['requests']['byRole']) {
  const keys: Partial<Record<KeyRole, string[]>> = {};
  const byRole = { ...counted };
  for (const { key, role, isTold, requests } of book.lines()) {
    (keys[role] ??= []).push(key);
    if (isTold || role === 'valid') continue;
    const { valid = 0, [role]: own = 0 } = byRole;
    const moved = Math.min(requests, valid);
    Object.assign(byRole, { valid: valid - moved, [role]: own + moved });
  }
  if (byRole.valid === 0) delete byRole.valid;
  return { keys, byRole };
}

/** A key that was never admitted may be unknown, disabled or expired. */
function roleOf({ role, isTold, accepted, limited, unauthorized, forbidden }: KeyLine): KeyRole {
  if (isTold) return role;
  if (forbidden > 0) return 'restricted';
  return accepted === 0 && limited === 0 && unauthorized > 0 ? 'unknown' : 'valid';
}
