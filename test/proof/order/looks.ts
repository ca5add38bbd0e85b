import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/** A fault of which it is asked which sets of requests show it. */
export interface LookTask {
  readonly fault: string;
  readonly level: 'must' | 'should';
}

/** Indices of the sets that show a fault. */
export type Look = readonly number[];

/** Looks at faults in one thread a core; results come in the order of the tasks. */
export async function lookAtAll(
  tasks: readonly LookTask[],
  onResult: (done: number) => void,
): Promise<Look[]> {
  const results: Look[] = [];
  let next = 0;
  let done = 0;
  const entry = fileURLToPath(new URL('thread.js', import.meta.url));
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const thread = new Worker(entry);
      let current = -1;
      const give = (): void => {
        current = next;
        next += 1;
        const task = tasks[current];
        if (task === undefined) void thread.terminate().then(() => resolve());
        else thread.postMessage(task, []);
      };
      thread.on('error', reject);
      thread.on('message', (result: Look | 'ready') => {
        if (result !== 'ready') {
          results[current] = result;
          done += 1;
          onResult(done);
        }
        give();
      });
    });
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), tasks.length) }, work));
  return results;
}
