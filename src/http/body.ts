import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

/** Maximum nesting of a body; records of the service have five levels. Deeper ones exhaust the stack. */
export const MAX_DEPTH = 100;
/** Maximum number of values in a body. A parsed value takes up to thirty times the memory of its text. */
export const MAX_VALUES = 500_000;
/** Maximum compression ratio; lists of similar records have about 30. */
export const MAX_RATIO = 200;
/** Decompressed size below which the ratio is ignored, bytes. */
const RATIO_FREE = 1024 * 1024;

/** An unusable body. `kind` is that of the transport error. */
export class BadBody extends Error {
  readonly kind: 'too-large' | 'protocol' | 'encoding';
  constructor(kind: BadBody['kind'], message: string) {
    super(message);
    this.name = 'BadBody';
    this.kind = kind;
  }
}

/** The codings of a `Content-Encoding` header, in lower case. */
export function codingsOf(encoding: string | undefined): readonly string[] {
  return (encoding ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

/**
 * Decompresses a body with one `Content-Encoding`, to at most `maxBytes` and {@link MAX_RATIO} times its size. Plain
 * JSON is returned unchanged, whatever the header says.
 * @throws BadBody when it has a different encoding or becomes too large
 */
export function unpacked(body: Buffer, encoding: string | undefined, maxBytes: number): Buffer {
  const codings = codingsOf(encoding);
  const [coding] = codings;
  if (coding === undefined || body.length === 0) return body;
  // Compressed data is never UTF-8 without control characters.
  if (beginsLikeJson(body) && isPlainText(body)) return body;
  if (codings.length > 1) {
    throw new BadBody('encoding', `the body is compressed ${codings.length} times`);
  }
  const maxOutputLength = Math.min(maxBytes, Math.max(RATIO_FREE, body.length * MAX_RATIO));
  try {
    switch (coding) {
      case 'gzip':
      case 'x-gzip':
        return gunzipSync(body, { maxOutputLength });
      case 'br':
        return brotliDecompressSync(body, { maxOutputLength });
      case 'deflate':
        // Supposed to have a zlib header, but often sent without: the first byte tells.
        return ((body[0] ?? 0) & 0x0f) === 8
          ? inflateSync(body, { maxOutputLength })
          : inflateRawSync(body, { maxOutputLength });
      default:
    }
  } catch (cause) {
    if (cause instanceof RangeError) {
      throw new BadBody('too-large', `the body decompresses to more than ${maxOutputLength} bytes`);
    }
    throw new BadBody(
      'encoding',
      `content-encoding is ${coding}, but the body is not encoded that way`,
    );
  }
  throw new BadBody('encoding', 'content-encoding names an encoding that was not requested');
}

/** True for UTF-8 without control characters other than line ends and tabs. */
export function isPlainText(body: Buffer): boolean {
  return isUtf8(body) && !body.some((byte) => byte < 0x20 && (byte < 0x09 || byte > 0x0d));
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/**
 * Approximate number of values in a JSON text, counted by punctuation without parsing. A text that does not start like
 * a list or an object counts as one.
 * @throws BadBody when there are too many values or levels
 */
export function countValues(body: Buffer): number {
  if (!beginsLikeJson(body)) return 1;
  let values = 1;
  let depth = 0;
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index];
    if (byte === QUOTE) {
      index = endOfString(body, index + 1);
    } else if (byte === COMMA) {
      values += 1;
    } else if (byte === 0x5b || byte === 0x7b) {
      values += 1;
      depth += 1;
      if (depth > MAX_DEPTH) {
        throw new BadBody('too-large', `the body is nested more than ${MAX_DEPTH} levels deep`);
      }
    } else if (byte === 0x5d || byte === 0x7d) depth -= 1;
    if (values > MAX_VALUES) {
      throw new BadBody('too-large', `the body contains more than ${MAX_VALUES} values`);
    }
  }
  return values;
}

function beginsLikeJson(body: Buffer): boolean {
  const first = body.find((byte) => !isBlank(byte));
  return first === 0x5b || first === 0x7b;
}

function endOfString(body: Buffer, from: number): number {
  for (let end = body.indexOf(QUOTE, from); end >= 0; end = body.indexOf(QUOTE, end + 1)) {
    let slashes = 0;
    while (end - 1 - slashes >= from && body[end - 1 - slashes] === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return body.length;
}

/** JSON white space, and the bytes of a byte order mark. */
function isBlank(byte: number): boolean {
  return (
    byte === 0x20 ||
    (byte >= 0x09 && byte <= 0x0d) ||
    byte === 0xef ||
    byte === 0xbb ||
    byte === 0xbf
  );
}
