import type { Exchange, KeyRole } from '../../spec/exchange.ts';
import type { KeyRing } from '../../target/keys.ts';
import { keyCaseOf } from '../key-header.ts';
import type { RequestTarget } from '../request-url.ts';

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
export interface Question {
  readonly method: string;
  readonly target: RequestTarget;
  readonly role: KeyRole;
  /** Name of the key header as it would be sent; null without one. */
  readonly keyHeader: string | null;
  /** Fingerprint of the required key; null for any key of the role. */
  readonly key: string | null;
}

type Queues = Map<string, Exchange[]>;

/** The answers of one sequence. */
interface Sequence {
  readonly queues: Queues;
  left: number;
}

/**
 * Answers requests from recorded exchanges. A request that was sent N times deliberately has N answers, which are
 * returned in order. Requests of a sequence (`Session.together`, `Session.pin`) are answered only from a complete
 * sequence, because half a burst proves nothing about a window that is over.
 */
export class KnownAnswers {
  readonly mode: KnownRun['mode'];
  readonly #run: KnownRun;
  readonly #ring: KeyRing;
  readonly #keyHeader: string;
  readonly #alone: Queues = new Map();
  readonly #sequences = new Map<number, Sequence>();
  readonly #used = new Set<string>();
  #current: Sequence | null = null;
  #position = 0;
  #advances: number;

  constructor(run: KnownRun, ring: KeyRing, keyHeader: string) {
    this.mode = run.mode;
    this.#run = run;
    this.#ring = ring;
    this.#keyHeader = keyHeader;
    this.#advances = run.advances;
    for (const exchange of run.exchanges) {
      if (exchange.purpose !== undefined) continue;
      const { sequence: number } = exchange;
      if (number === undefined) {
        this.#add(this.#alone, exchange);
        continue;
      }
      const sequence = this.#sequences.get(number) ?? { queues: new Map(), left: 0 };
      this.#sequences.set(number, sequence);
      this.#add(sequence.queues, exchange);
      sequence.left += 1;
    }
  }

  /** Takes the recorded exchange for a request, or null when none is left. */
  take(question: Question): Exchange | null {
    const { method, target, role, keyHeader, key } = question;
    const identity = this.#identity(method, this.#ring.redact(target.url), role, keyHeader);
    const queue = (this.#current?.queues ?? this.#alone).get(identity) ?? [];
    const index = queue.findIndex((one) => key === null || one.key === key || this.#isKeyless(one));
    const [found] = index === -1 ? [] : queue.splice(index, 1);
    if (found === undefined) return null;
    this.#used.add(found.id);
    if (this.#current !== null) this.#current.left -= 1;
    return found;
  }

  /**
   * Exchanges without a check that follow those already returned: limit probes, and interrupted requests that were
   * repeated. Each is returned once.
   */
  passed(): Exchange[] {
    const passed: Exchange[] = [];
    for (; this.#position < this.#run.exchanges.length; this.#position += 1) {
      const exchange = this.#run.exchanges[this.#position];
      if (exchange === undefined || this.#used.has(exchange.id)) continue;
      if (exchange.purpose === undefined) break;
      this.#used.add(exchange.id);
      passed.push(exchange);
    }
    return passed;
  }

  /** All remaining exchanges of this kind, to be added before new requests are sent. */
  rest(): Exchange[] {
    const rest = this.#run.exchanges.filter(
      ({ id, purpose }) => purpose !== undefined && !this.#used.has(id),
    );
    for (const { id } of rest) this.#used.add(id);
    return rest;
  }

  /** Begins a sequence: true when it is answered from the recorded one with that number. */
  enter(number: number): boolean {
    this.#current = this.#sequences.get(number) ?? null;
    return this.#current !== null;
  }

  /** Ends the sequence, or stops answering it from recorded exchanges. */
  leave(): void {
    this.#current = null;
  }

  /** Answers left in the current sequence; 0 outside of one. */
  get left(): number {
    return this.#current?.left ?? 0;
  }

  /** True when the earlier run already made this clock advance. */
  takeAdvance(): boolean {
    if (this.mode === 'replay') return true;
    if (this.#advances < 1) return false;
    this.#advances -= 1;
    return true;
  }

  #add(queues: Queues, exchange: Exchange): void {
    const { request, role } = exchange;
    const name = Object.keys(request.headers).find(
      (header) => header.toLowerCase() === this.#keyHeader.toLowerCase(),
    );
    const identity = this.#identity(request.method, request.url, role, name ?? null);
    queues.set(identity, [...(queues.get(identity) ?? []), exchange]);
  }

  #identity(method: string, url: string, role: KeyRole, keyHeader: string | null): string {
    const letters = this.#run.foreign || keyHeader === null ? '' : keyCaseOf(keyHeader);
    return JSON.stringify([method, url, role, letters]);
  }

  /** Recordings of other tools may lack the key. */
  #isKeyless({ key, role }: Exchange): boolean {
    return this.#run.foreign && key === null && role !== 'none';
  }
}
