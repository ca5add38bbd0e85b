import { readFile } from 'node:fs/promises';
import type { Results } from '../report/results.ts';
import { UsageError } from './errors.ts';

/**
 * Reads a results.json. The file may come from anywhere: it is checked against its schema, and nothing in it is followed.
 * @throws UsageError when the file is no results file of a version that this Assay reads
 */
export async function readResults(file: string): Promise<Results> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(
      `Cannot read ${file}: ${error instanceof Error ? error.message : String(error)}.`,
      'Name the results.json of an earlier run.',
    );
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${file} is not JSON.`, 'Name the results.json of an earlier run.');
  }
  const { validateResults } = await import('../rules/schemas.ts');
  const [problem] = validateResults(value);
  if (problem !== undefined) {
    throw new UsageError(
      `${file} is not a results file of this version: ${problem.message}`,
      'Run Assay again, or use the version that wrote the file.',
    );
  }
  return value as Results;
}
