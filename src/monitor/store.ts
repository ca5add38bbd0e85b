import { writeState, type MonitorState } from './state.ts';

const nothing = (): void => undefined;

/** The state of a monitor, on the disk and in memory. Changes are made one after the other, each as a whole. */
export class Store {
  readonly #output: string;
  #state: MonitorState;
  #last: Promise<void> = Promise.resolve();

  constructor(output: string, state: MonitorState) {
    this.#output = output;
    this.#state = state;
  }

  /** As it is on the disk, or about to be. */
  get state(): MonitorState {
    return this.#state;
  }

  /**
   * Changes the state. What is returned is on the disk.
   * @throws MonitorError when it cannot be written: the state in memory is then the one before
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
