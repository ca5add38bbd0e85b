/** Gives back what a turnstile let in; a second call does nothing. */
export type Leave = () => void;

export interface TurnstileOptions {
  /** How many may be inside at a time. Asked whenever somebody comes or goes. */
  readonly room: () => number;
  /** Place in the order of the run of whoever comes: of those that wait, the first in that order is let in. */
  readonly place: () => number;
}

interface Waiting {
  readonly place: number;
  readonly enter: () => void;
}

/** Lets in so many at a time, in the order of the run. */
export class Turnstile {
  readonly #options: TurnstileOptions;
  #inside = 0;
  #waiting: Waiting[] = [];
  /** Told when nobody is inside any more. */
  #left: (() => void)[] = [];

  constructor(options: TurnstileOptions) {
    this.#options = options;
  }

  get inside(): number {
    return this.#inside;
  }

  /** Resolves when nobody is inside. */
  async empty(): Promise<void> {
    if (this.#inside > 0) await new Promise<void>((told) => this.#left.push(told));
  }

  /** Comes in as soon as there is room. */
  async enter(): Promise<Leave> {
    if (this.#waiting.length > 0 || this.#inside >= this.#options.room()) {
      const place = this.#options.place();
      await new Promise<void>((enter) => {
        const behind = this.#waiting.findIndex((other) => other.place > place);
        this.#waiting.splice(behind === -1 ? this.#waiting.length : behind, 0, { place, enter });
      });
    } else this.#inside += 1;
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.#inside -= 1;
      if (this.#inside === 0) for (const told of this.#left.splice(0)) told();
      // Whoever was just answered may have more to ask, and comes first then: its turn is seen when it has come back.
      if (this.#waiting.length > 0) setImmediate(() => this.look());
    };
  }

  /** Lets in those who have room now. */
  look(): void {
    while (this.#inside < this.#options.room()) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#inside += 1;
      next.enter();
    }
  }
}
