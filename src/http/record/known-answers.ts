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
interface Question extends Pick<Plan, 'method' | 'target' | 'role'> {
  /** Name of the key header as it would be sent; null without one. */
  readonly keyHeader: string | null;
  /** Fingerprint of the required key; null for any key of the role. */
  readonly key: string | null;
}

/** Answers by request. */
type Queues = Map<string, Exchange[]>;

/** The answers of one sequence. */
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
export class KnownAnswers {
  readonly #run: KnownRun | null;
  readonly #ring: KeyRing;
  readonly #keyHeader: string;
  readonly #journal: JournalWriter | undefined;
  readonly #alone: Queues = new Map();
  readonly #sequences = new Map<number, Sequence>();
  readonly #used = new Set<string>();
  /** The sequence that is being answered. */
  #current: Sequence | null = null;
  /** Number of the sequence that is being sent. */
  #number: number | undefined;
  #depth = 0;
  /** Checks always run in the same order, so sequence numbers are stable. */
  #count = 0;
  #position = 0;
  #advances: number;

  constructor(
    run: KnownRun | undefined,
    ring: KeyRing,
    keyHeader: string,
    journal: JournalWriter | undefined,
  ) {
    this.#run = run ?? null;
    this.#ring = ring;
    this.#keyHeader = keyHeader;
    this.#journal = journal;
    this.#advances = run?.advances ?? 0;
    for (const exchange of this.#exchanges) {
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

  /** True without an earlier run. */
  get isEmpty(): boolean {
    return this.#run === null;
  }

  /** Takes the recorded exchange for a request, or null when none is left. */
  take({ method, target, role, keyHeader, key }: Question): Exchange | null {
    if (this.#run === null) return null;
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
    for (; this.#position < this.#exchanges.length; this.#position += 1) {
      const exchange = this.#exchanges[this.#position];
      if (exchange === undefined || this.#used.has(exchange.id)) continue;
      if (exchange.purpose === undefined) break;
      this.#used.add(exchange.id);
      passed.push(exchange);
    }
    return passed;
  }

  /** All remaining exchanges of this kind, to be added before new requests are sent. */
  rest(): Exchange[] {
    const rest = this.#exchanges.filter(
      ({ id, purpose }) => purpose !== undefined && !this.#used.has(id),
    );
    for (const { id } of rest) this.#used.add(id);
    return rest;
  }

  /** True when the earlier run already made this clock advance. */
  takeAdvance(): boolean {
    if (this.#run?.mode === 'replay') return true;
    if (this.#advances < 1) return false;
    this.#advances -= 1;
    return true;
  }

  /** Number of the sequence being sent; undefined outside of one and while one is answered. */
  get sequence(): number | undefined {
    return this.#number;
  }

  /** True while a sequence is answered. */
  get answersSequence(): boolean {
    return this.#current !== null;
  }

  /** Answers left in the current sequence; 0 outside of one. */
  get left(): number {
    return this.#current?.left ?? 0;
  }

  /** Begins a sequence. Nested ones are part of the outer one. */
  enter(): void {
    this.#depth += 1;
    if (this.#depth > 1) return;
    this.#count += 1;
    this.#current = this.#sequences.get(this.#count) ?? null;
    if (this.#current === null) this.#begin();
  }

  leave(): void {
    this.#depth -= 1;
    if (this.#depth > 0) return;
    this.#current = null;
    if (this.#number === undefined) return;
    const number = this.#number;
    this.#number = undefined;
    this.#journal?.write({ type: 'sequence', number, state: 'end' });
  }

  /** Stops answering a sequence, whose rest is sent. */
  giveUp(): void {
    if (this.#current === null) return;
    this.#current = null;
    this.#begin();
  }

  #begin(): void {
    this.#number = this.#count;
    this.#journal?.write({ type: 'sequence', number: this.#count, state: 'begin' });
  }

  get #exchanges(): readonly Exchange[] {
    return this.#run?.exchanges ?? [];
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
    const letters = this.#run?.foreign === true || keyHeader === null ? '' : keyCaseOf(keyHeader);
    return JSON.stringify([method, url, role, letters]);
  }

  /** Recordings of other tools may lack the key. */
  #isKeyless({ key, role }: Exchange): boolean {
    return this.#run?.foreign === true && key === null && role !== 'none';
  }
}
