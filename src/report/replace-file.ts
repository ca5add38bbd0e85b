import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Writes a file beside its goal and renames it, so that a reader never sees half of it and a machine that dies leaves the old
 * one or the new one.
 * @param mode of a new file; what the system gives by default
 * @throws the error of the file system; nothing is left behind then
 */
export async function replaceFile(file: string, text: string, mode?: number): Promise<void> {
  const beside = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const handle = await open(beside, 'wx', mode);
    try {
      await handle.writeFile(text);
      // Before the name is given: a machine that dies must not leave an empty file under it.
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, file);
    await syncFolder(path.dirname(file));
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** Makes a renaming last. Not every system can do that for a folder; the file itself is safe either way. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
