/** Supported encodings of text files: PowerShell and Notepad write UTF-16. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/**
 * Detects the encoding of a text file by its first two bytes: a byte order mark, or an ASCII character and a zero byte.
 * All our files start with an ASCII character.
 */
export function encodingOf([first = 0, second = 0]: Uint8Array): TextEncoding {
  if ((first === 0xff && second === 0xfe) || (isAscii(first) && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && isAscii(second))) return 'utf-16be';
  return 'utf-8';
}

/** True for an ASCII text character. */
const isAscii = (byte: number): boolean => byte >= 0x09 && byte < 0x7f;

/** The text of a file, without a byte order mark. */
export function decodedText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

/** A body as text. Keeps a byte order mark, which makes it invalid JSON. */
export const bodyText = (body: Uint8Array): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
