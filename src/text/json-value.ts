/** True for a JSON object, which neither null nor an array is. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Readers of JSON may pass over it, and writers must not send it (RFC 8259, section 8.1). */
export const BYTE_ORDER_MARK = '\ufeff';

/**
 * The value of a JSON text. A byte order mark before it is passed over, so that everything behind it can still be judged.
 * @throws SyntaxError for a text that is not JSON
 */
export function jsonValue(text: string): unknown {
  return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
}
