import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { REQUIREMENTS } from '#src/requirements/catalogue.ts';
import type { CleanRun, Example } from './example.ts';
import type { ExampleAnswer, ExampleTask } from './example-worker.ts';

/** What the pages show of runs. */
export interface Shown {
  /** An example of a finding by requirement; null where no fault of the proof shows one. */
  readonly examples: Readonly<Record<string, Example | null>>;
  readonly clean: CleanRun;
}

/**
 * Runs against the reference server with faults until there is an example of a finding for each requirement that has
 * faults. Takes a quarter of a minute on two cores.
 *
 * @param killedBy faults that turn each requirement red
 * @throws Error when a run fails
 */
export async function gatherShown(
  killedBy: Readonly<Record<string, readonly string[]>>,
): Promise<Shown> {
  const tasks: ExampleTask[] = [
    { kind: 'clean' },
    ...REQUIREMENTS.flatMap(({ id }): ExampleTask[] => {
      const faults = killedBy[id] ?? [];
      return faults.length === 0 ? [] : [{ kind: 'example', id, faults }];
    }),
  ];
  const examples: Record<string, Example | null> = {};
  let clean: CleanRun | undefined;
  let next = 0;
  const work = async (): Promise<void> => {
    const child = fork(fileURLToPath(new URL('example-worker.js', import.meta.url)));
    try {
      for (let task = tasks[next++]; task !== undefined; task = tasks[next++]) {
        // One process does one thing at a time.
        const answer = await asked(child, task);
        if (answer.kind === 'failed') throw new Error(answer.error);
        if (answer.kind === 'clean') clean = answer.run;
        else examples[answer.id] = answer.example;
      }
    } finally {
      child.disconnect();
    }
  };
  const processes = Math.min(availableParallelism() + 1, tasks.length);
  await Promise.all(Array.from({ length: processes }, work));
  if (clean === undefined) throw new Error('The clean run has no result.');
  return { examples, clean };
}

function asked(child: ChildProcess, task: ExampleTask): Promise<ExampleAnswer> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void =>
      reject(new Error(`A worker process exited with ${String(code)}.`));
    child.once('exit', onExit);
    child.once('message', (answer) => {
      child.off('exit', onExit);
      resolve(answer as ExampleAnswer);
    });
    child.send(task);
  });
}
