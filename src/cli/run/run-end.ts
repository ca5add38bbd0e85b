import { lstat, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ReportWriteError } from '../../report/write.ts';
import { EXIT } from '../../spec/exit-codes.ts';

/** System errors caused by the disk, not by the user's choice of a path. */
const STORAGE: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS']);

/** True when reports could not be written because the disk is full or broken. */
export function isStorageFailure(error: ReportWriteError): boolean {
  const cause: unknown = error.cause;
  return cause instanceof Error && 'code' in cause && STORAGE.has(String(cause.code));
}

/**
 * The exit code of a run whose reports could not be written: it cannot be a success. Other exit codes are kept.
 */
export function exitWithoutReports(exitCode: number): number {
  return exitCode === EXIT.conforms ? EXIT.incomplete : exitCode;
}

/** Points `reports/latest` to this run; where symlinks are not supported, it is a text file with the name. */
export async function pointLatest(output: string): Promise<void> {
  const folder = path.dirname(path.resolve(output));
  if (path.basename(folder) !== 'reports') return;
  const latest = path.join(folder, 'latest');
  const name = path.basename(output);
  const existing = await lstat(latest).catch(() => undefined);
  // Never replace a real folder that a user named "latest".
  if (existing?.isDirectory() === true) return;
  if (existing?.isSymbolicLink() === true && (await readlink(latest)) === name) return;
  await rm(latest, { force: true });
  await symlink(name, latest, 'dir').catch(() => writeFile(latest, `${name}\n`));
}
