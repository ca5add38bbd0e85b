import { parsedJson, pointerParts } from './json-value.ts';

/** A line of a formatted JSON text, and whether it is marked. */
export interface LaidOutLine {
  readonly text: string;
  readonly marked: boolean;
  /** Position of the value (with its name) in the original text; that of a container includes its content. */
  readonly start: number;
  readonly end: number;
}

const MAX_DEPTH = 200;

/** A piece of a JSON text with its position. */
interface Token {
  readonly token: string;
  readonly start: number;
  readonly end: number;
}

/** Tokens are shown as they are: numbers such as `1.10` and 20-digit ids are evidence. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

/** The value at `pointer` (RFC 6901) of a JSON text; undefined if missing, or if the text is not JSON. */
export function valueAt(text: string, pointer: string): unknown {
  let value = parsedJson(text);
  for (const part of pointerParts(pointer)) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(part)) return undefined;
    if (!Object.hasOwn(value, part)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[part];
  }
  return value;
}

/** True when a JSON text has a value at `pointer` (RFC 6901). */
export const hasValue = (text: string, pointer: string): boolean =>
  valueAt(text, pointer) !== undefined;

/**
 * Formats a JSON text with one value per line without changing values, and marks the value at `pointer` (RFC 6901) or
 * its nearest existing parent. Null when the text is not JSON or nested too deeply.
 */
export function layoutJson(text: string, pointer: string | null): readonly LaidOutLine[] | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  const tokens = text.matchAll(TOKEN);
  const next = (): Token => {
    const { value } = tokens.next();
    const [token = '', start = 0] = value === undefined ? [] : [value[0], value.index];
    return { token, start, end: start + token.length };
  };
  const wanted = pointer === null ? [] : pointerParts(pointer);
  const lines: { text: string; path: number; start: number; end: number }[] = [];

  /**
   * Adds the lines of a value.
   * @param path how many parts of the pointer match the value; -1 when it is not on the path
   * @param begin where its name begins
   * @returns the token after it; null when the value is nested too deeply
   */
  const value = (
    depth: number,
    label: string,
    path: number,
    first: Token,
    begin: number,
  ): Token | null => {
    if (depth > MAX_DEPTH) return null;
    const indent = '  '.repeat(depth);
    const { token, end } = first;
    const opening = { text: indent + label + token, path, start: begin, end };
    lines.push(opening);
    let last = opening;
    let after = next();
    if (token === '{' || token === '[') {
      const close = token === '{' ? '}' : ']';
      if (after.token === close) {
        opening.text += close;
      } else {
        for (let index = 0; after.token !== close; index += 1) {
          if (after.token === ',') after = next();
          const name = token === '{' ? after : null;
          // After a name there is a colon.
          if (name !== null) next();
          const part = name === null ? String(index) : String(JSON.parse(name.token));
          const inner = path >= 0 && wanted[path] === part ? path + 1 : -1;
          const item = name === null ? after : next();
          const shown = name === null ? '' : `${name.token}: `;
          const rest = value(depth + 1, shown, inner, item, after.start);
          if (rest === null) return null;
          after = rest;
        }
        last = { text: indent + close, path: -1, start: after.start, end: after.end };
        lines.push(last);
      }
      opening.end = after.end;
      after = next();
    }
    if (after.token === ',') last.text += ',';
    return after;
  };

  const first = next();
  if (value(0, '', 0, first, first.start) === null) return null;
  const best = lines.reduce((most, { path }) => Math.max(most, path), -1);
  // A pointer to a missing member marks the object that should have it.
  return lines.map(({ path, ...line }) => ({ ...line, marked: pointer !== null && path === best }));
}

/** A line of an excerpt, or the number of omitted lines. */
export type ExcerptLine = LaidOutLine | { readonly leftOut: number };

/** Lines kept around a marked one. */
const AROUND = 12;

/**
 * Shortens to `maxLines`: lines around marks, and the beginning. If there are too many marks, the last ones are omitted.
 */
export function excerpt(lines: readonly LaidOutLine[], maxLines: number): readonly ExcerptLine[] {
  if (lines.length <= maxLines) return lines;
  const kept = new Set<number>();
  lines.forEach(({ marked }, index) => {
    if (!marked || kept.size > maxLines - 2 * AROUND - 1) return;
    const last = Math.min(lines.length - 1, index + AROUND);
    for (let one = Math.max(0, index - AROUND); one <= last; one += 1) kept.add(one);
  });
  for (let index = 0; kept.size < maxLines; index += 1) kept.add(index);
  const shown: ExcerptLine[] = [];
  let leftOut = 0;
  lines.forEach((line, index) => {
    if (!kept.has(index)) {
      leftOut += 1;
      return;
    }
    if (leftOut > 0) shown.push({ leftOut });
    leftOut = 0;
    shown.push(line);
  });
  if (leftOut > 0) shown.push({ leftOut });
  return shown;
}
