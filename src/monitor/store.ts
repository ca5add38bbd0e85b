import { writeState, type MonitorState } from './state.ts';

const nothing = (): void => undefined;

/** The state of a monitor, on disk and in memory. Changes are sequential and atomic. */
export class Store {
  readonly #output: string;
  #state: MonitorState;
  #last: Promise<void> = Promise.resolve();

  constructor(output: string, state: MonitorState) {
    this.#output = output;
    this.#state = state;
  }

  /** The state that is on disk, or about to be. */
  get state(): MonitorState {
    return this.#state;
  }

  /**
   * Changes the state. The returned state is on disk.
   * @throws MonitorError if it cannot be written; the state in memory is then unchanged
   */
  async update(change: (state: MonitorState) => MonitorState): Promise<MonitorState> {
    const done = this.#last.then(async () => {
      const next = change(this.#state);
      await writeState(this.#output, next);
      this.#state = next;
      return next;
    });
    this.#last = done.then(nothing, nothing);
    return done;
  }
}
