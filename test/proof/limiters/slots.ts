/** A number of slots that work takes up while it runs. First come, first served, so that heavy work gets its turn. */
export class Slots {
  readonly count: number;
  #free: number;
  readonly #waiting: { readonly weight: number; readonly start: () => void }[] = [];

  constructor(count: number) {
    this.count = count;
    this.#free = count;
  }

  /** Runs `work` as soon as `weight` slots are free; at most all of them. */
  async use<Value>(weight: number, work: () => Promise<Value>): Promise<Value> {
    const slots = Math.min(weight, this.count);
    await new Promise<void>((start) => {
      this.#waiting.push({ weight: slots, start });
      this.#next();
    });
    try {
      return await work();
    } finally {
      this.#free += slots;
      this.#next();
    }
  }

  #next(): void {
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      if (first.weight > this.#free) return;
      this.#waiting.shift();
      this.#free -= first.weight;
      first.start();
    }
  }
}
