import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment } from '../kept/environment.ts';
import { runKept } from '../kept/run-kept.ts';

export interface Task {
  readonly faults: readonly string[];
  readonly variants: readonly string[];
}

/** Results of a run and of checks of its files for one server. */
export interface Compared {
  readonly task: string;
  /** Requirements with findings in the run. */
  readonly failing: readonly string[];
  /** Of the run, of the check of its HAR, of the check of its results.json. */
  readonly verdicts: readonly string[];
  readonly verified: readonly [run: number, check: number];
  /** Findings of only one of them. */
  readonly differences: readonly string[];
  /** Findings of parts of the same traffic, as another tool would have recorded it, that the run does not have. */
  readonly alarms: readonly string[];
}

const worker = fileURLToPath(new URL('own-run-worker.mjs', import.meta.url));

/** Runs the suites and checks their files, one task after the other. */
export async function compare(tasks: readonly Task[]): Promise<Compared[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay own run '));
  try {
    const { stdout } = await runKept({
      program: worker,
      args: [JSON.stringify({ tasks, folder })],
      cwd: folder,
      env: cleanEnvironment(),
    });
    const lines = stdout.split('\n').filter((line) => line.startsWith('{"task"'));
    return lines.map((line) => JSON.parse(line) as Compared);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
