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
  /** Length of the shortest text that a secret can stand in. */
  readonly #shortest: number;
  /** Secrets as they stand in a text without escapes, and in hexadecimal; null where nothing can be said beforehand. */
  readonly #plain: readonly string[] | null;
  /** Replacements of texts that are a secret and nothing else, by the text in lower case: most are, in a header. */
  readonly #alone: ReadonlyMap<string, string>;
  /** Characters of which at least one is escaped where a secret does not stand in plain. */
  readonly #alphabet: ReadonlySet<string>;

  constructor(redactions: readonly Redaction[]) {
    const longestFirst = redactions
      .filter(({ secret }) => secret !== '')
      .toSorted((a, b) => b.secret.length - a.secret.length);
    const secrets = longestFirst.map(({ secret }) => secret);
    this.#plain = secrets.every((secret) => /^[ -[\]-~]+$/.test(secret))
      ? secrets.flatMap((secret) => [secret.toLowerCase(), hexadecimal(secret)])
      : null;
    // Of two that differ in letter case the expression finds the first one.
    this.#alone = new Map(
      longestFirst
        .toReversed()
        .map(({ secret, replacement }) => [secret.toLowerCase(), replacement]),
    );
    this.#alphabet = new Set(secrets.flatMap((secret) => Array.from(secret.toLowerCase())));
    const replacements = longestFirst.map(({ replacement }) => replacement);
    this.#shortest = Math.min(
      ...longestFirst.flatMap(({ secret }) => [
        Array.from(secret).length,
        ...base64Texts(secret).map(({ length }) => length),
      ]),
    );
    const written = longestFirst.map(({ secret }) => `${spelled(secret)}|${hexadecimal(secret)}`);
    const base64 = longestFirst.map(({ secret }) => base64Forms(secret).join('|'));
    this.#written = pattern(written, replacements, 'giu');
    this.#base64 = pattern(base64, replacements, 'g');
  }

  redact(text: string): string {
    if (text.length < this.#shortest) return text;
    const alone = this.#plain === null ? undefined : this.#alone.get(text.toLowerCase());
    const written = alone ?? (this.#mayBeWritten(text) ? replace(text, this.#written) : text);
    return replace(written, this.#base64);
  }

  /**
   * False when no secret stands in the text but, perhaps, in base64. The expression that finds them all takes a tenth of a
   * second and forty megabytes to compile: most runs never need it.
   */
  #mayBeWritten(text: string): boolean {
    if (this.#plain === null) return true;
    // As an expression with the flags `iu` folds them: the long s and the sign for kelvin are letters of English, too.
    const folded = text.toLowerCase().replaceAll('\u017f', 's');
    if (this.#plain.some((secret) => folded.includes(secret))) return true;
    if (!/[\\%&]/.test(text)) return false;
    for (const [, wide, mark, percent, decimal, hex] of text.matchAll(ESCAPES)) {
      const code = wide ?? percent ?? hex;
      const character =
        mark ??
        String.fromCodePoint(
          code === undefined ? Number(decimal) : Number.parseInt(code, 16),
        ).toLowerCase();
      if (this.#alphabet.has(character)) return true;
    }
    return false;
  }

  finds(text: string): boolean {
    return this.redact(text) !== text;
  }
}

/** Escapes of one character of ASCII; more than there are, rather than fewer. None of them begins within another one. */
const ESCAPES = /\\u([0-9a-f]{4})|\\(["/])|%([0-9a-f]{2})|&#0*(\d{1,3});|&#x0*([0-9a-f]{1,2});/gi;

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
 * the groups of three bytes.
 */
function base64Texts(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor(((offset + bytes.length) * 8) / 6);
    return text.slice(first, last);
  });
}

/** The same as expressions, in the plain and in the URL alphabet. */
function base64Forms(secret: string): string[] {
  return base64Texts(secret).map((text) => text.replaceAll('+', '[+-]').replaceAll('/', '[/_]'));
}
