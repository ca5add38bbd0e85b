import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../../fs/make-folder.ts';
import { reasonOf } from '../../http/record/journal-writer.ts';
import { isObject } from '../../text/json-value.ts';
import { JournalError } from './journal-errors.ts';

/** Name of the lock in the folder of a run. It is there while a process writes into the folder. */
export const LOCK_FILE = 'assay.lock';

/** How often, and how far apart, a lock file is read again that is just being written, ms. */
const READS = 40;
const READ_MS = 25;

/** Another process writes into the folder. Nothing in it was touched, and nothing was sent. */
export class FolderInUse extends Error {
  readonly code = 'ASSAY_FOLDER_IN_USE';
  /** The way out. */
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = 'FolderInUse';
    this.hint = hint;
  }
}

/** Who writes into a folder: the content of its lock. */
export interface Holder {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  /** What was started, such as `assay run`. */
  readonly command: string;
  /** When the folder was taken, ISO 8601. */
  readonly since: string;
}

/** A folder that this process alone writes into. */
export interface HeldFolder {
  /** A sentence about the lock of a dead process that was taken over, if there was one. */
  readonly said: readonly string[];
  /** Lets go of the folder. Also happens when the process ends in order; more than once is once. */
  release(): void;
}

/** This process as the holder of a lock. */
export const ownHolder = (command: string): Holder => ({
  id: randomBytes(8).toString('hex'),
  pid: process.pid,
  host: hostname(),
  command,
  since: new Date().toISOString(),
});

/**
 * Takes a folder for writing, and makes it when it is missing: by a file that is created exclusively. No library fits:
 * those that are well kept go by the age of a lock, which takes it away from a process that was only stopped.
 *
 * @param command what writes there, as the refusal of the next one names it
 * @throws FolderInUse when another process has it; JournalError when the folder cannot be made or written to
 */
export async function holdFolder(folder: string, command: string): Promise<HeldFolder> {
  const file = path.join(folder, LOCK_FILE);
  const own = ownHolder(command);
  let stale: Holder | null = null;
  try {
    makeFolder(folder);
    if (!(await create(file, own))) stale = await takeOver(file, own);
  } catch (error) {
    if (error instanceof FolderInUse) throw error;
    throw new JournalError(
      `The folder ${folder} cannot be written to: ${reasonOf(error)}. Nothing was sent.`,
      'Name a folder that can be written with --output, or make room on the disk.',
      { cause: error },
    );
  }
  const release = (): void => {
    process.off('exit', release);
    // Whoever took the folder by hand has it.
    if (holderNow(file)?.id === own.id) rmSync(file, { force: true });
  };
  process.on('exit', release);
  const said =
    stale === null
      ? []
      : [
          `\`${stale.command}\` (pid ${stale.pid}, since ${moment(stale)}) ended without releasing ${folder}; its lock was taken over.`,
        ];
  return { said, release };
}

/**
 * Does something with a folder that no other process writes into.
 *
 * @param say told when the lock of a process that died was taken over
 * @throws FolderInUse and JournalError, as {@link holdFolder}; what the work throws
 */
export async function whileHolding<T>(
  folder: string,
  command: string,
  work: () => Promise<T>,
  say: (line: string) => void = () => undefined,
): Promise<T> {
  const held = await holdFolder(folder, command);
  try {
    for (const line of held.said) say(line);
    return await work();
  } finally {
    held.release();
  }
}

/**
 * Makes sure that no process writes into a folder, without taking it.
 * @param resume true when the folder is to be resumed: what is still running was not interrupted
 * @throws FolderInUse when one does, or may
 */
export async function mustBeFree(folder: string, resume = false): Promise<void> {
  const file = path.join(folder, LOCK_FILE);
  const held = await holderIn(file);
  if (held !== null && !isGone(held)) throw refusal(file, held, resume);
}

/** Creates a file that says who holds it; false when there is one. */
async function create(file: string, own: Holder): Promise<boolean> {
  try {
    await writeFile(file, `${JSON.stringify(own)}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Replaces the lock of a dead process. Of several that try at once, the one that creates the file of the takeover looks
 * again and replaces the lock; the others are refused.
 */
async function takeOver(file: string, own: Holder): Promise<Holder | null> {
  const stale = await holderIn(file);
  if (stale === null) {
    if (await create(file, own)) return null;
    throw busy(file);
  }
  if (!isGone(stale)) throw refusal(file, stale, false);
  const takeover = `${file}.takeover`;
  if (!(await create(takeover, own))) throw busy(file);
  try {
    if ((await holderIn(file))?.id !== stale.id) throw busy(file);
    await rename(takeover, file);
    return stale;
  } catch (error) {
    await rm(takeover, { force: true });
    throw error;
  }
}

/** Whether the process that took a lock has ended. Of another host, that cannot be known. */
function isGone({ pid, host }: Holder): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // EPERM: it belongs to another user, and runs.
    return (error as NodeJS.ErrnoException).code !== 'EPERM';
  }
}

/** Who holds a lock; null when nobody does. @throws FolderInUse when the file does not say */
async function holderIn(file: string): Promise<Holder | null> {
  for (let read = 0; read < READS; read += 1) {
    try {
      const holder = holderFrom(await readFile(file, 'utf8'));
      if (holder !== undefined) return holder;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return null;
      throw unreadable(file, reasonOf(error));
    }
    await sleep(READ_MS);
  }
  throw unreadable(file, 'it does not say who holds it');
}

/** The holder that a lock names; undefined when it names none. */
export function holderFrom(text: string): Holder | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { id, pid, host, command, since } = value;
  const texts = [id, host, command, since].every((one) => typeof one === 'string');
  // A pid of 0 or below names a group of processes.
  const isPid = typeof pid === 'number' && Number.isInteger(pid) && pid > 0;
  return texts && isPid ? (value as unknown as Holder) : undefined;
}

function holderNow(file: string): Holder | undefined {
  try {
    return holderFrom(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function busy(file: string): FolderInUse {
  return new FolderInUse(
    `Another process is taking over the lock ${file}.`,
    `Try again, or name another folder with --output. If no run writes there, remove ${file} and ${file}.takeover.`,
  );
}

function unreadable(file: string, why: string): FolderInUse {
  return new FolderInUse(
    `The lock ${file} cannot be read: ${why}. A run may be writing there.`,
    `Remove ${file} if none does, or name another folder with --output.`,
  );
}

function refusal(file: string, held: Holder, resume: boolean): FolderInUse {
  const { pid, host, command } = held;
  const message = `\`${command}\` (pid ${pid} on ${host}) has been writing into ${path.dirname(file)} since ${moment(held)}. Nothing was sent, and nothing there was changed.`;
  if (host !== hostname()) {
    return new FolderInUse(
      message,
      `It was started on another host, so whether it still runs cannot be told from here. ${resume ? '' : 'Name another folder with --output, or, '}${resume ? 'When' : 'when'} it has ended, remove ${file} and give the command again.`,
    );
  }
  return new FolderInUse(
    message,
    resume
      ? `It is not interrupted. Wait until it has ended, or stop it with \`kill -INT ${pid}\` and resume it then.`
      : 'Wait until it has ended, or name another folder with --output.',
  );
}

/** When the folder was taken, as a person reads it. */
const moment = ({ since }: Holder): string => `${since.slice(0, 19).replace('T', ' ')} UTC`;
