import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ProofResult, ProofTask } from './task.ts';

interface Message {
  readonly ready?: true;
  readonly result?: ProofResult;
  readonly error?: string;
}

export interface PoolOptions {
  /** Child processes at once; one a core by default. Tasks that mostly wait bear more. */
  readonly processes?: number;
  /** A run that takes longer than so many ms is ended, and its verdict is `interrupted`; unbounded by default. */
  readonly limitMs?: number;
}

/** Child processes that are kept from one call to the next. */
export interface Pool {
  /**
   * Runs tasks; results come in their order.
   * @throws Error with the name of the task when a run fails
   */
  run(
    tasks: readonly ProofTask[],
    onResult?: (result: ProofResult, done: number) => void,
  ): Promise<ProofResult[]>;
  close(): void;
}

/** What a run makes is thrown away soon: with more room for it, less is copied before that (a tenth of the time). */
const execArgv = ['--max-semi-space-size=64'];

/** Each child process keeps its modules and schemas, so that a run costs its requests and little more. */
export function createPool({
  processes = availableParallelism(),
  limitMs = Number.POSITIVE_INFINITY,
}: PoolOptions = {}): Pool {
  const children = new Set<ChildProcess>();
  const idle: ChildProcess[] = [];
  const start = async (): Promise<ChildProcess> => {
    // Tests load this file from its source, which Node 20 cannot run.
    const entry = import.meta.url.endsWith('.ts') ? '../dist/kill/worker.js' : 'worker.js';
    const child = fork(fileURLToPath(new URL(entry, import.meta.url)), ['worker'], { execArgv });
    children.add(child);
    await answer(child);
    return child;
  };
  const runOne = async (child: ChildProcess, task: ProofTask): Promise<ProofResult | undefined> => {
    child.send(task);
    const message = await answer(child, limitMs);
    if (message === undefined) return undefined;
    const { result, error } = message;
    if (result === undefined) throw new Error(`Proof of "${task.name}" failed: ${error ?? ''}`);
    return result;
  };
  return {
    async run(tasks, onResult) {
      const results: ProofResult[] = [];
      let next = 0;
      let done = 0;
      const work = async (): Promise<void> => {
        let child = idle.pop() ?? (await start());
        for (let index = next++; index < tasks.length; index = next++) {
          const task = tasks[index];
          if (task === undefined) break;
          let result = await runOne(child, task);
          if (result === undefined) {
            child.kill('SIGKILL');
            children.delete(child);
            child = await start();
            result = unended(task, limitMs);
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

/** Runs tasks in a pool that is closed afterwards; see `Pool.run`. */
export async function proveAll(
  tasks: readonly ProofTask[],
  onResult?: (result: ProofResult, done: number) => void,
): Promise<ProofResult[]> {
  const pool = createPool();
  try {
    return await pool.run(tasks, onResult);
  } finally {
    pool.close();
  }
}

/** What becomes of a run that had to be ended. */
function unended(task: ProofTask, ms: number): ProofResult {
  return {
    task,
    verdict: 'interrupted',
    exitCode: 130,
    sentence: `The run did not end within ${ms / 1000} seconds.`,
    outcomes: {},
    reasons: {},
    evidence: {},
    validRequests: 0,
    ms,
  };
}

/** The next message of a child; undefined when it takes longer than `limitMs`. */
function answer(
  child: ChildProcess,
  limitMs = Number.POSITIVE_INFINITY,
): Promise<Message | undefined> {
  return new Promise((resolve, reject) => {
    const end = (message: Message | undefined): void => {
      clearTimeout(timer);
      child.off('exit', onExit);
      child.off('message', onMessage);
      resolve(message);
    };
    const onMessage = (message: unknown): void => end(message as Message);
    const onExit = (code: number | null): void => {
      clearTimeout(timer);
      reject(new Error(`A worker of the proof ended with code ${String(code)}`));
    };
    const timer = Number.isFinite(limitMs) ? setTimeout(() => end(undefined), limitMs) : undefined;
    child.once('exit', onExit);
    child.once('message', onMessage);
  });
}
