import { readFileSync, rmSync } from 'node:fs';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../report/make-folder.ts';
import { reasonOf } from '../http/journal-writer.ts';
import { JournalError } from './journal-errors.ts';
import { holderFrom, ownHolder, stateOf, type Holder } from './lock-holder.ts';

/** Name of the lock in the folder of a run. It is there while somebody writes into the folder. */
export const LOCK_FILE = 'assay.lock';

/** How often, and how far apart, a lock is looked at that is about to change hands, ms. */
const LOOKS = 40;
const LOOK_MS = 25;

/** What file systems without links answer when one is asked for. */
const NO_LINKS: ReadonlySet<string> = new Set([
  'EPERM',
  'EACCES',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EMLINK',
  'EISDIR',
]);

/** Somebody else writes into the folder. Nothing in it was touched, and nothing was sent. */
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

/** A folder that this process alone writes into. */
export interface HeldFolder {
  /** What to tell when the lock of a process that died was taken over. */
  readonly said: readonly string[];
  /** Lets go of the folder. Also happens when the process ends in order; more than once is once. */
  release(): void;
}

/**
 * Takes a folder for writing, and makes it when it is missing. No library fits: those that are well kept look at the age
 * of a lock, which takes it away from a process that was only stopped, and none can say who holds it.
 *
 * @param command what writes there, as the refusal of the next one names it
 * @throws FolderInUse when another process has it; JournalError when the folder cannot be made or written to
 */
export async function holdFolder(folder: string, command: string): Promise<HeldFolder> {
  const file = path.join(folder, LOCK_FILE);
  const own = ownHolder(command);
  let before: Holder | null;
  try {
    makeFolder(folder);
    before = await take(file, own);
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
    before === null
      ? []
      : [
          `\`${before.command}\` (pid ${before.pid}, since ${moment(before)}) ended without letting go of ${folder}; its lock was taken over.`,
        ];
  return { said, release };
}

/**
 * Does something with a folder that nobody else writes into.
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
 * Sees to it that nobody writes into a folder, without taking it.
 * @param resume true when the folder is to be taken up: what is still running was not interrupted
 * @throws FolderInUse when somebody does, or may
 */
export async function mustBeFree(folder: string, resume = false): Promise<void> {
  const file = path.join(folder, LOCK_FILE);
  const held = await holderIn(file);
  if (held !== null && stateOf(held) !== 'gone') throw refusal(file, held, resume);
}

/** Takes the lock. Gives the dead holder that it was taken over from; null when it was free. */
async function take(file: string, own: Holder): Promise<Holder | null> {
  for (let look = 0; look < LOOKS; look += 1) {
    // Looked at before anything is written: the folder of another run is left as it is.
    const held = await holderIn(file);
    if (held === null) {
      if (await create(file, own)) return null;
    } else {
      if (stateOf(held) !== 'gone') throw refusal(file, held, false);
      if (await takeOver(file, own, held)) return held;
      await sleep(LOOK_MS);
    }
  }
  throw new FolderInUse(
    `The lock ${file} keeps changing hands.`,
    'Give the command again when the other runs in this folder have ended, or name another folder with --output.',
  );
}

/**
 * Puts this process in the place of a dead one. Of several that try at once, one at a time may look again and replace the
 * lock, so that none replaces the lock of another that was quicker. False when somebody was.
 */
async function takeOver(file: string, own: Holder, stale: Holder): Promise<boolean> {
  const guard = `${file}.taking`;
  if (!(await create(guard, own))) {
    const other = await holderIn(guard);
    if (other !== null && stateOf(other) !== 'alive') {
      throw new FolderInUse(
        `A process (pid ${other.pid} on ${other.host}) that was taking over the lock ${file} did not come to an end.`,
        `Remove ${guard} and ${file} when no run writes there, or name another folder with --output.`,
      );
    }
    return false;
  }
  try {
    if ((await holderIn(file))?.id !== stale.id) return false;
    const written = await writeBeside(file, own);
    await rename(written, file);
    return true;
  } finally {
    await rm(guard, { force: true });
  }
}

/** Makes a file that says who holds it; false when there is one. It appears whole, or not at all. */
async function create(file: string, own: Holder): Promise<boolean> {
  const written = await writeBeside(file, own);
  try {
    await link(written, file);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'EEXIST') return false;
    if (!NO_LINKS.has(code)) throw error;
    return await createInPlace(file, own);
  } finally {
    await rm(written, { force: true });
  }
}

/** The same without links: for a moment the file is there and says nothing, which its readers wait out. */
async function createInPlace(file: string, own: Holder): Promise<boolean> {
  try {
    await writeFile(file, textOf(own), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function writeBeside(file: string, own: Holder): Promise<string> {
  const written = `${file}.${own.id}`;
  try {
    await writeFile(written, textOf(own));
  } catch (error) {
    await rm(written, { force: true }).catch(() => undefined);
    throw error;
  }
  return written;
}

const textOf = (holder: Holder): string => `${JSON.stringify(holder)}\n`;

/** Who holds a lock; null when nobody does. @throws FolderInUse when the file does not say */
async function holderIn(file: string): Promise<Holder | null> {
  for (let look = 0; look < LOOKS; look += 1) {
    let text: string;
    try {
      text = await readFile(file, 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return null;
      throw unreadable(file, reasonOf(error));
    }
    const holder = holderFrom(text);
    if (holder !== undefined) return holder;
    await sleep(LOOK_MS);
  }
  throw unreadable(file, 'it does not say who holds it');
}

function holderNow(file: string): Holder | undefined {
  try {
    return holderFrom(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function unreadable(file: string, why: string): FolderInUse {
  return new FolderInUse(
    `The lock ${file} cannot be read: ${why}. A run may be writing there.`,
    `Remove ${file} when none does, or name another folder with --output.`,
  );
}

function refusal(file: string, held: Holder, resume: boolean): FolderInUse {
  const { pid, host, command } = held;
  const message = `\`${command}\` (pid ${pid} on ${host}) has been writing into ${path.dirname(file)} since ${moment(held)}. Nothing was sent, and nothing there was changed.`;
  if (stateOf(held) === 'unknown') {
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
