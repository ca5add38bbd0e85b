import { Worker } from 'node:worker_threads';
import type { FromJudge, ThreadOptions, ToJudge } from './messages.ts';
import { WatchError } from './watch-error.ts';

/** Called with messages of the judge thread that answer no question. */
export type OnMessage = (message: FromJudge | { readonly type: 'restarted' }) => void;

export type Ready = Extract<FromJudge, { type: 'ready' }>;
export type Finished = Extract<FromJudge, { type: 'finished' }>;

/** Memory limit of the thread, MiB; the state and a parsed slice of traffic take a third of it. */
const MOST_HEAP = 640;
/** Maximum number of restarts. */
const MOST_DEATHS = 20;

/**
 * The judge in a separate thread, so that traffic continues whatever happens to it. A dead thread is replaced by one
 * that continues from the saved state.
 */
export class JudgeLink {
  readonly #options: ThreadOptions;
  readonly #onMessage: OnMessage;
  #worker: Worker | null = null;
  #deaths = 0;
  #asks = 0;
  #isFinishing = false;
  /** Resolves when no crashed judge is being replaced. */
  #replaced: Promise<void> = Promise.resolve();
  readonly #waiting = new Map<number, (text: string | null) => void>();
  #onFinished: ((finished: Finished | null) => void) | null = null;

  constructor(options: ThreadOptions, onMessage: OnMessage) {
    this.#options = options;
    this.#onMessage = onMessage;
  }

  /** Starts the thread. @throws WatchError if the state of an earlier watch cannot be used */
  async start(): Promise<Ready> {
    const worker = new Worker(new URL('./judge-thread.js', import.meta.url), {
      workerData: this.#options,
      // Flags such as --input-type do not apply to the thread.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP },
    });
    return new Promise<Ready>((resolve, reject) => {
      worker.on('message', (message: FromJudge) => {
        if (message.type === 'ready') {
          this.#worker = worker;
          resolve(message);
        } else if (message.type === 'refused') {
          const { code, message: why, hint } = message;
          reject(new WatchError(code as WatchError['code'], why, hint));
        } else this.#take(message);
      });
      worker.on('error', (error) => {
        reject(error);
        this.#died(worker, error.message);
      });
      worker.on('exit', () => {
        reject(new Error('The judge thread exited immediately.'));
        this.#died(worker, 'it exited');
      });
    });
  }

  /** Bodies of exchanges are transferred, not copied. */
  send(message: ToJudge): void {
    const bodies =
      message.type === 'exchanges'
        ? message.exchanges.flatMap(({ body }) => (body === null ? [] : [body.buffer]))
        : [];
    this.#worker?.postMessage(message, bodies as ArrayBuffer[]);
  }

  /** A saved exchange as JSON; null if it was not saved. */
  evidence(id: string): Promise<string | null> {
    if (this.#worker === null) return Promise.resolve(null);
    this.#asks += 1;
    const ask = this.#asks;
    this.send({ type: 'evidence', id, ask });
    return new Promise((resolve) => this.#waiting.set(ask, resolve));
  }

  /** Judges waiting exchanges and writes the reports. Null if the judge crashed. */
  async finish(): Promise<Finished | null> {
    await this.#replaced;
    if (this.#worker === null) return null;
    this.#isFinishing = true;
    const finished = await new Promise<Finished | null>((resolve) => {
      this.#onFinished = resolve;
      this.send({ type: 'finish' });
    });
    const worker = this.#worker;
    this.#worker = null;
    await worker.terminate();
    return finished;
  }

  #take(message: FromJudge): void {
    if (message.type === 'evidence') {
      this.#waiting.get(message.ask)?.(message.text);
      this.#waiting.delete(message.ask);
    } else if (message.type === 'finished') this.#onFinished?.(message);
    else this.#onMessage(message);
  }

  #say(line: string): void {
    this.#onMessage({ type: 'say', line });
  }

  #died(worker: Worker, why: string): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    for (const answer of this.#waiting.values()) answer(null);
    this.#waiting.clear();
    this.#deaths += 1;
    const wanted = this.#isFinishing ? 'the reports were not written' : 'traffic continues';
    this.#say(`The judge crashed (${why}); ${wanted}.`);
    if (this.#isFinishing || this.#deaths > MOST_DEATHS) {
      this.#onFinished?.(null);
      return;
    }
    this.#replaced = this.#replace();
  }

  async #replace(): Promise<void> {
    try {
      await this.start();
      this.#onMessage({ type: 'restarted' });
    } catch (error) {
      this.#say(
        `The judge cannot be restarted: ${(error as Error).message} Traffic continues, but is not judged.`,
      );
    }
  }
}
