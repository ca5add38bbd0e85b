import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cleanEnvironment } from './environment.ts';
import { runKept } from './run-kept.ts';
import type { ProofResult, ProofTask } from '../proof/kill/catalogue.ts';

const command = path.join(import.meta.dirname, '../proof/dist/main.js');

/** Runs the command of the proof in a kept process. That runs its tasks itself; with `npm run prove` children do. */
export async function prove(...args: string[]): Promise<{ code: number; text: string }> {
  const job = { program: command, args, cwd: tmpdir(), env: cleanEnvironment() };
  const { code, stdout, stderr } = await runKept(job);
  return { code, text: stdout + stderr };
}

/** Runs tasks of the proof in kept processes; results come in their order. */
export function proveTasks(tasks: readonly ProofTask[]): Promise<ProofResult[]> {
  const program = path.join(import.meta.dirname, 'prove-task.mjs');
  return Promise.all(
    tasks.map(async (task) => {
      const job = { program, args: [JSON.stringify(task)], cwd: tmpdir(), env: cleanEnvironment() };
      const { stdout } = await runKept(job);
      return JSON.parse(stdout) as ProofResult;
    }),
  );
}

/** What the proof says of faults by operators whose ids begin so. */
export interface OperatorEnd {
  readonly text: string;
  /** Faults that nothing turned red for. */
  readonly survivors: readonly { readonly id: string }[];
}

/** Shows faults by operators to the smallest profile: the replay of a clean run first, or nothing but runs. */
export async function proveOperators(
  ids: readonly string[],
  how: 'replay' | 'runs',
): Promise<OperatorEnd> {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay proof '));
  try {
    const file = path.join(folder, 'survivors.json');
    const wanted = ids.flatMap((id) => ['--operator', id]);
    const more = how === 'runs' ? ['--runs'] : [];
    const { text } = await prove('--profile', 'smoke', ...wanted, ...more, '--json', file);
    return { text, ...(JSON.parse(readFileSync(file, 'utf8')) as Pick<OperatorEnd, 'survivors'>) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
