import { lstat, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gateByBaseline } from '../../report/model/baseline-gate.ts';
import { withBaseline } from '../../report/model/diff.ts';
import type { FailOn } from '../../report/model/gate.ts';
import type { Results } from '../../report/model/results.ts';
import { columnsIn, wantsColor } from '../../report/terminal/console.ts';
import type { ReportWriteError } from '../../report/write.ts';
import { EXIT } from '../../spec/exit-codes.ts';

/** The report folder of a run without `--output`. */
export const newOutput = (): string =>
  path.join('reports', new Date().toISOString().replaceAll(/[:.]/g, '-'));

/** The results compared with those of `--baseline`, if there is one. */
export const againstBaseline = (
  results: Results,
  baseline: Results | undefined,
  failOn: readonly FailOn[],
): Results =>
  baseline === undefined
    ? results
    : gateByBaseline(withBaseline(results, baseline), baseline, failOn);

/** Prints the summary of results with the reports written. */
export async function printSummary(
  results: Results,
  reports: readonly string[],
  { verbose = false, out = process.stdout }: { verbose?: boolean; out?: NodeJS.WriteStream } = {},
): Promise<void> {
  const { renderSummary } = await import('../../report/terminal/terminal.ts');
  const text = renderSummary(results, {
    color: wantsColor(out.isTTY, process.env),
    width: columnsIn(out, 100),
    showCurl: verbose,
    paths: reports.map((file) => path.relative('', file)),
  });
  out.write(`${text}\n`);
}

/** System errors caused by the disk, not by the user's choice of a path. */
const STORAGE = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS'];

/** True when reports could not be written because the disk is full or broken. */
export const isStorageFailure = ({ cause }: ReportWriteError): boolean =>
  STORAGE.includes((cause as NodeJS.ErrnoException | undefined)?.code ?? '');

/** The exit code of a run whose reports could not be written: it cannot be a success. Other exit codes are kept. */
export const exitWithoutReports = (exitCode: number): number =>
  exitCode === EXIT.conforms ? EXIT.incomplete : exitCode;

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
