import { oneLine } from '../text/text.ts';
import { EXIT } from '../spec/exit-codes.ts';
import { ERROR_CODES } from './error-codes.ts';

/** The command line cannot be used as given. */
export class UsageError extends Error {
  readonly code: 'ASSAY_USAGE' | 'ASSAY_KEY_IN_PLAIN' | 'ASSAY_FILE_EXISTS';
  readonly hint: string;
  constructor(message: string, hint: string, code: UsageError['code'] = 'ASSAY_USAGE') {
    super(message);
    this.name = 'UsageError';
    this.hint = hint;
    this.code = code;
  }
}

interface Loose extends Error {
  readonly code?: unknown;
  readonly hint?: unknown;
  readonly syscall?: unknown;
  readonly path?: unknown;
}

/** The code of an error: its own when it is one of ours, else what it amounts to. */
function codeOf({ code, syscall, path }: Loose): string {
  if (typeof code === 'string' && Object.hasOwn(ERROR_CODES, code)) return code;
  // What the system says about a file is for the user to mend, whoever opened it.
  const aboutFile = typeof syscall === 'string' && (typeof path === 'string' || code === 'ENOSPC');
  return aboutFile ? 'ASSAY_FILE' : 'ASSAY_INTERNAL';
}

/**
 * Prints an error as one sentence with its code and the way out, and gives the exit code. A stack trace is for
 * `ASSAY_DEBUG` only: a user cannot act on it.
 */
export function fail(error: unknown, stderr: { write(text: string): unknown }): number {
  const known = (error instanceof Error ? error : new Error(String(error))) as Loose;
  const code = codeOf(known);
  const facts = ERROR_CODES[code];
  const exit = facts?.exit ?? EXIT.internal;
  // Messages about target files have one line a problem; each line is made safe by itself.
  const message = known.message
    .split('\n')
    .map((line) => oneLine(line, 2000))
    .join('\n');
  stderr.write(`assay: ${message} [${code}]\n`);
  const hint = typeof known.hint === 'string' && known.hint !== '' ? known.hint : facts?.wayOut;
  if (hint !== undefined) stderr.write(`${hint}\n`);
  if (exit === EXIT.internal) {
    stderr.write('This is a fault of Assay itself, not of the target.\n');
  }
  if (process.env['ASSAY_DEBUG'] !== undefined && process.env['ASSAY_DEBUG'] !== '') {
    stderr.write(`${known.stack ?? ''}\n`);
  }
  return exit;
}
