import type { JournalWriter } from './journal-writer.ts';
import type { KnownAnswers } from './known-answers.ts';

/**
 * Requests that prove something only together: a burst, a window from its first request to the refusal, keys in turn. A
 * run that is taken up again either knows all of them or begins again, for the window of the first half is over.
 */
export class Sequences {
  readonly #known: KnownAnswers | null;
  readonly #journal: JournalWriter | null;
  #depth = 0;
  /** Checks run in the same order in every part of a run, so the same sequence has the same number. */
  #count = 0;
  #number: number | undefined;
  #answered = false;

  constructor(known: KnownAnswers | null, journal: JournalWriter | null) {
    this.#known = known;
    this.#journal = journal;
  }

  /** Number of the sequence that is being sent; undefined outside of one and while one is answered from the record. */
  get number(): number | undefined {
    return this.#number;
  }

  /** True while a recorded sequence answers. */
  get answered(): boolean {
    return this.#answered;
  }

  /** Sequences within a sequence are part of it. */
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

  /** The recorded sequence does not answer what is asked: what is left of it is sent. */
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
