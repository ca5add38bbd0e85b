import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { decodedText } from '../text/decoded-text.ts';
import { TargetError } from './errors.ts';

/** A command may have to ask somebody to touch a token. */
export const COMMAND_MS = 60_000;
/** Keys are short, and a run has a handful of them. */
export const MOST_BYTES = 64 * 1024;

/**
 * Valid keys from a file, one a line; empty lines and those that begin with `#` do not count. A file of one's own must
 * be closed to others, as ssh has it; one that somebody else put there, such as a secret that a container is given, has
 * the mode that they chose.
 *
 * @param origin how the file was named, for messages
 * @throws TargetError `ASSAY_TARGET_KEY` when the file cannot be read, is open to others or holds no key
 */
export function keysOfFile(file: string, origin: string): string[] {
  let text: string;
  try {
    const { mode, uid, size } = statSync(file);
    const isOpen = (mode & 0o077) !== 0 && process.getuid?.() === uid;
    if (isOpen && process.platform !== 'win32') {
      throw refused(
        `${origin}: ${file} is open to other users (mode ${(mode & 0o777).toString(8).padStart(4, '0')}).`,
        `Close it: chmod 600 ${/^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", String.raw`'\''`)}'`}`,
      );
    }
    if (size > MOST_BYTES) throw new Error(`larger than ${MOST_BYTES / 1024} KiB`);
    text = decodedText(readFileSync(file));
  } catch (cause) {
    if (cause instanceof TargetError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw refused(
      `${origin}: ${file} cannot be read: ${why}`,
      'Give the path of a file with one valid key a line.',
    );
  }
  const keys = keysOfLines(text);
  if (keys.length > 0) return keys;
  throw refused(`${origin}: ${file} holds no key.`, 'Write one valid key a line.');
}

/**
 * Valid keys from a command, such as that of a password store, one a line. It is run without a shell and once; neither
 * what it prints nor what it complains of is shown, since either may be a key.
 *
 * @param command program and arguments
 * @param cwd folder that it runs in; that of the target file
 * @throws TargetError `ASSAY_TARGET_KEY` when the command cannot be run, fails or prints no key
 */
export function keysOfCommand(command: readonly string[], cwd?: string): string[] {
  const [program = '', ...args] = command;
  const { status, signal, stdout, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    timeout: COMMAND_MS,
    maxBuffer: MOST_BYTES,
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  });
  const hint = 'Run it by hand: it has to print one valid key a line, and nothing else.';
  if (error !== undefined) throw refused(`keyCommand: ${program}: ${reasonOf(error)}.`, hint);
  if (status !== 0) throw refused(`keyCommand: ${program} ${hasEnded(status, signal)}.`, hint);
  const keys = keysOfLines(stdout);
  if (keys.length > 0) return keys;
  throw refused(`keyCommand: ${program} printed no key.`, hint);
}

/** How a command ended, completing "the program …". */
export function hasEnded(status: number | null, signal: string | null): string {
  return status === null ? `was ended by ${signal ?? 'a signal'}` : `ended with ${status}`;
}

/** Why a command could not be run, or not to its end. */
export function reasonOf(error: Error & { code?: string | number | null }): string {
  if (error.code === 'ENOENT') return 'there is no such program, or the folder is gone';
  if (error.code === 'ETIMEDOUT') return `did not end within ${COMMAND_MS / 1000} s`;
  if (error.code === 'ENOBUFS' || error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return `printed more than ${MOST_BYTES / 1024} KiB`;
  return `cannot be run (${error.code ?? error.name})`;
}

function keysOfLines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function refused(message: string, hint: string): TargetError {
  return new TargetError('ASSAY_TARGET_KEY', message, hint);
}
