import { NAME_A_RECORDING, RecordingError } from './errors.ts';

/** Characters that V8 quotes before and behind the one that it did not expect. */
const AROUND = 10;

/**
 * Why a text is not JSON, and where. The message of V8 is not repeated: it quotes the text, which may hold keys.
 * @param firstLine number of the line that the text begins with
 */
export function jsonFailure(
  path: string,
  text: string,
  { message }: SyntaxError,
  firstLine: number,
): RecordingError {
  const position = positionOf(text, message);
  const before = text.slice(0, position ?? 0).split('\n');
  const place =
    position === undefined && firstLine === 1
      ? ''
      : `, at line ${firstLine + before.length - 1}${position === undefined ? '' : `, column ${(before.at(-1) ?? '').length + 1}`}`;
  if (position === text.length || message.startsWith('Unexpected end')) {
    return new RecordingError(
      `${path}: ends too early${place}.`,
      'The file was cut off while it was written or copied; save it again.',
    );
  }
  const token = /^Unexpected token '([^]{1,2}?)'/u.exec(message)?.[1];
  const what = token === undefined ? '' : `: unexpected "${token}"`;
  return new RecordingError(`${path}: is not JSON${what}${place}.`, NAME_A_RECORDING);
}

/** Where V8 stopped: told as a number, or by the text around it, which may occur more than once. */
function positionOf(text: string, message: string): number | undefined {
  const told = /at position (\d+)/.exec(message)?.[1];
  if (told !== undefined) return Number(told);
  const [, before, around, behind] =
    /, (\.{3})?"([^]+)"(\.{3})? is not valid JSON$/.exec(message) ?? [];
  if (around === undefined) return undefined;
  if (before === undefined) return behind === undefined ? undefined : around.length - AROUND;
  const start = text.indexOf(around);
  return text.indexOf(around, start + 1) === -1 ? start + AROUND : undefined;
}
