import { spawn } from 'node:child_process';

/** How a program ended. */
export interface Ended {
  /** Null when it was stopped. */
  readonly code: number | null;
  /** True when its time was over before it ended. */
  readonly late: boolean;
  /** The last part of what it printed. */
  readonly text: string;
}

const KEPT_CHARACTERS = 20_000;

/**
 * Runs a program to its end, at most `timeoutMs`. It is stopped when `signal` aborts.
 * @throws Error when it cannot be started or when `signal` aborts
 */
export function runProgram(
  program: string,
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
    readonly env?: NodeJS.ProcessEnv;
  },
): Promise<Ended> {
  const { cwd, timeoutMs, signal, env = process.env } = options;
  return new Promise((resolve, reject) => {
    let text = '';
    let late = false;
    // A process group of its own: Ctrl-C reaches the bench first, which then stops its children in order.
    const child = spawn(program, args, {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const stop = (): void => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        child.kill('SIGKILL');
      }
    };
    const timer = setTimeout(() => {
      late = true;
      stop();
    }, timeoutMs);
    signal.addEventListener('abort', stop, { once: true });
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    };
    const keep = (chunk: Buffer): void => {
      text = (text + chunk.toString('utf8')).slice(-KEPT_CHARACTERS);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) => {
      done();
      reject(new Error(`${program} cannot be started: ${error.message}`, { cause: error }));
    });
    child.once('close', (code) => {
      done();
      if (signal.aborted) reject(new Error('interrupted'));
      else resolve({ code, late, text });
    });
    if (signal.aborted) stop();
  });
}
