export interface Redaction {
  readonly secret: string;
  /** What stands in its place. */
  readonly replacement: string;
}

/**
 * Finds secrets in text the way a careless server or tool would write them: plain in any case, URL-encoded,
 * JSON-escaped, as HTML character references (all of these also mixed within one occurrence), hexadecimal, and base64
 * at any offset. A secret counts only as a whole; of two that begin alike, the longer one is found.
 */
export class Redactor {
  readonly #written: Pattern | null;
  readonly #base64: Pattern | null;

  constructor(redactions: readonly Redaction[]) {
    const longestFirst = redactions
      .filter(({ secret }) => secret !== '')
      .toSorted((a, b) => b.secret.length - a.secret.length);
    const replacements = longestFirst.map(({ replacement }) => replacement);
    const written = longestFirst.map(({ secret }) => `${spelled(secret)}|${hexadecimal(secret)}`);
    const base64 = longestFirst.map(({ secret }) => base64Forms(secret).join('|'));
    this.#written = pattern(written, replacements, 'giu');
    this.#base64 = pattern(base64, replacements, 'g');
  }

  redact(text: string): string {
    return replace(replace(text, this.#written), this.#base64);
  }

  finds(text: string): boolean {
    return this.redact(text) !== text;
  }
}

interface Pattern {
  readonly expression: RegExp;
  readonly replacements: readonly string[];
}

/** One capture group per secret, so that the group that matched names the replacement. */
function pattern(
  sources: readonly string[],
  replacements: readonly string[],
  flags: string,
): Pattern | null {
  if (sources.length === 0) return null;
  return {
    expression: new RegExp(sources.map((source) => `(${source})`).join('|'), flags),
    replacements,
  };
}

function replace(text: string, found: Pattern | null): string {
  if (found === null) return text;
  return text.replace(found.expression, (...match: unknown[]) => {
    const group = match
      .slice(1, 1 + found.replacements.length)
      .findIndex((part) => part !== undefined);
    return found.replacements[group] ?? '[redacted]';
  });
}

/** Every character plain or in one of its escapes. */
function spelled(secret: string): string {
  return Array.from(secret)
    .map((character) => {
      const code = character.codePointAt(0) ?? 0;
      const hex = code.toString(16);
      const forms = [
        character.replaceAll(
          /[^0-9A-Za-z]/gu,
          (literal) => `\\u{${literal.codePointAt(0)?.toString(16) ?? '0'}}`,
        ),
        `\\\\u${hex.padStart(4, '0')}`,
        encoded(character),
        `&#0*${code};`,
        `&#x0*${hex};`,
      ];
      if (character === '"' || character === '\\' || character === '/') {
        forms.unshift(`\\\\\\u{${hex}}`);
      }
      return `(?:${forms.join('|')})`;
    })
    .join('');
}

function encoded(character: string): string {
  return [...Buffer.from(character, 'utf8')]
    .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
    .join('');
}

function hexadecimal(secret: string): string {
  return Buffer.from(secret, 'utf8').toString('hex');
}

/**
 * The characters of a base64 text that depend on the secret alone, for each of the three ways in which it can lie in
 * the groups of three bytes, in the plain and in the URL alphabet.
 */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor(((offset + bytes.length) * 8) / 6);
    return text.slice(first, last).replaceAll('+', '[+-]').replaceAll('/', '[/_]');
  });
}
