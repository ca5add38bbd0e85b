import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment } from '../kept/environment.ts';
import { scratch, type Ended } from './assay.ts';

const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

/** Whether the tool that provides a terminal is installed; Debian always has it. */
export const hasTerminal =
  process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

export interface InTerminal {
  readonly child: ChildProcess;
  /** Types a text; Ctrl-C is `\x03`. */
  type(text: string): void;
  /** Sends a signal to the `assay` process. False when it has not started or has ended. */
  signal(name: NodeJS.Signals): boolean;
  readonly ended: Promise<Ended>;
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Starts `assay` in a new terminal: both streams are one, and Ctrl-C is typed. */
export function startInTerminal(args: readonly string[]): InTerminal {
  const command = [process.execPath, main, ...args].map(quoted).join(' ');
  const child = spawn('script', ['-q', '-e', '-f', '-c', `exec ${command}`, '/dev/null'], {
    cwd: scratch,
    env: { ...cleanEnvironment(), TERM: 'xterm', SHELL: '/bin/sh' },
  });
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stdin.on('error', () => undefined);
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr: '', text: stdout }));
  });
  return {
    child,
    type: (text) => void child.stdin.write(text),
    signal: (name) => {
      const pid = childOf(child.pid ?? 0);
      if (pid === undefined) return false;
      try {
        return process.kill(pid, name);
      } catch {
        return false;
      }
    },
    ended,
  };
}

function childOf(pid: number): number | undefined {
  try {
    const [first = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    return first === '' ? undefined : Number(first);
  } catch {
    return undefined;
  }
}
