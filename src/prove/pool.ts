import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ProofResult, ProofTask } from './task.ts';

interface Message {
  readonly ready?: true;
  readonly result?: ProofResult;
  readonly error?: string;
}

/**
 * Runs tasks in child processes, one a core: each keeps its own Vitest, so that a run costs its requests and little
 * more. Results come in the order of the tasks.
 * @throws Error with the name of the task when a run fails
 */
export async function proveAll(
  tasks: readonly ProofTask[],
  onResult: (result: ProofResult, done: number) => void = () => undefined,
): Promise<ProofResult[]> {
  const results: ProofResult[] = [];
  let next = 0;
  let done = 0;
  const take = async (child: ChildProcess): Promise<void> => {
    await answer(child);
    for (let index = next++; index < tasks.length; index = next++) {
      const task = tasks[index];
      if (task === undefined) return;
      child.send(task);
      const { result, error } = await answer(child);
      if (result === undefined) throw new Error(`Proof of "${task.name}" failed: ${error ?? ''}`);
      results[index] = result;
      onResult(result, (done += 1));
    }
  };
  const children = Array.from({ length: Math.min(availableParallelism(), tasks.length) }, () =>
    fork(
      fileURLToPath(
        new URL(
          import.meta.url.endsWith('.ts') ? '../../dist/prove/worker.js' : 'worker.js',
          import.meta.url,
        ),
      ),
      ['worker'],
    ),
  );
  try {
    await Promise.all(children.map(take));
  } finally {
    for (const child of children) if (child.connected) child.disconnect();
  }
  return results;
}

function answer(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => {
      reject(new Error(`A worker of the proof ended with code ${String(code)}`));
    };
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message as Message);
    });
  });
}
