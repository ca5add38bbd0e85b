import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Results } from '../report/model/results.ts';
import { decodedText } from '../text/decoded-text.ts';
import { UsageError } from './errors.ts';

/** A name as a system without links writes it into `reports/latest`: longer files are something else, bytes. */
const LONGEST_NAME = 256;

/**
 * The results.json that is meant: the file itself, or the one in the folder of a run, such as `reports/latest`. What cannot
 * be found is left as it was given, for the error to name.
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
 * Reads a results.json, or the one in the folder of a run. The file may come from anywhere: it is checked against its schema, and nothing in it is followed.
 * @throws UsageError when the file is no results file of a version that this Assay reads
 */
export async function readResults(given: string): Promise<Results> {
  const file = await resultsFile(given);
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new UsageError(
      `Cannot read ${file}: ${error instanceof Error ? error.message : String(error)}.`,
      'Name the folder of an earlier run, or its results.json.',
    );
  });
  let value: unknown;
  try {
    value = JSON.parse(decodedText(bytes));
  } catch {
    throw new UsageError(`${file} is not JSON.`, 'Name the results.json of an earlier run.');
  }
  const { validateResults } = await import('../judge/schema/schemas.ts');
  const [problem] = validateResults(value);
  if (problem !== undefined) {
    throw new UsageError(
      `${file} is not a results file of this version: ${problem.message}`,
      'Run Assay again, or use the version that wrote the file.',
    );
  }
  return value as Results;
}
