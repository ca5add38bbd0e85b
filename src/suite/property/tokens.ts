/** Requests that a search may still ask for. Counted by what is asked, not by what is sent, so that a replay counts alike. */
export class Tokens {
  #left: number;
  #bound = Number.POSITIVE_INFINITY;
  #spent = 0;

  constructor(total: number) {
    this.#left = total;
  }

  get left(): number {
    return Math.max(0, Math.min(this.#left, this.#bound));
  }

  get spent(): number {
    return this.#spent;
  }

  /** Takes tokens; false, and nothing taken, when there are not enough. */
  take(count: number): boolean {
    if (count > this.left) return false;
    this.#left -= count;
    this.#bound -= count;
    this.#spent += count;
    return true;
  }

  /** From now on no more than `count` of the tokens may be taken, until the bound is lifted. */
  bind(count: number): void {
    this.#bound = count;
  }

  lift(): void {
    this.#bound = Number.POSITIVE_INFINITY;
  }
}
