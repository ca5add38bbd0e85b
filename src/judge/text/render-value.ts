/** Longest value in UTF-16 units, not counting the type. */
const LONGEST = 100;

/**
 * A value with its type on one short line: `"12.5" (string)`, `null`, `an array of 3`. Values come from the target, so
 * control and bidirectional characters are escaped.
 */
export function renderValue(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object') return renderObject(value);
  if (typeof value === 'string')
    return `${shorten(escapeInvisible(JSON.stringify(value)))} (string)`;
  if (typeof value === 'number' || typeof value === 'boolean') return `${value} (${typeof value})`;
  return `a ${typeof value}`;
}

function renderObject(value: object): string {
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an empty object';
  return `an object with ${shorten(escapeInvisible(keys.map((key) => JSON.stringify(key)).join(', ')))}`;
}

/** Control characters, bidirectional marks and line separators that JSON.stringify does not escape. */
const INVISIBLE = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

function escapeInvisible(text: string): string {
  return text.replace(
    INVISIBLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function shorten(text: string): string {
  if (text.length <= LONGEST) return text;
  // Do not split a surrogate pair.
  const cut = text.slice(0, LONGEST - 1).replace(/[\ud800-\udbff]$/, '');
  return `${cut}…`;
}
