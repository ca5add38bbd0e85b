import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Results } from '../report/model/results.ts';
import { resultsIn } from '../run/results-file.ts';
import { decodedText } from '../text/decoded-text.ts';
import { UsageError } from './errors.ts';

/** Largest `reports/latest` that can be a pointer file (written where symlinks are not supported), bytes. */
const LONGEST_NAME = 256;

/**
 * The results.json of a path, which may be the file itself or the folder of a run, such as `reports/latest`. A path
 * that does not exist is returned unchanged, for the error message.
 */
export async function resultsFile(given: string): Promise<string> {
  const info = await stat(given).catch(() => undefined);
  if (info?.isDirectory() === true) return path.join(given, 'results.json');
  if (info === undefined || info.size > LONGEST_NAME || path.basename(given) !== 'latest') {
    return given;
  }
  const name = path.basename(decodedText(await readFile(given)).trim());
  return path.join(path.dirname(given), name, 'results.json');
}

/**
 * Reads the results.json of a run. It is untrusted: it is validated, and no path in it is opened.
 * @throws UsageError when the file is not a results file of a supported version
 */
export async function readResults(given: string): Promise<Results> {
  const file = await resultsFile(given);
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new UsageError(
      `Cannot read ${file}: ${error instanceof Error ? error.message : String(error)}.`,
      'Pass the folder of an earlier run, or its results.json.',
    );
  });
  const refused = (message: string, hint: string) => new UsageError(message, hint);
  const instead = 'Repeat the run, or use the version of Assay that wrote the file.';
  return resultsIn(file, bytes, refused, instead);
}
