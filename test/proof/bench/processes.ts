import { fork, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ServerOrder } from './server-process.ts';

/** A server under measurement. */
export interface MeasuredServer {
  readonly origin: string;
  /** Processor time used so far, user and system, seconds. */
  cpuSeconds(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Starts a server in a process of its own.
 * @throws Error when it ends before it listens
 */
export async function startServer(order: ServerOrder): Promise<MeasuredServer> {
  const file = fileURLToPath(new URL('server-process.js', import.meta.url));
  const child = fork(file, [], { execArgv: [] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const answer = <Value>(message: object): Promise<Value> =>
    new Promise((resolve, reject) => {
      const gone = (): void => reject(new Error(`The ${order.kind} server ended by itself.`));
      child.once('exit', gone);
      child.once('message', (value) => {
        child.off('exit', gone);
        resolve(value as Value);
      });
      child.send(message);
    });
  const { port } = await answer<{ port: number }>(order);
  return {
    origin: `http://127.0.0.1:${port}`,
    async cpuSeconds() {
      const { user, system } = await answer<NodeJS.CpuUsage>({});
      return (user + system) / 1e6;
    },
    async close() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** Runs a program to its end. `cpuSeconds`: what it used, its own children with it. */
export interface TimedRun {
  readonly output: string;
  readonly cpuSeconds: number;
}

/** The shell tells what its children used: Node knows that of itself only. */
const TIMED = '"$@" 3>&-; code=$?; times >&3; exit $code';

/**
 * Runs a program under a shell that measures it.
 * @throws Error when it ends with another code than 0, with its last lines
 */
export function timedRun(
  program: string,
  args: readonly string[],
  options: { readonly env?: Record<string, string>; readonly timeoutMs: number },
): Promise<TimedRun> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', TIMED, 'sh', program, ...args], {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      detached: true,
      ...(options.env !== undefined && { env: options.env }),
    });
    const texts = ['', '', '', ''];
    for (const index of [1, 2, 3]) {
      child.stdio[index]?.on('data', (chunk: Buffer) => {
        texts[index] = (texts[index] + chunk.toString('utf8')).slice(-20_000);
      });
    }
    const stop = (): void => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    };
    const timer = setTimeout(stop, options.timeoutMs);
    process.once('exit', stop);
    const done = (): void => {
      clearTimeout(timer);
      process.off('exit', stop);
    };
    child.once('error', (error) => {
      done();
      reject(error);
    });
    child.once('close', (code) => {
      done();
      const [, output = '', errors = '', times = ''] = texts;
      if (code === 0) resolve({ output, cpuSeconds: childrenSeconds(times) });
      else
        reject(
          new Error(`${program} ended with ${String(code)}: ${(output + errors).slice(-800)}`),
        );
    });
  });
}

/** The second line of `times`: user and system time of the children, as `0m1.23s 0m0.45s`. */
export function childrenSeconds(times: string): number {
  const line = times.trim().split('\n')[1] ?? '';
  const parts = [...line.matchAll(/(\d+)m([\d.]+)s/g)];
  if (parts.length !== 2) throw new Error(`The shell measured nothing: ${times}`);
  return parts.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
}
