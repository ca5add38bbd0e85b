import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment } from '../kept/environment.ts';
import { runKept } from '../kept/run-kept.ts';

const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both, as in a terminal. */
  readonly text: string;
}

export interface Running {
  readonly child: ChildProcess;
  /** Output so far. */
  output(): string;
  /** Resolves when the output contains the text. */
  until(text: string): Promise<void>;
  readonly ended: Promise<Ended>;
}

/** A separate folder for each test file, with a space in its path. */
export let scratch = mkdtempSync(path.join(tmpdir(), 'assay test '));

/** Sets the folder of the next test file; many files share this module in one process (`test/kept/own-folder.ts`). */
export function newScratch(): void {
  scratch = mkdtempSync(path.join(tmpdir(), 'assay test '));
}

/**
 * Starts `assay` in a new process without the environment variables of the test machine, for tests with signals and pipes.
 */
export function start(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Running {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: scratch,
    env: { ...cleanEnvironment(), ...env },
  });
  let stdout = '';
  let stderr = '';
  const watchers = new Set<() => void>();
  const told = (): void => {
    for (const watcher of watchers) watcher();
  };
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    told();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    told();
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => {
      resolve({ code, stdout, stderr, text: stdout + stderr });
      told();
    });
  });
  return {
    child,
    ended,
    output: () => stdout + stderr,
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if ((stdout + stderr).includes(text)) resolve();
          else if (child.exitCode !== null)
            reject(new Error(`ended without "${text}":\n${stdout}${stderr}`));
          else return;
          watchers.delete(look);
        };
        watchers.add(look);
        look();
      }),
  };
}

/**
 * Runs `assay` in a reused process, which is faster. A run leaves its results and no other report, unless its arguments
 * have `--format`: they take a third of a run.
 */
export function assay(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const isBare = args[0] === 'run' && !args.some((arg) => arg.startsWith('--format'));
  return assayAsIs(isBare ? [...args, '--format', 'json'] : args, env);
}

/** Runs `assay` with exactly these arguments in a reused process. */
export async function assayAsIs(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const { code, stdout, stderr } = await runKept({
    program: main,
    args,
    cwd: scratch,
    env: { ...cleanEnvironment(), ...env },
  });
  return { code, stdout, stderr, text: stdout + stderr };
}

/** Starts `assay serve` on a free port and returns its output. */
export async function serve(
  args: readonly string[] = [],
): Promise<{ baseUrl: string; target: string; stop: () => Promise<Ended> }> {
  const running = start(['serve', '--port', '0', ...args]);
  await running.until('}\n');
  const { baseUrl, target } = JSON.parse(running.output()) as { baseUrl: string; target: string };
  return {
    baseUrl,
    target,
    stop: () => {
      running.child.kill('SIGTERM');
      return running.ended;
    },
  };
}
