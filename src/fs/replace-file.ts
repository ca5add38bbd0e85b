import { randomBytes } from 'node:crypto';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Replaces a file atomically: readers and crashes see the old file or the new one, never a part.
 * @param mode of a new file; the system's default if omitted
 * @throws the error of the file system, leaving nothing behind
 */
export async function replaceFile(file: string, text: string, mode?: number): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    // Flushed before renaming: a crash must not leave an empty file.
    await writeFile(temporary, text, { flag: 'wx', mode, flush: true });
    await rename(temporary, file);
    await syncFolder(path.dirname(file));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Makes the rename durable, where the system can sync folders. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
