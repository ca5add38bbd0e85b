import { availableParallelism } from 'node:os';
import { forkPool, takeTasks } from '../kill/pool.ts';
import { askAll } from './asked.ts';
import { requestSets, showing } from './matrix.ts';

/** A fault of which it is asked which sets of requests show it. */
export interface LookTask {
  readonly fault: string;
  readonly level: 'must' | 'should';
}

/** Indices of the sets that show a fault. */
export type Look = readonly number[];

/** Looks at faults in one process a core; results come in the order of the tasks. */
export async function lookAtAll(
  tasks: readonly LookTask[],
  onResult: (done: number) => void,
): Promise<Look[]> {
  const pool = forkPool<LookTask, Look>(import.meta.filename);
  const told = (_look: Look, done: number): void => onResult(done);
  return pool.run(tasks, told, availableParallelism()).finally(() => pool.close());
}

if (process.argv[1] === import.meta.filename) {
  const asked = await askAll(1);
  const shownBy = showing(asked, requestSets(asked));
  takeTasks(({ fault, level }: LookTask) => shownBy(fault, level));
}
