import { Worker } from 'node:worker_threads';
import type { Calls, FromJudge, ThreadOptions } from './judge-thread.ts';
import { WatchError } from './watch-error.ts';

/** Calls a function of the judge. The result is undefined if the judge crashes meanwhile. */
export type CallJudge = <Name extends keyof Calls>(
  name: Name,
  ...given: Parameters<Calls[Name]>
) => Promise<Awaited<ReturnType<Calls[Name]>> | undefined>;

type Said = Exclude<FromJudge, { type: 'result' }>;

/** The state of an earlier watch, as the judge found it. */
export type Ready = Exclude<Awaited<ReturnType<Calls['open']>>, { hint: string }>;

/** Memory limit of the thread, MiB; the state and a parsed slice of traffic take a third of it. */
const MOST_HEAP = 640;

/**
 * The judge in a separate thread, so that traffic continues whatever happens to it. A dead thread is replaced by one
 * that continues from the saved state.
 */
export class JudgeLink {
  readonly #options: ThreadOptions;
  readonly #onSaid: (said: Said) => void;
  /** Null if there is no judge. */
  #worker: Worker | null = null;
  #calls = 0;
  readonly #waiting = new Map<number, (result: unknown) => void>();

  /** @param onSaid called with events, and with messages for the user */
  constructor(options: ThreadOptions, onSaid: (said: Said) => void) {
    this.#options = options;
    this.#onSaid = onSaid;
  }

  readonly call: CallJudge = (name, ...given) => {
    if (this.#worker === null) return Promise.resolve(undefined);
    this.#calls += 1;
    const call = this.#calls;
    this.#worker.postMessage({ call, name, given }, []);
    return new Promise((resolve) => {
      this.#waiting.set(call, resolve as (result: unknown) => void);
    });
  };

  /** Starts the thread. @throws WatchError if the state of an earlier watch cannot be used */
  async start(): Promise<Ready> {
    const worker = new Worker(new URL('./judge-thread.js', import.meta.url), {
      workerData: this.#options,
      // Flags such as --input-type do not apply to the thread.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP },
    });
    let isReady = false;
    let why = 'it exited';
    worker.on('message', (message: FromJudge) => {
      if (message.type === 'result') {
        this.#waiting.get(message.call)?.(message.result);
        this.#waiting.delete(message.call);
      } else this.#onSaid(message);
    });
    worker.on('error', ({ message }) => (why = message));
    worker.on('exit', () => {
      if (this.#worker === worker) this.#died(isReady, why);
    });
    this.#worker = worker;
    const opened = await this.call('open');
    if (opened === undefined) throw new Error(`The judge thread exited immediately (${why}).`);
    if ('hint' in opened) {
      await this.stop();
      throw new WatchError(opened.code as WatchError['code'], opened.message, opened.hint);
    }
    isReady = true;
    return opened;
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #died(isReplaced: boolean, why: string): void {
    this.#worker = null;
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    if (isReplaced) {
      this.#say(`The judge crashed (${why}) and is restarted; traffic continues.`);
      this.start().catch(({ message }: Error) =>
        this.#say(
          `The judge cannot be restarted: ${message} Traffic continues, but is not judged.`,
        ),
      );
    }
    for (const resolve of lost) resolve(undefined);
  }

  #say(line: string): void {
    this.#onSaid({ type: 'say', line });
  }
}
