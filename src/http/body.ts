import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

/** Levels of arrays and objects in a body; the records of the service have five. Deeper ones exhaust the stack. */
export const MAX_DEPTH = 100;
/** Values in one body. A parsed value takes up to thirty times the memory of its text. */
export const MAX_VALUES = 500_000;
/** Times that a compressed body may grow while it is unpacked; lists of like records come to about 30. */
export const MAX_RATIO = 200;
/** Unpacked size up to which the ratio does not matter, bytes. */
const RATIO_FREE = 1024 * 1024;

/** The body cannot be used, and why. `kind` is that of the record. */
export class BadBody extends Error {
  readonly kind: 'too-large' | 'protocol' | 'encoding';
  constructor(kind: BadBody['kind'], message: string) {
    super(message);
    this.name = 'BadBody';
    this.kind = kind;
  }
}

/** The codings that a `Content-Encoding` header names, in lower case. */
export function codingsOf(encoding: string | undefined): readonly string[] {
  return (encoding ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

/**
 * Unpacks a body by its `Content-Encoding`. One layer only, and never to more than `maxBytes` or {@link MAX_RATIO} times
 * its size. Plain JSON comes back as it is, whatever the header says.
 * @throws BadBody when it is no such encoding or grows too far
 */
export function unpacked(body: Buffer, encoding: string | undefined, maxBytes: number): Buffer {
  const codings = codingsOf(encoding);
  const [coding] = codings;
  if (coding === undefined || body.length === 0 || isPlainJson(body)) return body;
  if (codings.length > 1) {
    throw new BadBody('encoding', `the body is compressed ${codings.length} times over`);
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
        // Meant with the frame of zlib, often sent without: the first byte tells.
        return ((body[0] ?? 0) & 0x0f) === 8
          ? inflateSync(body, { maxOutputLength })
          : inflateRawSync(body, { maxOutputLength });
      default:
    }
  } catch (cause) {
    if (cause instanceof RangeError) {
      throw new BadBody('too-large', `the body unpacks to more than ${maxOutputLength} bytes`);
    }
    throw new BadBody('encoding', `content-encoding says ${coding}, but the body is not`);
  }
  throw new BadBody('encoding', 'content-encoding names an encoding that was not asked for');
}

/** True for text that begins like a list or an object: compressed data is never UTF-8 without control characters. */
function isPlainJson(body: Buffer): boolean {
  return beginsLikeJson(body) && isPlainText(body);
}

/** True for UTF-8 without control characters other than line ends and tabs. */
export function isPlainText(body: Buffer): boolean {
  return isUtf8(body) && !body.some((byte) => byte < 0x20 && (byte < 0x09 || byte > 0x0d));
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/**
 * Number of values in a JSON text, about. Looks at its marks only, so that it costs no memory; a text that does not
 * begin like a list or an object is no business of ours and counts as one.
 * @throws BadBody when it is nested or numerous beyond the bounds
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
      throw new BadBody('too-large', `the body holds more than ${MAX_VALUES} values`);
    }
  }
  return values;
}

/** True when the first mark is that of a list or an object. */
function beginsLikeJson(body: Buffer): boolean {
  const first = body.find((byte) => !isBlank(byte));
  return first === 0x5b || first === 0x7b;
}

/** Position of the quote that ends a string. */
function endOfString(body: Buffer, from: number): number {
  for (let end = body.indexOf(QUOTE, from); end >= 0; end = body.indexOf(QUOTE, end + 1)) {
    let slashes = 0;
    while (end - 1 - slashes >= from && body[end - 1 - slashes] === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return body.length;
}

/** White space of JSON, and the bytes of a byte order mark. */
function isBlank(byte: number): boolean {
  return (
    byte === 0x20 ||
    (byte >= 0x09 && byte <= 0x0d) ||
    byte === 0xef ||
    byte === 0xbb ||
    byte === 0xbf
  );
}
