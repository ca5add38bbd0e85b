/** One line of a JSON text that was laid out, and whether the value asked for is on it. */
export interface LaidOutLine {
  readonly text: string;
  readonly marked: boolean;
}

const MAX_DEPTH = 200;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]|[^\s{}[\]:,"]+/gy;
const SPACE = /\s*/gy;

/** Reads tokens and never rewrites them. Numbers stay as sent: `1.10` and 20-digit ids are evidence. */
class Reader {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  peek(): string | null {
    const before = this.#position;
    const token = this.next();
    this.#position = before;
    return token;
  }

  next(): string | null {
    SPACE.lastIndex = this.#position;
    SPACE.exec(this.#text);
    TOKEN.lastIndex = SPACE.lastIndex;
    const match = TOKEN.exec(this.#text);
    if (match === null) return null;
    this.#position = TOKEN.lastIndex;
    return match[0];
  }

  atEnd(): boolean {
    return this.#text.slice(this.#position).trim() === '';
  }
}

function unescapePointer(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function memberName(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}

class Malformed extends Error {}

/**
 * Lays out a JSON text with one value a line, without parsing its values, and marks the value that `pointer` (RFC 6901)
 * names, or the nearest parent that is there. Null when the text is not JSON or nested too deeply; show it as it is then.
 */
export function layoutJson(text: string, pointer: string | null): readonly LaidOutLine[] | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  const reader = new Reader(text);
  const wanted = pointer === null ? null : unescapePointer(pointer);
  const lines: { text: string; path: number }[] = [];
  // `path` counts the parts of the pointer that lead to the value on the line; -1 when it lies elsewhere.
  const emit = (depth: number, content: string, path: number): void => {
    lines.push({ text: '  '.repeat(depth) + content, path });
  };
  const extend = (path: number, part: string): number =>
    wanted !== null && path >= 0 && wanted[path] === part ? path + 1 : -1;

  const value = (depth: number, prefix: string, path: number, suffix: () => string): void => {
    if (depth > MAX_DEPTH) throw new Malformed();
    const token = reader.next();
    if (token === null) throw new Malformed();
    if (token !== '{' && token !== '[') {
      emit(depth, prefix + token + suffix(), path);
      return;
    }
    const close = token === '{' ? '}' : ']';
    if (reader.peek() === close) {
      reader.next();
      emit(depth, `${prefix}${token}${close}${suffix()}`, path);
      return;
    }
    emit(depth, prefix + token, path);
    for (let index = 0; ; index += 1) {
      let label = '';
      let part = String(index);
      if (token === '{') {
        const name = reader.next() ?? '';
        reader.next();
        label = `${name}: `;
        part = memberName(name);
      }
      value(depth + 1, label, extend(path, part), () => (reader.peek() === ',' ? ',' : ''));
      if (reader.next() === close) break;
    }
    emit(depth, close + suffix(), -1);
  };

  try {
    value(0, '', 0, () => '');
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
  const best = lines.reduce((most, line) => Math.max(most, line.path), -1);
  // A pointer to a member that is missing marks the object that should have it.
  return lines.map((line) => ({
    text: line.text,
    marked: wanted !== null && line.path === best,
  }));
}

/** Lines around the marked ones when there are too many: the beginning, the marked place, and what was left out. */
export function excerpt(
  lines: readonly LaidOutLine[],
  maxLines: number,
): readonly (LaidOutLine | { readonly leftOut: number })[] {
  if (lines.length <= maxLines) return lines;
  const marked = lines.findIndex((line) => line.marked);
  const around = 12;
  const head = Math.max(1, maxLines - 2 * around - 1);
  if (marked < 0 || marked < maxLines - around) {
    return [...lines.slice(0, maxLines), { leftOut: lines.length - maxLines }];
  }
  const from = Math.max(head, marked - around);
  const to = Math.min(lines.length, marked + around + 1);
  return [
    ...lines.slice(0, head),
    ...(from > head ? [{ leftOut: from - head }] : []),
    ...lines.slice(from, to),
    ...(to < lines.length ? [{ leftOut: lines.length - to }] : []),
  ];
}
