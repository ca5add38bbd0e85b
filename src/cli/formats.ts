import { FORMATS, type Format } from '../report/formats.ts';
import { suggestion } from '../text/closest-name.ts';
import { UsageError } from './errors.ts';
import { listOf } from './options.ts';

/**
 * The formats named by a `--format` flag.
 * @throws UsageError for an unknown format
 */
export function formatsOf(text: string): readonly Format[] {
  return listOf(text).map((name) => {
    const format = FORMATS.find((one) => one === name);
    if (format !== undefined) return format;
    throw new UsageError(
      `Unknown format "${name}".`,
      `${suggestion(name, FORMATS)}Formats: ${FORMATS.join(', ')}.`,
    );
  });
}
