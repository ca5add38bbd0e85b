import { fork } from 'node:child_process';
import type { ReferenceOptions } from '../reference/reference.ts';
import { resolveTarget } from '../target/file/resolve-target.ts';
import type { Target, TargetFile } from '../target/target.ts';
import { usage } from './errors.ts';
import { packageFile } from './package-root.ts';

/** Options of the reference server that can be sent to another process. */
export type EmbeddedOptions = Omit<ReferenceOptions, 'clock' | 'world'>;

export interface ReferenceProcess {
  readonly target: Target;
  close(): Promise<void>;
}

interface Message {
  readonly target?: TargetFile;
  readonly error?: string;
}

/**
 * Starts the reference server in another process, on a free loopback port.
 * @throws LoadError with its message if it does not start
 */
export async function startReferenceProcess(options: EmbeddedOptions): Promise<ReferenceProcess> {
  const child = fork(packageFile('dist', 'src', 'load', 'reference-process.js'), [], {
    execArgv: [],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const message = await new Promise<Message>((resolve, reject) => {
    child.once('message', (value) => resolve(value as Message));
    child.once('error', reject);
    child.once('exit', (code) => resolve({ error: `it exited with ${String(code)}` }));
    child.send(options);
  });
  if (message.target === undefined) {
    throw usage(
      `The reference server did not start: ${message.error ?? 'no target'}`,
      '`assay serve --list` lists faults and variants.',
    );
  }
  return {
    target: resolveTarget({ env: {}, file: message.target }),
    async close() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
