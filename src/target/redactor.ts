/** A secret, and the text to replace it with. */
type Redaction = { readonly secret: string; readonly replacement: string };

/**
 * Redacts secrets in the encodings that servers and tools use: plain in any case, URL-encoded, JSON-escaped, as HTML
 * character references (also mixed within one occurrence), hexadecimal, and base64 at any offset. Of two secrets with a
 * common prefix, the longer one is matched.
 */
export class Redactor {
  readonly #written: (text: string) => string;
  readonly #base64: (text: string) => string;
  /** Secrets in plain and hexadecimal form for a quick check; null when it is not possible. */
  readonly #plain: readonly string[] | null;
  /** Replacements for texts that are exactly a secret, by lower-case text, as usual in headers. */
  readonly #alone: ReadonlyMap<string, string>;
  readonly #alphabet: ReadonlySet<string>;

  constructor(redactions: readonly Redaction[]) {
    const longestFirst = redactions
      .filter(({ secret }) => secret !== '')
      .toSorted((a, b) => b.secret.length - a.secret.length);
    const secrets = longestFirst.map(({ secret }) => secret);
    this.#plain = secrets.every((secret) => /^[ -[\]-~]+$/.test(secret))
      ? secrets.flatMap((secret) => [secret.toLowerCase(), hexadecimal(secret)])
      : null;
    // Of secrets that differ in case only, the expression matches the first one.
    this.#alone = new Map(
      longestFirst
        .toReversed()
        .map(({ secret, replacement }) => [secret.toLowerCase(), replacement]),
    );
    this.#alphabet = new Set(secrets.flatMap((secret) => Array.from(secret.toLowerCase())));
    const replacements = longestFirst.map(({ replacement }) => replacement);
    const written = (): string[] =>
      longestFirst.map(({ secret }) => `${inAnyEncoding(secret)}|${hexadecimal(secret)}`);
    /** For both base64 alphabets. */
    const base64 = (): string[] =>
      secrets.map((secret) =>
        base64Texts(secret).join('|').replaceAll('+', '[+-]').replaceAll('/', '[/_]'),
      );
    this.#written = replacer(written, replacements, 'giu');
    this.#base64 = replacer(base64, replacements, 'g');
  }

  redact(text: string): string {
    const alone = this.#plain === null ? undefined : this.#alone.get(text.toLowerCase());
    return this.#base64(alone ?? (this.#mayBeWritten(text) ? this.#written(text) : text));
  }

  /**
   * False when the text contains no secret, except perhaps in base64. Avoids compiling the expression, which takes 0.1
   * s and 40 MB and which most runs never need.
   */
  #mayBeWritten(text: string): boolean {
    if (this.#plain === null) return true;
    // Case folding as in expressions with the flags `iu`, including the long s and the kelvin sign.
    const folded = text.toLowerCase().replaceAll('\u017f', 's');
    if (this.#plain.some((secret) => folded.includes(secret))) return true;
    if (!/[\\%&]/.test(text)) return false;
    for (const [, wide, mark, percent, decimal, hex] of text.matchAll(ESCAPES)) {
      const code = wide ?? percent ?? hex;
      const point = code === undefined ? Number(decimal) : Number.parseInt(code, 16);
      if (this.#alphabet.has(mark ?? String.fromCodePoint(point).toLowerCase())) return true;
    }
    return false;
  }
}

/** Escapes of a single ASCII character, rather too many than too few. They do not overlap. */
const ESCAPES = /\\u([0-9a-f]{4})|\\(["/])|%([0-9a-f]{2})|&#0*(\d{1,3});|&#x0*([0-9a-f]{1,2});/gi;

/**
 * Replaces every match. One capture group per secret: the index of the matching group selects the replacement. The expression
 * is made when it is first needed.
 */
function replacer(
  sourcesOf: () => readonly string[],
  replacements: readonly string[],
  flags: string,
): (text: string) => string {
  if (replacements.length === 0) return (text) => text;
  let expression: RegExp | undefined;
  return (text) => {
    expression ??= new RegExp(
      sourcesOf()
        .map((source) => `(${source})`)
        .join('|'),
      flags,
    );
    return text.replace(expression, (...match: unknown[]) => {
      const groups = match.slice(1, 1 + replacements.length);
      return replacements[groups.findIndex((part) => part !== undefined)] ?? '[redacted]';
    });
  };
}

/** Matches every character plain or escaped. */
function inAnyEncoding(secret: string): string {
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

/** The base64 characters that depend only on the secret, for each of the three byte offsets. */
function base64Texts(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor(((offset + bytes.length) * 8) / 6);
    return text.slice(first, last);
  });
}
