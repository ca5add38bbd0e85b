import type { Exchange, KeyRole } from '../../spec/exchange.ts';
import type { KeyRing } from '../../target/keys.ts';
import { keyCaseOf } from '../key-header.ts';
import type { RequestTarget } from '../request-url.ts';

/** What an earlier run is known to have sent, and what it got. Plain JSON: it is handed to another thread. */
export interface KnownRun {
  /** `resume`: what is not known is sent. `replay`: nothing is sent, what is not known is missing. */
  readonly mode: 'resume' | 'replay';
  /** By id, redacted as they were recorded. */
  readonly exchanges: readonly Exchange[];
  /** Steps by which checks moved the clock of a test target. */
  readonly advances: number;
  /** How far the clock of a test target was moved in all, ms. */
  readonly advancedMs: number;
  /** The same at the time of each exchange, by id; left out where it is 0. */
  readonly advancedAt: Readonly<Record<string, number>>;
  /** Time that the earlier run waited for windows, ms. */
  readonly waitedMs: number;
  /** Probes of the limit that were still due; all of them when it is left out. */
  readonly probesLeft?: number;
  /** Salt of the fingerprints; null when it is not on record. */
  readonly salt: string | null;
  /** Fingerprints of the keys by role. */
  readonly keys: Readonly<Partial<Record<KeyRole, readonly string[]>>>;
  /** True when another tool recorded: how names of headers were written then says nothing. */
  readonly foreign: boolean;
}

/** What is asked for, as far as it tells one request from another. */
export interface Question {
  readonly method: string;
  readonly target: RequestTarget;
  readonly role: KeyRole;
  /** Name of the key header as it would be sent; null when it is left out. */
  readonly keyHeader: string | null;
  /** Fingerprint of the key that has to be used; null when any key of the role will do. */
  readonly key: string | null;
}

type Queues = Map<string, Exchange[]>;

/** The answers of one sequence, which belong together in time. */
interface Sequence {
  readonly queues: Queues;
  left: number;
}

/**
 * Answers requests from what an earlier run recorded. A request that was sent N times on purpose has N answers, and they
 * are given in the order in which they came. Requests of a sequence (`Session.together`, `Session.pin`) are answered from
 * a sequence that came to its end, and from nothing else: half a burst proves nothing about a window that is over.
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

  /** The exchange that answers the question, taken out of the record; null when none is left. */
  take(question: Question): Exchange | null {
    const { method, target, role, keyHeader, key } = question;
    const identity = this.#identity(method, this.#ring.redact(target.url), role, keyHeader);
    const queue = (this.#current?.queues ?? this.#alone).get(identity) ?? [];
    const place = queue.findIndex((one) => key === null || one.key === key || this.#isKeyless(one));
    const [found] = place === -1 ? [] : queue.splice(place, 1);
    if (found === undefined) return null;
    this.#used.add(found.id);
    if (this.#current !== null) this.#current.left -= 1;
    return found;
  }

  /**
   * Exchanges that no check asked for and that came right after those already given: probes of the limit, and what was
   * sent before an interruption and asked again after it. Each is given once.
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

  /** All such exchanges that are left: before something new is sent, they are past. */
  rest(): Exchange[] {
    const rest = this.#run.exchanges.filter(
      ({ id, purpose }) => purpose !== undefined && !this.#used.has(id),
    );
    for (const { id } of rest) this.#used.add(id);
    return rest;
  }

  /** Begins a sequence: true when the recorded one of that number answers it from here on. */
  enter(number: number): boolean {
    this.#current = this.#sequences.get(number) ?? null;
    return this.#current !== null;
  }

  /** Ends the sequence, or gives up answering it from the record. */
  leave(): void {
    this.#current = null;
  }

  /** Answers left in the sequence that is being answered; 0 outside of one. */
  get left(): number {
    return this.#current?.left ?? 0;
  }

  /** True when a step of the target's clock was made by the earlier run and is not to be made again. */
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

  /** Another tool may not have recorded which key it used. */
  #isKeyless({ key, role }: Exchange): boolean {
    return this.#run.foreign && key === null && role !== 'none';
  }
}
