import { lstat, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ReportWriteError } from '../../report/write.ts';
import { EXIT } from '../../spec/exit-codes.ts';

/** What the system says when the disk, and nothing that the user chose, is in the way. */
const STORAGE: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS']);

/** True when reports could not be written because the disk is full or broken. */
export function isStorageFailure(error: ReportWriteError): boolean {
  const cause: unknown = error.cause;
  return cause instanceof Error && 'code' in cause && STORAGE.has(String(cause.code));
}

/**
 * The exit code of a run whose reports are not on the disk: a run that nobody can look at has not succeeded. What it
 * found otherwise stays what it is.
 */
export function exitWithoutReports(exitCode: number): number {
  return exitCode === EXIT.conforms ? EXIT.incomplete : exitCode;
}

/** Points `latest` beside the folder of this run to it; where links are not to be had, a text file says the name. */
export async function pointLatest(output: string): Promise<void> {
  const folder = path.dirname(path.resolve(output));
  if (path.basename(folder) !== 'reports') return;
  const latest = path.join(folder, 'latest');
  const name = path.basename(output);
  const existing = await lstat(latest).catch(() => undefined);
  // A folder that somebody named "latest" is theirs.
  if (existing?.isDirectory() === true) return;
  if (existing?.isSymbolicLink() === true && (await readlink(latest)) === name) return;
  await rm(latest, { force: true });
  await symlink(name, latest, 'dir').catch(() => writeFile(latest, `${name}\n`));
}
