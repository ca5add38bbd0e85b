import { sentenceOf, validate } from '../judge/schema/schemas.ts';
import type { Results } from '../report/model/results.ts';
import { decodedText } from '../text/decoded-text.ts';

/**
 * The results in a file. The file is untrusted, so it is validated against its schema.
 * @param refused makes the error
 * @param instead what to do about a file that this version cannot read
 */
export function resultsIn(
  file: string,
  bytes: Buffer,
  refused: (message: string, hint: string) => Error,
  instead: string,
): Results {
  let value: unknown;
  try {
    value = JSON.parse(decodedText(bytes));
  } catch {
    throw refused(`${file} is not JSON.`, 'Pass the original results.json of an earlier run.');
  }
  const [problem] = validate('results', value);
  if (problem === undefined) return value as Results;
  const why = `is not a results file that this version can read: ${sentenceOf(problem)}`;
  throw refused(`${file} ${why}`, instead);
}
