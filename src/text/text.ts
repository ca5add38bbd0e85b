/**
 * Text from a target is untrusted. Every sink (page, terminal, XML, Markdown) does its own escaping; these functions
 * neutralise what no sink may ever see: control characters, escape sequences, characters that reorder or hide text.
 */

/** Controls, format characters (bidi, zero width, tags), lone surrogates, line separators, noncharacters. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeHidden(character: string): string {
  const named = NAMED[character];
  if (named !== undefined) return named;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\u{${hex}}`;
}

/**
 * Replaces invisible characters by escapes such as `\x1b` or `\u202e`. Nothing is dropped, because it is evidence. Line
 * breaks become `\n`, so the result is one line.
 */
export function visible(text: string): string {
  return text.replace(HIDDEN, escapeHidden);
}

/** Like {@link visible}, but keeps line feeds and tabs, for blocks of preformatted text. `\r\n` becomes `\n`. */
export function visibleBlock(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(HIDDEN, (character) =>
      character === '\n' || character === '\t' ? character : escapeHidden(character),
    );
}

/** Cuts to at most `max` UTF-16 units without splitting a character; a cut text ends with "…". */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = Math.max(0, max - 1);
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  return `${text.slice(0, end)}…`;
}

/** Cuts to at most `max` bytes of UTF-8 without splitting a character; a cut text ends with "…". */
export function cutBytes(text: string, max: number): string {
  const encoder = new TextEncoder();
  if (text.length * 3 <= max || encoder.encode(text).length <= max) return text;
  const room = Math.max(0, max - encoder.encode('…').length);
  const { read } = encoder.encodeInto(text, new Uint8Array(room));
  return `${text.slice(0, read)}…`;
}

/** One line of at most `max` visible characters, for messages, values and titles. */
export function oneLine(text: string, max = 300): string {
  return cut(visible(cut(text, max)), max);
}

/** `1 request`, `2 requests`. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}

/** `a, b and 3 more`: at most `limit` names. */
export function some(names: readonly string[], limit: number): string {
  const more = names.length - limit;
  return names.slice(0, limit).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** A sentence as part of another: without its full stop. */
export const clause = (sentence: string): string => sentence.replace(/\.$/, '');
