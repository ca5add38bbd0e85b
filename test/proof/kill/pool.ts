import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

/** Child processes that are kept from one call to the next. */
export interface Pool<Task, Result> {
  /**
   * Runs tasks; results come in their order.
   *
   * @param processes child processes at once; one more than there are cores by default, since runs wait now and then. Tasks
   *   that mostly wait allow for more.
   * @throws Error with the task when one fails
   */
  run(
    tasks: readonly Task[],
    onResult?: (result: Result, done: number) => void,
    processes?: number,
  ): Promise<Result[]>;
  close(): void;
}

/** How long a task may take, and what becomes of one that had to be ended. */
export interface TaskLimit<Task, Result> {
  readonly ms: number;
  readonly unended: (task: Task) => Result;
}

interface Message<Result> {
  readonly result?: Result;
  readonly error?: string;
}

/** What a run makes is thrown away soon: with more room for it, less is copied before that (a fifth of the time). */
const execArgv = ['--min-semi-space-size=128', '--max-semi-space-size=128'];

/** A pool of processes of a file that calls `takeTasks`. They keep what they have loaded, so that a task costs little more. */
export function forkPool<Task, Result>(
  file: string,
  limit?: TaskLimit<Task, Result>,
): Pool<Task, Result> {
  const children = new Set<ChildProcess>();
  const idle: ChildProcess[] = [];
  const start = async (): Promise<ChildProcess> => {
    const child = fork(file, { execArgv });
    children.add(child);
    await answer(child);
    return child;
  };
  return {
    async run(tasks, onResult, processes = availableParallelism() + 1) {
      const results: Result[] = [];
      const open = tasks.entries();
      let done = 0;
      const work = async (): Promise<void> => {
        let child = idle.pop() ?? (await start());
        for (const [index, task] of open) {
          child.send(task as object);
          const message = await answer<Result>(child, limit?.ms);
          if (message?.error !== undefined) throw new Error(message.error);
          let result = message?.result;
          if (result === undefined) {
            child.kill('SIGKILL');
            children.delete(child);
            child = await start();
            result = limit?.unended(task) as Result;
          }
          results[index] = result;
          onResult?.(result, (done += 1));
        }
        idle.push(child);
      };
      await Promise.all(Array.from({ length: Math.min(processes, tasks.length) }, work));
      return results;
    },
    close() {
      for (const child of children) if (child.connected) child.disconnect();
    },
  };
}

/** The next message of a child; undefined when it takes longer than `ms`. */
async function answer<Result>(
  child: ChildProcess,
  ms?: number,
): Promise<Message<Result> | undefined> {
  const over = new AbortController();
  const { signal } = over;
  const ended = async (): Promise<never> => {
    const [code] = (await once(child, 'exit', { signal })) as [number | null];
    throw new Error(`A worker of the proof ended with code ${String(code)}`);
  };
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message as Message<Result>),
      ended(),
      ...(ms === undefined ? [] : [sleep(ms, undefined, { signal })]),
    ]);
  } finally {
    over.abort();
  }
}

/** Makes this process, a child of a pool, run the tasks that it is sent, one after the other, until its parent disconnects. */
export function takeTasks(run: (task: never) => unknown): void {
  const answerTo = async (task: unknown): Promise<void> => {
    try {
      process.send?.({ result: await run(task as never) });
    } catch (error) {
      process.send?.({ error: `${JSON.stringify(task)} failed: ${inspect(error)}` });
    }
  };
  process.on('message', (task: unknown) => void answerTo(task));
  process.on('disconnect', () => process.exit(0));
  process.send?.({});
}
