import { NAME_A_RECORDING, RecordingError } from './errors.ts';

/** Characters that V8 quotes before and after the unexpected one. */
const AROUND = 10;

/**
 * Why and where a text is not JSON. Does not repeat the message of V8, which quotes the text and may contain keys.
 * @param firstLine number of the first line of the text
 */
export function jsonFailure(
  path: string,
  text: string,
  { message }: SyntaxError,
  firstLine: number,
): RecordingError {
  const position = positionOf(text, message);
  const before = text.slice(0, position ?? 0).split('\n');
  const location =
    position === undefined && firstLine === 1
      ? ''
      : `, at line ${firstLine + before.length - 1}${position === undefined ? '' : `, column ${(before.at(-1) ?? '').length + 1}`}`;
  if (position === text.length || message.startsWith('Unexpected end')) {
    return new RecordingError(
      `${path}: ends unexpectedly${location}.`,
      'The file was truncated when it was written or copied; save it again.',
    );
  }
  const token = /^Unexpected token '([^]{1,2}?)'/u.exec(message)?.[1];
  const what = token === undefined ? '' : `: unexpected "${token}"`;
  return new RecordingError(`${path}: is not JSON${what}${location}.`, NAME_A_RECORDING);
}

/** Where V8 stopped: given as a number, or by the surrounding text, which may occur more than once. */
function positionOf(text: string, message: string): number | undefined {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  const [, before, around, behind] =
    /, (\.{3})?"([^]+)"(\.{3})? is not valid JSON$/.exec(message) ?? [];
  if (around === undefined) return undefined;
  if (before === undefined) return behind === undefined ? undefined : around.length - AROUND;
  const start = text.indexOf(around);
  return text.indexOf(around, start + 1) === -1 ? start + AROUND : undefined;
}
