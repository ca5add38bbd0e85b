/** A text that must stand in no artifact, under a name that may be shown, such as `keys.valid[0]`. */
export interface ScanSecret {
  readonly name: string;
  readonly value: string;
}

/** A secret that was found. Never holds the secret itself. */
export interface Leak {
  /** Name of the secret. */
  readonly secret: string;
  /** How it was written: `plain`, `base64`, `URL-encoded`, … */
  readonly encoding: string;
}

/** Characters that are looked at together. */
const WINDOW = 512 * 1024;
/** Characters of the end of a window that the next one looks at again: longer than any written form of a secret. */
export const OVERLAP = 32 * 1024;
/** Layers of escapes that are taken off: JSON in HTML in JSON is the deepest that reports have. */
const LAYERS = 3;

interface Needle extends Leak {
  readonly text: string;
}

/**
 * Finds secrets in a text: in plain, in any letter case, URL-encoded, escaped as in JSON or HTML, hexadecimal, and in
 * base64 at any of its three offsets and in both alphabets; also several layers of these. Shares no code with what
 * redacts, so that neither hides the mistakes of the other.
 */
export class SecretScan {
  /** Searched in the text as it is. */
  readonly #exact: readonly Needle[];
  /** Searched in the text in lower case. */
  readonly #folded: readonly Needle[];
  /** Searched, in lower case, in the text without its escapes. */
  readonly #secrets: readonly Needle[];
  readonly #unescapes: readonly Unescape[];

  constructor(secrets: readonly ScanSecret[]) {
    const known = secrets.filter(({ value }) => value !== '');
    this.#unescapes = unescapes(known.some(({ value }) => /["'/\\]/.test(value)));
    this.#exact = known.flatMap(({ name, value }) =>
      base64Forms(value).map((text) => ({ secret: name, encoding: 'base64', text })),
    );
    const folded = (encoding: string, write: (value: string) => string): readonly Needle[] =>
      known.map(({ name, value }) => ({
        secret: name,
        encoding,
        text: write(value).toLowerCase(),
      }));
    const plain = folded('plain', (value) => value);
    this.#secrets = plain;
    this.#folded = [
      ...plain,
      ...folded('hexadecimal', (value) => Buffer.from(value, 'utf8').toString('hex')),
    ];
  }

  /** The first secret found; null when there is none. */
  scan(text: string): Leak | null {
    if (this.#secrets.length === 0) return null;
    for (let start = 0; ; start += WINDOW - OVERLAP) {
      const leak = this.#scanWindow(text.slice(start, start + WINDOW));
      if (leak !== null) return leak;
      if (start + WINDOW >= text.length) return null;
    }
  }

  #scanWindow(text: string): Leak | null {
    const direct = hit(text, this.#exact) ?? hit(text.toLowerCase(), this.#folded);
    if (direct !== null) return direct;
    for (const [encoding, plain] of this.#unescapes) {
      const bare = plain(text);
      const leak = bare === text ? null : hit(bare.toLowerCase(), this.#secrets);
      if (leak !== null) return { ...leak, encoding };
    }
    let bare = text;
    for (let layer = 0; layer < LAYERS; layer += 1) {
      const before = bare;
      for (const [, plain] of this.#unescapes) bare = plain(bare);
      if (bare === before) return null;
      const leak = hit(bare, this.#exact) ?? hit(bare.toLowerCase(), this.#folded);
      if (leak !== null) return { ...leak, encoding: `${leak.encoding}, escaped` };
    }
    return null;
  }
}

/** The first of the forms that stands in the text, in their order. */
function hit(text: string, forms: readonly Needle[]): Leak | null {
  const found = forms.find((form) => text.includes(form.text));
  return found === undefined ? null : { secret: found.secret, encoding: found.encoding };
}

const NAMED: Readonly<Record<string, string>> = {
  quot: '"',
  amp: '&',
  lt: '<',
  gt: '>',
  apos: "'",
  sol: '/',
  colon: ':',
  equals: '=',
  plus: '+',
  period: '.',
  lowbar: '_',
};

const fromHex = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

type Unescape = readonly [encoding: string, plain: (text: string) => string];

/**
 * Takes escapes off, for looking only. Just those of visible ASCII: secrets consist of nothing else, and artifacts hold
 * millions of others. Marks behind a backslash matter only to secrets that hold such a mark.
 */
function unescapes(marks: boolean): readonly Unescape[] {
  const backslash = marks
    ? /\\+(?:u00([2-7][0-9a-f])|x([2-7][0-9a-f])|(["'/]))|\\(\\)/gi
    : /\\+(?:u00([2-7][0-9a-f])|x([2-7][0-9a-f]))/gi;
  return [
    [
      'URL-encoded',
      (text) =>
        text.includes('%')
          ? text.replaceAll(/%([2-7][0-9a-f])/gi, (_, hex: string) => fromHex(hex))
          : text,
    ],
    [
      'JSON-escaped',
      (text) => {
        if (!text.includes('\\')) return text;
        return text.replaceAll(
          backslash,
          (_, wide?: string, narrow?: string, ...rest: unknown[]) => {
            const hex = wide ?? narrow;
            if (hex !== undefined) return fromHex(hex);
            const mark = rest.slice(0, 2).find((one) => typeof one === 'string');
            return typeof mark === 'string' ? mark : '';
          },
        );
      },
    ],
    [
      'HTML-escaped',
      (text) => {
        if (!text.includes('&')) return text;
        return text.replaceAll(
          /&(?:#0{0,6}(\d{2,3})|#x0{0,6}([2-7][0-9a-f])|([a-z]{2,6}));/gi,
          (whole, decimal?: string, hex?: string, name?: string) => {
            if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
            return hex === undefined ? String.fromCharCode(Number(decimal)) : fromHex(hex);
          },
        );
      },
    ],
  ];
}

/** For each offset within a group of three bytes, the characters that depend on the secret alone, in both alphabets. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const forms = [0, 1, 2].flatMap((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor((padded.length * 8) / 6);
    return [
      padded.toString('base64').slice(first, last),
      padded.toString('base64url').slice(first, last),
    ];
  });
  return [...new Set(forms)];
}
