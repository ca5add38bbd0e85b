import { Worker } from 'node:worker_threads';
import type { Judging } from './feed.ts';
import type { FromJudge, ThreadOptions, ToJudge } from './messages.ts';
import type { RawExchange } from './raw-exchange.ts';
import type { Snapshot } from './snapshot.ts';
import type { Told } from './watch-judge.ts';
import { WatchError, type WatchErrorCode } from './watch-error.ts';

/** What the thread of the judge tells. */
export interface JudgeEvents {
  done(exchanges: number, bytes: number): void;
  told(told: Told): void;
  say(line: string): void;
  snapshot(snapshot: Snapshot): void;
  reported(files: readonly string[]): void;
  /** The thread died and another one took its place, which knows what was kept. */
  restarted(): void;
}

export type Ready = Extract<FromJudge, { type: 'ready' }>;
export type Finished = Extract<FromJudge, { type: 'finished' }>;

/** Bound on the memory of the thread, MiB; what is kept and a slice of traffic, parsed, take a third of it. */
const MOST_HEAP = 640;
/** A thread that dies so often is not started again. */
const MOST_DEATHS = 20;

/**
 * The judge in a thread of its own. Whatever happens to it, traffic goes on: one that dies is replaced, and the new one
 * takes up what the old one kept.
 */
export class JudgeLink implements Judging {
  readonly #options: ThreadOptions;
  readonly #events: JudgeEvents;
  #worker: Worker | null = null;
  #deaths = 0;
  #asks = 0;
  #isFinishing = false;
  readonly #waiting = new Map<number, (text: string | null) => void>();
  #onFinished: ((finished: Finished | null) => void) | null = null;

  constructor(options: ThreadOptions, events: JudgeEvents) {
    this.#options = options;
    this.#events = events;
  }

  /** Starts the thread. @throws WatchError when what an earlier watch left cannot be taken up */
  async start(): Promise<Ready> {
    const worker = new Worker(new URL('./judge-thread.js', import.meta.url), {
      workerData: this.#options,
      // Flags such as --input-type are about the program that was started, and not about a file.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP },
    });
    return new Promise<Ready>((resolve, reject) => {
      worker.on('message', (message: FromJudge) => {
        if (message.type === 'ready') {
          this.#worker = worker;
          resolve(message);
        } else if (message.type === 'refused') reject(refused(message));
        else this.#take(message);
      });
      worker.on('error', (error) => {
        reject(error);
        this.#died(worker, error.message);
      });
      worker.on('exit', () => {
        reject(new Error('The thread of the judge ended at once.'));
        this.#died(worker, 'it ended');
      });
    });
  }

  exchanges(list: readonly RawExchange[]): void {
    const bodies = list.flatMap(({ body }) => (body === null ? [] : [body.buffer as ArrayBuffer]));
    this.#send({ type: 'exchanges', exchanges: list }, bodies);
  }

  missed(reason: string, count: number): void {
    this.#send({ type: 'missed', reason, count });
  }

  gap(): void {
    this.#send({ type: 'gap' });
  }

  askSnapshot(): void {
    this.#send({ type: 'snapshot' });
  }

  askReport(): void {
    this.#send({ type: 'report' });
  }

  /** An exchange that is kept, as JSON; null when it is not. */
  evidence(id: string): Promise<string | null> {
    if (this.#worker === null) return Promise.resolve(null);
    this.#asks += 1;
    const ask = this.#asks;
    this.#send({ type: 'evidence', id, ask });
    return new Promise((resolve) => this.#waiting.set(ask, resolve));
  }

  /** Judges what is waiting and writes the reports. Null when the judge did not live to do it. */
  async finish(): Promise<Finished | null> {
    if (this.#worker === null) return null;
    this.#isFinishing = true;
    const finished = await new Promise<Finished | null>((resolve) => {
      this.#onFinished = resolve;
      this.#send({ type: 'finish' });
    });
    const worker = this.#worker;
    this.#worker = null;
    await worker.terminate();
    return finished;
  }

  #send(message: ToJudge, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker?.postMessage(message, [...transfer]);
  }

  #take(message: FromJudge): void {
    switch (message.type) {
      case 'done':
        this.#events.done(message.exchanges, message.bytes);
        break;
      case 'told':
        this.#events.told(message.told);
        break;
      case 'say':
        this.#events.say(message.line);
        break;
      case 'snapshot':
        this.#events.snapshot(message.snapshot);
        break;
      case 'reported':
        this.#events.reported(message.files);
        break;
      case 'evidence':
        this.#waiting.get(message.ask)?.(message.text);
        this.#waiting.delete(message.ask);
        break;
      case 'finished':
        this.#onFinished?.(message);
        break;
      default:
    }
  }

  #died(worker: Worker, why: string): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    for (const answer of this.#waiting.values()) answer(null);
    this.#waiting.clear();
    this.#deaths += 1;
    const wanted = this.#isFinishing ? 'the reports are not written' : 'traffic goes on';
    this.#events.say(`The judge died (${why}); ${wanted}.`);
    if (this.#isFinishing || this.#deaths > MOST_DEATHS) {
      this.#onFinished?.(null);
      return;
    }
    void this.#replace();
  }

  async #replace(): Promise<void> {
    try {
      await this.start();
      this.#events.restarted();
    } catch (error) {
      this.#events.say(
        `The judge cannot be started again: ${(error as Error).message} Traffic goes on and is not judged.`,
      );
    }
  }
}

function refused({ code, message, hint }: Extract<FromJudge, { type: 'refused' }>): Error {
  return new WatchError(code as WatchErrorCode, message, hint);
}
