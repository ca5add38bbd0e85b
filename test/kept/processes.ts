import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { TestProject } from 'vitest/node';
import { cleanEnvironment } from './environment.ts';
import type { Answer, Job } from './job.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Socket on which the kept processes take programs. */
    keptPrograms: string;
  }
}

/**
 * Global setup of the tests: processes that are kept from one test file to the next and run programs for them
 * (`program.mjs`). They start when the first program comes, and end with the tests.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-kept-'));
  const socket = path.join(folder, 'programs');
  // As many as there are test files at once.
  const kept = new KeptProcesses(project.vitest.config.maxWorkers);
  const server = createServer((connection) => {
    const lines = createInterface(connection);
    lines.on('line', (line) => {
      void kept.run(JSON.parse(line) as Job).then((answer) => reply(connection, answer));
    });
    // A test that was ended does not wait for its program. The lines pass the errors of their stream on.
    for (const end of [lines, connection]) end.on('error', () => connection.destroy());
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  project.provide('keptPrograms', socket);
  return async () => {
    server.close();
    try {
      await kept.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

function reply(connection: Socket, answer: Answer): void {
  if (!connection.destroyed) connection.end(`${JSON.stringify(answer)}\n`);
}

class KeptProcesses {
  readonly #most: number;
  readonly #idle: ChildProcess[] = [];
  readonly #waiting: ((child: ChildProcess) => void)[] = [];
  readonly #codes: Promise<number | null>[] = [];
  #started = 0;

  /** @param most of them at once */
  constructor(most: number) {
    this.#most = most;
  }

  /** Runs a program in a process that has nothing else to do. */
  async run(job: Job): Promise<Answer> {
    const child = await this.#take();
    const answer = await new Promise<Answer>((resolve) => {
      const onExit = (code: number | null): void => {
        child.off('message', onMessage);
        resolve({
          error: `The kept process ended with code ${code} while it ran ${job.args.join(' ')}`,
        });
      };
      const onMessage = (message: unknown): void => {
        child.off('exit', onExit);
        resolve(message as Answer);
      };
      child.once('exit', onExit);
      child.once('message', onMessage);
      child.send(job);
    });
    await this.#release(child);
    return answer;
  }

  /** @throws Error when a process does not end well: a program left it so */
  async close(): Promise<void> {
    for (const child of this.#idle) child.disconnect();
    const codes = await Promise.all(this.#codes);
    if (codes.some((code) => code !== 0)) {
      throw new Error(`Kept processes ended with the codes ${codes.join(', ')}.`);
    }
  }

  async #take(): Promise<ChildProcess> {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    if (this.#started < this.#most) {
      this.#started += 1;
      return this.#start();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async #release(child: ChildProcess): Promise<void> {
    const next = this.#waiting.shift();
    if (child.connected && next === undefined) this.#idle.push(child);
    else if (child.connected) next?.(child);
    else if (next === undefined) this.#started -= 1;
    else next(await this.#start());
  }

  async #start(): Promise<ChildProcess> {
    const child = fork(path.join(import.meta.dirname, 'program.mjs'), {
      env: cleanEnvironment(),
      // As in `vitest.config.ts`: most of what a run makes is gone at once.
      execArgv: ['--max-semi-space-size=64'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#codes.push(new Promise((resolve) => child.once('exit', resolve)));
    await new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve());
      child.once('error', reject);
    });
    return child;
  }
}
