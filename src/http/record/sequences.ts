import type { JournalWriter } from './journal-writer.ts';
import type { KnownAnswers } from './known-answers.ts';

/**
 * Sequences of requests that are conclusive only together: a burst, a window until its refusal, or several keys. A
 * resumed run either has all answers of a sequence or repeats it, because the window of the first half is over.
 */
export class Sequences {
  readonly #known: KnownAnswers | null;
  readonly #journal: JournalWriter | null;
  #depth = 0;
  /** Checks always run in the same order, so sequence numbers are stable. */
  #count = 0;
  #number: number | undefined;
  #answered = false;

  constructor(known: KnownAnswers | null, journal: JournalWriter | null) {
    this.#known = known;
    this.#journal = journal;
  }

  /** Number of the sequence being sent; undefined outside of one and while one is answered from recorded exchanges. */
  get number(): number | undefined {
    return this.#number;
  }

  /** True while a sequence is answered from recorded exchanges. */
  get answered(): boolean {
    return this.#answered;
  }

  /** Nested sequences are part of the outer one. */
  enter(): void {
    this.#depth += 1;
    if (this.#depth > 1) return;
    this.#count += 1;
    this.#answered = this.#known?.enter(this.#count) ?? false;
    if (!this.#answered) this.#begin();
  }

  leave(): void {
    this.#depth -= 1;
    if (this.#depth > 0) return;
    if (this.#answered) this.#known?.leave();
    this.#answered = false;
    if (this.#number === undefined) return;
    const number = this.#number;
    this.#number = undefined;
    this.#journal?.write({ type: 'sequence', number, state: 'end' });
  }

  /** Stops answering from the recorded sequence and sends the rest. */
  giveUp(): void {
    if (!this.#answered) return;
    this.#answered = false;
    this.#known?.leave();
    this.#begin();
  }

  #begin(): void {
    this.#number = this.#count;
    this.#journal?.write({ type: 'sequence', number: this.#count, state: 'begin' });
  }
}
