import { FORMATS } from '../report/formats.ts';
import type { Format } from '../report/formats.ts';
import { suggestion } from '../text/closest-name.ts';
import { UsageError } from './errors.ts';
import { listOf } from './options.ts';

/**
 * Formats of a `--format` flag.
 * @throws UsageError for a name that is none
 */
export function formatsOf(text: string): readonly Format[] {
  return listOf(text).map((name) => {
    const format = FORMATS.find((one) => one === name);
    if (format !== undefined) return format;
    throw new UsageError(
      `There is no format "${name}".`,
      `${suggestion(name, FORMATS)}Formats: ${FORMATS.join(', ')}.`,
    );
  });
}
