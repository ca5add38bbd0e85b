import type { Exchange, KeyRole } from '../../spec/exchange.ts';
import type { KeyRing } from '../../target/keys.ts';
import { keyCaseOf } from '../key-header.ts';
import type { Plan } from '../session-options.ts';
import type { JournalWriter } from './journal-writer.ts';

/** Recorded exchanges and state of an earlier run, as plain JSON. */
export interface KnownRun {
  /** `resume`: requests without a recorded answer are sent. `replay`: nothing is sent. */
  readonly mode: 'resume' | 'replay';
  /** Recorded exchanges, by id. */
  readonly exchanges: readonly Exchange[];
  /** Number of clock advances by checks. */
  readonly advances: number;
  /** Time the earlier run spent waiting for windows, ms. */
  readonly waitedMs: number;
  /** Remaining limit probes; default: all. */
  readonly probesLeft?: number;
  /** Salt of the fingerprints; null when it was not recorded. */
  readonly salt: string | null;
  /** Fingerprints of the keys by role. */
  readonly keys: Readonly<Partial<Record<KeyRole, readonly string[]>>>;
  /** True for recordings of other tools, which do not preserve the case of header names. */
  readonly foreign: boolean;
}

/** The properties that identify a request. */
export interface Question extends Pick<Plan, 'method' | 'target' | 'role'> {
  /** Name of the key header as it would be sent; null without one. */
  readonly keyHeader: string | null;
  /** Fingerprint of the required key; null for any key of the role. */
  readonly key: string | null;
}

type Queues = Map<string, Exchange[]>;

interface Sequence {
  readonly queues: Queues;
  left: number;
}

/**
 * Answers requests from the exchanges of an earlier run, if there is one. A request that was sent N times deliberately
 * has N answers, which are returned in order.
 *
 * Requests of a sequence (a burst, a window until its refusal, several keys) are conclusive only together: they are
 * answered only from a complete sequence, because the window of the first half is over.
 */
export function knownAnswers(
  run: KnownRun | undefined,
  ring: KeyRing,
  keyHeader: string,
  journal: JournalWriter | undefined,
) {
  const { exchanges = [], foreign = false } = run ?? {};
  const alone: Queues = new Map();
  const sequences = new Map<number, Sequence>();
  const used = new Set<string>();
  /** The sequence that is being answered. */
  let current: Sequence | null = null;
  /** Number of the sequence that is being sent. */
  let sent: number | undefined;
  let depth = 0;
  /** Checks always run in the same order, so sequence numbers are stable. */
  let count = 0;
  let position = 0;
  let advances = run?.advances ?? 0;

  const identityOf = (method: string, url: string, role: KeyRole, name: string | null): string =>
    JSON.stringify([method, url, role, foreign || name === null ? '' : keyCaseOf(name)]);
  const add = (queues: Queues, exchange: Exchange): void => {
    const { request, role } = exchange;
    const name = Object.keys(request.headers).find(
      (header) => header.toLowerCase() === keyHeader.toLowerCase(),
    );
    const identity = identityOf(request.method, request.url, role, name ?? null);
    queues.set(identity, [...(queues.get(identity) ?? []), exchange]);
  };
  for (const exchange of exchanges) {
    const { sequence: number, purpose } = exchange;
    if (purpose !== undefined) continue;
    if (number === undefined) {
      add(alone, exchange);
      continue;
    }
    const sequence = sequences.get(number) ?? { queues: new Map(), left: 0 };
    sequences.set(number, sequence);
    add(sequence.queues, exchange);
    sequence.left += 1;
  }

  /** Recordings of other tools may lack the key. */
  const isKeyless = ({ key, role }: Exchange): boolean =>
    foreign && key === null && role !== 'none';
  const begin = (): void => {
    sent = count;
    journal?.write({ type: 'sequence', number: count, state: 'begin' });
  };

  return {
    isEmpty: run === undefined,

    /** Takes the recorded exchange for a request, or null when none is left. */
    take({ method, target, role, keyHeader: header, key }: Question): Exchange | null {
      if (run === undefined) return null;
      const identity = identityOf(method, ring.redact(target.url), role, header);
      const queue = (current?.queues ?? alone).get(identity) ?? [];
      const index = queue.findIndex((one) => key === null || one.key === key || isKeyless(one));
      const [found] = index === -1 ? [] : queue.splice(index, 1);
      if (found === undefined) return null;
      used.add(found.id);
      if (current !== null) current.left -= 1;
      return found;
    },

    /**
     * Exchanges without a check that follow those already returned: limit probes, and interrupted requests that were
     * repeated. Each is returned once.
     */
    passed(): Exchange[] {
      const passed: Exchange[] = [];
      for (; position < exchanges.length; position += 1) {
        const exchange = exchanges[position];
        if (exchange === undefined || used.has(exchange.id)) continue;
        if (exchange.purpose === undefined) break;
        used.add(exchange.id);
        passed.push(exchange);
      }
      return passed;
    },

    /** All remaining exchanges of this kind, to be added before new requests are sent. */
    rest(): Exchange[] {
      const rest = exchanges.filter(({ id, purpose }) => purpose !== undefined && !used.has(id));
      for (const { id } of rest) used.add(id);
      return rest;
    },

    /** True when the earlier run already made this clock advance. */
    takeAdvance(): boolean {
      if (run?.mode === 'replay') return true;
      if (advances < 1) return false;
      advances -= 1;
      return true;
    },

    /** Number of the sequence being sent; undefined outside of one and while one is answered. */
    get sequence(): number | undefined {
      return sent;
    },

    get answersSequence(): boolean {
      return current !== null;
    },

    /** Answers left in the current sequence; 0 outside of one. */
    get left(): number {
      return current?.left ?? 0;
    },

    /** Begins a sequence. Nested ones are part of the outer one. */
    enter(): void {
      depth += 1;
      if (depth > 1) return;
      count += 1;
      current = sequences.get(count) ?? null;
      if (current === null) begin();
    },

    leave(): void {
      depth -= 1;
      if (depth > 0) return;
      current = null;
      if (sent === undefined) return;
      const number = sent;
      sent = undefined;
      journal?.write({ type: 'sequence', number, state: 'end' });
    },

    /** Stops answering a sequence, whose rest is sent. */
    giveUp(): void {
      if (current === null) return;
      current = null;
      begin();
    },
  };
}
