/** Leaves a turnstile; a second call does nothing. */
export type Release = () => void;

interface Waiting {
  readonly position: number;
  readonly enter: () => void;
}

/** A semaphore with a queue in the order of the run. */
export class Turnstile {
  readonly #capacity: () => number;
  readonly #position: () => number;
  #inside = 0;
  #waiting: Waiting[] = [];
  /** Called when it becomes empty. */
  #left: (() => void)[] = [];

  /**
   * @param capacity current capacity, checked on every change
   * @param position position of the caller in the order of the run, which is the order of the queue
   */
  constructor(capacity: () => number, position: () => number) {
    this.#capacity = capacity;
    this.#position = position;
  }

  get inside(): number {
    return this.#inside;
  }

  /** Resolves when it is empty. */
  async empty(): Promise<void> {
    if (this.#inside > 0) await new Promise<void>((resolve) => this.#left.push(resolve));
  }

  /** Enters as soon as there is capacity. */
  async enter(): Promise<Release> {
    if (this.#waiting.length > 0 || this.#inside >= this.#capacity()) {
      const position = this.#position();
      await new Promise<void>((enter) => {
        const behind = this.#waiting.findIndex((other) => other.position > position);
        this.#waiting.splice(behind === -1 ? this.#waiting.length : behind, 0, { position, enter });
      });
    } else this.#inside += 1;
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.#inside -= 1;
      if (this.#inside === 0) for (const resolve of this.#left.splice(0)) resolve();
      // The caller may ask again immediately and comes first then, so wait for it.
      if (this.#waiting.length > 0) setImmediate(() => this.look());
    };
  }

  /** Lets waiting callers in while there is capacity. */
  look(): void {
    while (this.#inside < this.#capacity()) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#inside += 1;
      next.enter();
    }
  }
}
