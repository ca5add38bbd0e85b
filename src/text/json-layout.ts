import { jsonValue } from './json-value.ts';

/** A line of a formatted JSON text, and whether it is marked. */
export interface LaidOutLine {
  readonly text: string;
  readonly marked: boolean;
  /** Position of the value (with its name) in the original text; that of a container includes its content. */
  readonly start: number;
  readonly end: number;
}

const MAX_DEPTH = 200;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]|[^\s{}[\]:,"]+/gy;
const SPACE = /\s*/gy;

/** Reads tokens without changing them: numbers such as `1.10` and 20-digit ids are evidence. */
class Reader {
  readonly #text: string;
  #position = 0;
  /** Start of the last token. */
  start = 0;

  get end(): number {
    return this.#position;
  }

  constructor(text: string) {
    this.#text = text;
  }

  peek(): string | null {
    const before = [this.#position, this.start] as const;
    const token = this.next();
    [this.#position, this.start] = before;
    return token;
  }

  next(): string | null {
    SPACE.lastIndex = this.#position;
    SPACE.exec(this.#text);
    TOKEN.lastIndex = SPACE.lastIndex;
    const match = TOKEN.exec(this.#text);
    if (match === null) return null;
    this.start = match.index;
    this.#position = TOKEN.lastIndex;
    return match[0];
  }
}

function unescapePointer(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at `pointer` (RFC 6901) of a JSON text; undefined if missing, or if the text is not JSON. */
export function valueAt(text: string, pointer: string): unknown {
  let value: unknown;
  try {
    value = jsonValue(text);
  } catch {
    return undefined;
  }
  for (const part of unescapePointer(pointer)) {
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

function memberName(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}

class Malformed extends Error {}

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
  const reader = new Reader(text);
  const wanted = pointer === null ? null : unescapePointer(pointer);
  const lines: { text: string; path: number; start: number; end: number }[] = [];
  // `path`: how many parts of the pointer match the value on the line; -1 when it is not on the path.
  const emit = (depth: number, content: string, path: number, start: number): number =>
    lines.push({ text: '  '.repeat(depth) + content, path, start, end: reader.end }) - 1;
  const extend = (path: number, part: string): number =>
    wanted !== null && path >= 0 && wanted[path] === part ? path + 1 : -1;

  const value = (
    depth: number,
    prefix: string,
    path: number,
    suffix: () => string,
    nameStart: number | null,
  ): void => {
    if (depth > MAX_DEPTH) throw new Malformed();
    const token = reader.next();
    if (token === null) throw new Malformed();
    const start = nameStart ?? reader.start;
    if (token !== '{' && token !== '[') {
      emit(depth, prefix + token + suffix(), path, start);
      return;
    }
    const close = token === '{' ? '}' : ']';
    if (reader.peek() === close) {
      reader.next();
      emit(depth, `${prefix}${token}${close}${suffix()}`, path, start);
      return;
    }
    const opening = emit(depth, prefix + token, path, start);
    for (let index = 0; ; index += 1) {
      let label = '';
      let part = String(index);
      let named: number | null = null;
      if (token === '{') {
        const name = reader.next() ?? '';
        named = reader.start;
        reader.next();
        label = `${name}: `;
        part = memberName(name);
      }
      value(depth + 1, label, extend(path, part), () => (reader.peek() === ',' ? ',' : ''), named);
      if (reader.next() === close) break;
    }
    const line = lines[opening];
    if (line !== undefined) line.end = reader.end;
    emit(depth, close + suffix(), -1, reader.start);
  };

  try {
    value(0, '', 0, () => '', null);
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
  const best = lines.reduce((most, line) => Math.max(most, line.path), -1);
  // A pointer to a missing member marks the object that should have it.
  return lines.map(({ text: shown, path, start, end }) => ({
    text: shown,
    marked: wanted !== null && path === best,
    start,
    end,
  }));
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
