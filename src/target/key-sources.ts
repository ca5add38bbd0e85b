import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { shellQuote } from '../text/curl.ts';
import { decodedText } from '../text/decoded-text.ts';
import { TargetError } from './errors.ts';

/** Timeout of a command, ms: it may wait for the user to touch a security token. */
const COMMAND_MS = 60_000;
/** Maximum size of key files and command output, bytes. */
const MOST_BYTES = 64 * 1024;

/**
 * Valid keys from a file, one per line; empty lines and lines starting with `#` are ignored. A file owned by the user
 * must not be accessible to others, as with ssh; files of other owners, such as mounted container secrets, may have any
 * mode.
 * @param origin the setting that names the file, for messages
 * @throws TargetError `ASSAY_TARGET_KEY` when the file cannot be read, is accessible to others or contains no key
 */
export function keysOfFile(file: string, origin: string): string[] {
  let text: string;
  try {
    const { mode, uid, size } = statSync(file);
    const isOpen = (mode & 0o077) !== 0 && process.getuid?.() === uid;
    if (isOpen && process.platform !== 'win32') {
      throw refused(
        `${origin}: ${file} is accessible to other users (mode ${(mode & 0o777).toString(8).padStart(4, '0')}).`,
        `Restrict access: chmod 600 ${shellQuote(file)}`,
      );
    }
    if (size > MOST_BYTES) throw new Error(`larger than ${MOST_BYTES / 1024} KiB`);
    text = decodedText(readFileSync(file));
  } catch (cause) {
    if (cause instanceof TargetError) throw cause;
    throw refused(
      `${origin}: ${file} cannot be read: ${(cause as Error).message}`,
      'Use the path of a file with one valid key per line.',
    );
  }
  const empty = refused(`${origin}: ${file} contains no key.`, 'Put one valid key on each line.');
  return keysOfLines(text, empty);
}

/**
 * Valid keys from a command, such as a password manager, one per line. The command is run once, without a shell; its
 * output is never shown, because it may contain keys.
 * @param command program and arguments
 * @param cwd its working directory: the folder of the target file
 * @throws TargetError `ASSAY_TARGET_KEY` when the command cannot be run, fails or prints no key
 */
export function keysOfCommand(command: readonly string[], cwd?: string): string[] {
  const hint = 'Run the command by hand: it must print one valid key per line and nothing else.';
  const stdout = printedBy(command, cwd, (why) => refused(`keyCommand: ${why}.`, hint));
  return keysOfLines(stdout, refused(`keyCommand: ${command[0] ?? ''} printed no key.`, hint));
}

/** Options for running a command that prints secrets. */
export const MANNER = {
  encoding: 'utf8',
  timeout: COMMAND_MS,
  maxBuffer: MOST_BYTES,
  windowsHide: true,
} as const;

/**
 * What a command prints.
 * @param refuse makes the error for the reason that there is nothing, which begins with the program
 */
export function printedBy(
  [program = '', ...args]: readonly string[],
  cwd: string | undefined,
  refuse: (why: string) => TargetError,
): string {
  const { status, signal, stdout, error } = spawnSync(program, args, {
    ...MANNER,
    cwd,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (error !== undefined) throw refuse(`${program}: ${reasonOf(error)}`);
  if (status !== 0) throw refuse(`${program} ${hasEnded(status, signal)}`);
  return stdout;
}

/** How a command ended, after its name. */
export function hasEnded(status: number | null, signal: string | null): string {
  return status === null ? `was terminated by ${signal ?? 'a signal'}` : `exited with ${status}`;
}

/** Why a command could not be run or did not finish. */
export function reasonOf(error: Error & { code?: string | number | null }): string {
  if (error.code === 'ENOENT') return 'program or folder not found';
  if (error.code === 'ETIMEDOUT') return `did not finish within ${COMMAND_MS / 1000} s`;
  if (error.code === 'ENOBUFS' || error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return `printed more than ${MOST_BYTES / 1024} KiB`;
  return `cannot be run (${error.code ?? error.name})`;
}

/** @param empty the error when there is no key */
function keysOfLines(text: string, empty: TargetError): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (keys.length === 0) throw empty;
  return keys;
}

function refused(message: string, hint: string): TargetError {
  return new TargetError('ASSAY_TARGET_KEY', message, hint);
}
