import { spawn } from 'node:child_process';
import { runFailed } from './errors.ts';

/** Time to stop the scenario and write the summary after the first signal, ms. */
const GRACE_MS = 8_000;
const KEPT_CHARACTERS = 20_000;

/**
 * Runs k6 in a separate process group, so that Ctrl-C in a terminal reaches it only through this process: on the first
 * signal k6 stops the scenario and writes its summary, on the second it exits immediately. It never outlives this
 * process.
 * @throws LoadError `ASSAY_LOAD_RUN` if it cannot be started
 */
export function runK6(
  program: string,
  args: readonly string[],
  env: Record<string, string>,
  deadlineMs: number,
  signal: AbortSignal | undefined,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-KEPT_CHARACTERS);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const tell = (what: NodeJS.Signals): void => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, what);
      } catch {
        // The process group has already exited.
      }
    };
    const kill = (): void => tell('SIGKILL');
    let late: NodeJS.Timeout | undefined;
    const stop = (): void => {
      tell('SIGINT');
      late ??= setTimeout(kill, GRACE_MS);
    };
    const timer = setTimeout(stop, deadlineMs);
    signal?.addEventListener('abort', stop, { once: true });
    // A second Ctrl-C exits without waiting.
    process.once('exit', kill);
    const done = (): void => {
      clearTimeout(timer);
      clearTimeout(late);
      signal?.removeEventListener('abort', stop);
      process.off('exit', kill);
    };
    child.once('error', (cause) => {
      done();
      const message = `${program} cannot be started: ${cause.message}`;
      const hint = 'Check the program with `assay doctor`.';
      reject(runFailed(message, hint, cause));
    });
    child.once('close', (code) => {
      done();
      resolve({ code: code ?? -1, output });
    });
    if (signal?.aborted === true) stop();
  });
}
