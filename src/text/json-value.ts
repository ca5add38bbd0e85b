/** True for a JSON object, not for null or an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parsers may ignore it, and writers must not send it (RFC 8259, section 8.1). */
export const BYTE_ORDER_MARK = '\ufeff';

/**
 * Parses a JSON text. A byte order mark is ignored, so that the rest can be judged.
 * @throws SyntaxError for a text that is not JSON
 */
export function jsonValue(text: string): unknown {
  return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
}

/** The value of a JSON text, as by {@link jsonValue}; undefined for any other text. */
export function parsedJson(text: string): unknown {
  try {
    return jsonValue(text);
  } catch {
    return undefined;
  }
}

/** A JSON pointer with `*` for array indexes, so that it is the same for all elements. */
export const withoutIndexes = (pointer: string): string =>
  pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');

/** The parts of a JSON pointer (RFC 6901). */
export const pointerParts = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
