import { JournalError } from './journal.ts';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { makeFolder } from '../../fs/make-folder.ts';
import { reasonOf } from '../../http/record/journal-writer.ts';
import { CodedError } from '../../text/hinted-error.ts';
import { isObject, parsedJson } from '../../text/json-value.ts';

/** Name of the lock file in a report folder. It exists while a process writes into the folder. */
export const LOCK_FILE = 'assay.lock';

/** Another process uses the folder. Nothing was changed or sent. */
export class FolderInUse extends CodedError('ASSAY_FOLDER_IN_USE') {}

/** Content of a lock file: the process that uses the folder. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly command: string;
  readonly since: string;
}

/** A folder locked by this process. */
export type HeldFolder = Awaited<ReturnType<typeof holdFolder>>;

/** This process as the holder of a lock. */
export const ownHolder = (command: string): Holder => ({
  pid: process.pid,
  host: hostname(),
  command,
  since: new Date().toISOString(),
});

/**
 * Locks a folder with an exclusively created file; creates the folder if it is missing. The maintained lock libraries
 * expire locks by age, which would steal the lock of a suspended process.
 * @param command the owner, named in errors of other processes
 * @returns `said`: a message if the lock of a dead process was taken over; `release`, which is also called on exit
 * @throws FolderInUse when another process has the lock; JournalError when the folder cannot be created or written
 */
export async function holdFolder(folder: string, command: string) {
  const file = path.join(folder, LOCK_FILE);
  const own = JSON.stringify(ownHolder(command));
  let said: readonly string[];
  try {
    makeFolder(folder);
    said = create(file, own) ? [] : [takeOver(file, own)];
  } catch (error) {
    if (error instanceof FolderInUse) throw error;
    throw new JournalError(
      `The folder ${folder} is not writable: ${reasonOf(error)}. No requests were sent.`,
      'Choose a writable folder with --output, or free up disk space.',
      { cause: error },
    );
  }
  const release = (): void => {
    process.off('exit', release);
    // Do not remove the lock of another process that replaced ours.
    if (textOf(file) === own) rmSync(file, { force: true });
  };
  process.on('exit', release);
  return { said, release };
}

/**
 * Runs something while holding the lock of a folder.
 * @param say called if the lock of a dead process was taken over
 * @throws FolderInUse and JournalError like {@link holdFolder}; whatever the work throws
 */
export async function whileHolding<T>(
  folder: string,
  command: string,
  work: () => Promise<T>,
  say: (line: string) => void = () => undefined,
): Promise<T> {
  const { said, release } = await holdFolder(folder, command);
  try {
    said.forEach(say);
    return await work();
  } finally {
    release();
  }
}

/**
 * Checks that no process uses a folder, without locking it.
 * @param resume true for the folder of a run to resume, which must not be running
 * @throws FolderInUse when a process uses it, or may use it
 */
export function mustBeFree(folder: string, resume = false): void {
  const file = path.join(folder, LOCK_FILE);
  const text = textOf(file);
  if (text !== null) goneHolder(file, text, resume);
}

function create(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Replaces the lock of a dead process, and says so. If several processes try, the one that creates the takeover file
 * wins; the others fail.
 */
function takeOver(file: string, own: string): string {
  const takeover = `${file}.takeover`;
  const text = textOf(file);
  const gone = text === null ? null : goneHolder(file, text, false);
  if (gone !== null && create(takeover, own)) {
    if (textOf(file) === text) {
      renameSync(takeover, file);
      return `\`${gone.command}\` (pid ${gone.pid}, since ${takenAt(gone)}) ended without unlocking ${path.dirname(file)}; its lock was taken over.`;
    }
    rmSync(takeover, { force: true });
  }
  throw new FolderInUse(
    `Another process is taking over the lock ${file}.`,
    `Try again, or choose another folder with --output. If no run uses this folder, remove ${file} and ${takeover}.`,
  );
}

/** The content of a lock file; null when there is none. @throws FolderInUse when it cannot be read */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR'].includes(code)) return null;
    throw unreadable(file, reasonOf(error));
  }
}

/** The holder in a lock file, which has ended. @throws FolderInUse when it has not, or may not have */
function goneHolder(file: string, text: string, resume: boolean): Holder {
  const held = holderFrom(text);
  // It may be in the middle of being written.
  if (held === undefined) throw unreadable(file, 'it does not name its owner');
  const { pid, host, command } = held;
  const isOurs = host === hostname();
  if (isOurs && !isRunning(pid)) return held;
  const local = resume
    ? `The run is still in progress. Wait until it has ended, or interrupt it with \`kill -INT ${pid}\` and then resume it.`
    : 'Wait until it has ended, or choose another folder with --output.';
  const remote = `The process that holds the lock was started on another host, so Assay cannot see whether it is still running. ${resume ? 'When' : 'Choose another folder with --output, or, when'} it has ended, remove ${file} and repeat the command.`;
  throw new FolderInUse(
    `\`${command}\` (pid ${pid} on ${host}) has held the lock on ${path.dirname(file)} since ${takenAt(held)}. Nothing was sent or changed.`,
    isOurs ? local : remote,
  );
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Parses a lock file; undefined when it is invalid. */
export function holderFrom(text: string): Holder | undefined {
  const value = parsedJson(text);
  if (!isObject(value)) return undefined;
  const { pid, host, command, since } = value;
  const texts = [host, command, since].every((one) => typeof one === 'string');
  // A pid of 0 or below is a process group.
  const isPid = Number.isInteger(pid) && Number(pid) > 0;
  return texts && isPid ? (value as unknown as Holder) : undefined;
}

const unreadable = (file: string, why: string): FolderInUse =>
  new FolderInUse(
    `The lock file ${file} cannot be read: ${why}. A run may be using the folder.`,
    `Choose another folder with --output. If no run uses this folder, remove ${file}.`,
  );

const takenAt = ({ since }: Holder): string => `${since.slice(0, 19).replace('T', ' ')} UTC`;
