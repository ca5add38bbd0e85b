import { HintedError } from '../text/hinted-error.ts';
import { oneLine } from '../text/text.ts';
import { EXIT } from '../spec/exit-codes.ts';
import { ERROR_CODES } from './error-codes.ts';

/** The command line is invalid. */
export class UsageError extends HintedError<
  'ASSAY_USAGE' | 'ASSAY_KEY_IN_PLAIN' | 'ASSAY_FILE_EXISTS'
> {
  constructor(message: string, hint: string, code: UsageError['code'] = 'ASSAY_USAGE') {
    super(code, message, hint);
  }
}

/** Runs something that fails only because of the command line. @throws UsageError with the hint */
export function withHint<Result>(hint: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new UsageError((error as Error).message, hint);
  }
}

interface Loose extends Error {
  readonly code?: unknown;
  readonly hint?: unknown;
  readonly syscall?: unknown;
  readonly path?: unknown;
}

/** The code of an error: its own if it is one of ours, else the closest of ours. */
function codeOf({ code, syscall, path }: Loose): string {
  if (typeof code === 'string' && Object.hasOwn(ERROR_CODES, code)) return code;
  // File system errors are for the user to fix, whoever opened the file.
  const aboutFile = typeof syscall === 'string' && (typeof path === 'string' || code === 'ENOSPC');
  return aboutFile ? 'ASSAY_FILE' : 'ASSAY_INTERNAL';
}

/** Prints an error with its code and a hint, with `ASSAY_DEBUG` its stack; returns the exit code. */
export function fail(error: unknown, stderr: { write(text: string): unknown }): number {
  const known = (error instanceof Error ? error : new Error(String(error))) as Loose;
  const code = codeOf(known);
  const facts = ERROR_CODES[code];
  const exit = facts?.exit ?? EXIT.internal;
  // Messages about target files have one line per problem; each is sanitised separately.
  const message = known.message
    .split('\n')
    .map((line) => oneLine(line, 2000))
    .join('\n');
  stderr.write(`assay: ${message} [${code}]\n`);
  const hint = typeof known.hint === 'string' && known.hint !== '' ? known.hint : facts?.wayOut;
  if (hint !== undefined) stderr.write(`${hint}\n`);
  if (exit === EXIT.internal) {
    stderr.write('This is a bug in Assay, not in the target.\n');
  }
  if (process.env['ASSAY_DEBUG'] !== undefined && process.env['ASSAY_DEBUG'] !== '') {
    stderr.write(`${known.stack ?? ''}\n`);
  }
  return exit;
}
