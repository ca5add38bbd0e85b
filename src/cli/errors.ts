import { oneLine } from '../text/text.ts';
import { EXIT } from '../run/verdict.ts';

/** The command line cannot be used as given. */
export class UsageError extends Error {
  readonly code = 'ASSAY_USAGE';
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.name = 'UsageError';
    this.hint = hint;
  }
}

interface Coded extends Error {
  readonly code?: unknown;
  readonly hint?: unknown;
}

/** Codes of errors that are a matter of usage or configuration. */
function isConfiguration({ code, name }: Coded): boolean {
  if (name === 'ReportWriteError') return true;
  return (
    typeof code === 'string' &&
    (code === 'ASSAY_USAGE' || code === 'ASSAY_WAIVERS' || code.startsWith('ASSAY_TARGET_'))
  );
}

/**
 * Prints an error as one sentence with the way out and gives the exit code. A stack trace is for `ASSAY_DEBUG` only:
 * a user cannot act on it.
 */
export function fail(error: unknown, stderr: { write(text: string): unknown }): number {
  const known = (error instanceof Error ? error : new Error(String(error))) as Coded;
  const configuration = isConfiguration(known);
  const code = typeof known.code === 'string' ? ` [${known.code}]` : '';
  // Messages about target files have one line a problem; each line is made safe by itself.
  const message = known.message
    .split('\n')
    .map((line) => oneLine(line, 2000))
    .join('\n');
  stderr.write(`assay: ${message}${code}\n`);
  if (typeof known.hint === 'string' && known.hint !== '') stderr.write(`${known.hint}\n`);
  if (!configuration) {
    stderr.write('This is a fault of Assay itself. Set ASSAY_DEBUG=1 to see where it happened.\n');
  }
  if (process.env['ASSAY_DEBUG'] !== undefined && process.env['ASSAY_DEBUG'] !== '') {
    stderr.write(`${known.stack ?? ''}\n`);
  }
  return configuration ? EXIT.usage : EXIT.internal;
}
