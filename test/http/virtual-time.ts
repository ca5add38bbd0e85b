interface Timer {
  readonly at: number;
  readonly wake: () => void;
}

/** Virtual time that advances only when everything waits, so that minutes take milliseconds. */
export class VirtualTime {
  #now: number;
  #timers: Timer[] = [];

  constructor(start = 1_750_000_000_000) {
    this.#now = start;
  }

  readonly now = (): number => this.#now;

  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const timer: Timer = { at: this.#now + Math.max(0, ms), wake: resolve };
      this.#timers.push(timer);
      signal?.addEventListener('abort', () => {
        this.#timers = this.#timers.filter((other) => other !== timer);
        resolve();
      });
    });

  /** Advances time until the work is done. Fails when the work waits for something that never happens. */
  async run<Result>(work: Promise<Result>): Promise<Result> {
    let done = false;
    const end = (): void => {
      done = true;
    };
    work.then(end, end);
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (done) return work;
      this.#timers.sort((a, b) => a.at - b.at);
      const next = this.#timers.shift();
      if (next === undefined) throw new Error('nothing is left that could end the wait');
      this.#now = Math.max(this.#now, next.at);
      next.wake();
    }
  }
}
