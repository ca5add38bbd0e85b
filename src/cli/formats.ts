import type { Format } from '../report/write.ts';
import { closestName } from '../rules/closest-name.ts';
import { UsageError } from './errors.ts';
import { listOf } from './options.ts';

/** Names of the reports that can be written. */
export const FORMATS: readonly Format[] = [
  'html',
  'html-dir',
  'json',
  'junit',
  'ctrf',
  'md',
  'har',
  'sarif',
];

/**
 * Formats of a `--format` flag.
 * @throws UsageError for a name that is none
 */
export function formatsOf(text: string): readonly Format[] {
  return listOf(text).map((name) => {
    const format = FORMATS.find((one) => one === name);
    if (format !== undefined) return format;
    const meant = closestName(name, FORMATS);
    throw new UsageError(
      `There is no format "${name}".`,
      `${meant === undefined ? '' : `Did you mean ${meant}? `}Formats: ${FORMATS.join(', ')}.`,
    );
  });
}
