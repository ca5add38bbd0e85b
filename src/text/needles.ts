/** Characters that are looked at together. */
const BLOCK = 3;
const TABLE = 1 << 15;

/**
 * Tells whether any of many texts stands in a long one, and looks at a part of its characters only (Wu and Manber, "A
 * fast algorithm for multi-pattern searching", 1994): what the last block of a window cannot belong to is skipped as a
 * whole.
 */
export class Needles {
  /** Length of the shortest; 0 when there is none. */
  readonly #window: number;
  /** By block: how far the window may move on. */
  readonly #shifts: Uint8Array;
  /** By block: texts whose window ends with it. */
  readonly #endings = new Map<number, string[]>();
  /** Searched one by one, as they are too short for a block. */
  readonly #short: readonly string[];

  constructor(texts: readonly string[]) {
    this.#short = texts.filter(({ length }) => length < BLOCK);
    const long = texts.filter(({ length }) => length >= BLOCK);
    this.#window = long.length === 0 ? 0 : Math.min(...long.map(({ length }) => length), 255);
    this.#shifts = new Uint8Array(TABLE).fill(Math.max(1, this.#window - BLOCK + 1));
    for (const text of long) {
      for (let end = BLOCK - 1; end < this.#window; end += 1) {
        const block = blockAt(text, end);
        const shift = this.#window - 1 - end;
        this.#shifts[block] = Math.min(this.#shifts[block] ?? 0, shift);
        if (shift > 0) continue;
        const known = this.#endings.get(block);
        if (known === undefined) this.#endings.set(block, [text]);
        else known.push(text);
      }
    }
  }

  /** True when one of the texts stands in `haystack`, letter by letter. */
  in(haystack: string): boolean {
    if (this.#short.some((text) => haystack.includes(text))) return true;
    if (this.#window === 0) return false;
    for (let end = this.#window - 1; end < haystack.length;) {
      const block = blockAt(haystack, end);
      const shift = this.#shifts[block] ?? 0;
      if (shift === 0) {
        const start = end - this.#window + 1;
        for (const text of this.#endings.get(block) ?? []) {
          if (haystack.startsWith(text, start)) return true;
        }
      }
      end += Math.max(1, shift);
    }
    return false;
  }
}

/** Number of the three characters up to `end`; different ones may share it. */
function blockAt(text: string, end: number): number {
  return (
    ((text.charCodeAt(end - 2) << 10) ^ (text.charCodeAt(end - 1) << 5) ^ text.charCodeAt(end)) &
    (TABLE - 1)
  );
}
