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
type Ready = Exclude<Awaited<ReturnType<Calls['open']>>, { hint: string }>;

/** Memory limit of the thread, MiB; the state and a parsed slice of traffic take a third of it. */
const MOST_HEAP = 640;

/**
 * The judge in a separate thread, so that traffic continues whatever happens to it. A dead thread is replaced by one
 * that continues from the saved state.
 * @param onSaid called with events, and with messages for the user
 */
export function judgeLink(workerData: ThreadOptions, onSaid: (said: Said) => void) {
  /** Null if there is no judge. */
  let current: Worker | null = null;
  let calls = 0;
  const waiting = new Map<number, (result: unknown) => void>();
  const say = (line: string): void => onSaid({ type: 'say', line });

  const call: CallJudge = (name, ...given) => {
    if (current === null) return Promise.resolve(undefined);
    calls += 1;
    const number = calls;
    current.postMessage({ call: number, name, given }, []);
    return new Promise((resolve) => {
      waiting.set(number, resolve as (result: unknown) => void);
    });
  };
  const stop = async (): Promise<void> => {
    const worker = current;
    current = null;
    await worker?.terminate();
  };
  const died = (isReplaced: boolean, why: string): void => {
    current = null;
    const lost = [...waiting.values()];
    waiting.clear();
    if (isReplaced) {
      say(`The judge crashed (${why}) and is restarted; traffic continues.`);
      start().catch(({ message }: Error) =>
        say(`The judge cannot be restarted: ${message} Traffic continues, but is not judged.`),
      );
    }
    for (const resolve of lost) resolve(undefined);
  };
  /** Starts the thread. @throws WatchError if the state of an earlier watch cannot be used */
  const start = async (): Promise<Ready> => {
    const worker = new Worker(new URL('./judge-thread.js', import.meta.url), {
      workerData,
      // Flags such as --input-type do not apply to the thread.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP },
    });
    let isReady = false;
    let why = 'it exited';
    worker.on('message', (message: FromJudge) => {
      if (message.type === 'result') {
        waiting.get(message.call)?.(message.result);
        waiting.delete(message.call);
      } else onSaid(message);
    });
    worker.on('error', ({ message }) => (why = message));
    worker.on('exit', () => {
      if (current === worker) died(isReady, why);
    });
    current = worker;
    const opened = await call('open');
    if (opened === undefined) throw new Error(`The judge thread exited immediately (${why}).`);
    if ('hint' in opened) {
      await stop();
      throw new WatchError(opened.code as WatchError['code'], opened.message, opened.hint);
    }
    isReady = true;
    return opened;
  };
  return { call, start, stop };
}
