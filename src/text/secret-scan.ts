/** A secret that must not be in any artifact, with a name that may be shown, such as `keys.valid[0]`. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

/** A secret that was found, without its value. */
export interface Leak {
  /** Name of the secret. */
  readonly secret: string;
  /** Its encoding: `plain`, `base64`, `URL-encoded`, … */
  readonly encoding: string;
}

/** Size of a window, characters. */
const WINDOW = 512 * 1024;
/** Overlap of windows, characters: longer than any encoding of a secret. */
export const OVERLAP = 32 * 1024;
/** Layers of escapes to remove: reports have at most JSON in HTML in JSON. */
const LAYERS = 3;

interface Needle extends Leak {
  readonly text: string;
}

/** Most needles that one expression finds faster in a text of this length than one search each. */
const FEW = 200;
const LONG = 100_000;

/**
 * Finds secrets in a text: plain in any case, URL-encoded, escaped as in JSON or HTML, hexadecimal, and base64 at any
 * offset in both alphabets; also nested. Shares no code with the redactor, so that neither hides mistakes of the other.
 */
export class SecretScan {
  readonly #isEmpty: boolean;
  readonly #find: Finder;
  /** Finds plain and hexadecimal forms. */
  readonly #findFolded: Finder;
  readonly #unescapes: readonly Unescape[];

  constructor(secrets: readonly Secret[]) {
    const known = secrets.filter(({ value }) => value !== '');
    this.#unescapes = unescapes(known.some(({ value }) => /["'/\\]/.test(value)));
    const base64 = known.flatMap(({ name, value }) =>
      base64Forms(value).map((text) => ({ secret: name, encoding: 'base64', text })),
    );
    const folded = known.flatMap(({ name, value }) => [
      { secret: name, encoding: 'plain', text: value.toLowerCase() },
      { secret: name, encoding: 'hexadecimal', text: Buffer.from(value).toString('hex') },
    ]);
    const findExact = finder(base64, false);
    this.#isEmpty = known.length === 0;
    this.#findFolded = finder(folded, true);
    this.#find = (text) => findExact(text) ?? this.#findFolded(text);
  }

  /** The first secret found, or null. */
  scan(text: string): Leak | null {
    if (this.#isEmpty) return null;
    for (let start = 0; ; start += WINDOW - OVERLAP) {
      const leak = this.#scanWindow(text.slice(start, start + WINDOW));
      if (leak !== null) return leak;
      if (start + WINDOW >= text.length) return null;
    }
  }

  #scanWindow(text: string): Leak | null {
    const direct = this.#find(text);
    if (direct !== null) return direct;
    for (const [encoding, plain] of this.#unescapes) {
      const bare = plain(text);
      const leak = bare === text ? null : this.#findFolded(bare);
      if (leak !== null) return { ...leak, encoding };
    }
    let bare = text;
    for (let layer = 0; layer < LAYERS; layer += 1) {
      const before = bare;
      for (const [, plain] of this.#unescapes) bare = plain(bare);
      if (bare === before) return null;
      const leak = this.#find(bare);
      if (leak !== null) return { ...leak, encoding: `${leak.encoding}, escaped` };
    }
    return null;
  }
}

/** The first needle in a text. */
type Finder = (text: string) => Leak | null;

/** @param folded true when letter case does not matter: the needles are in lower case */
function finder(all: readonly Needle[], folded: boolean): Finder {
  const literal = all.map(({ text }) => text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`));
  const any = all.length > FEW ? null : new RegExp(literal.join('|'), folded ? 'iu' : 'u');
  return (text) => {
    if (text.length > LONG && any?.test(text) === false) return null;
    const searched = folded ? text.toLowerCase() : text;
    const found = all.find((needle) => searched.includes(needle.text));
    return found === undefined ? null : { secret: found.secret, encoding: found.encoding };
  };
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
 * Removes escapes of visible ASCII characters, because secrets consist of these only and artifacts contain millions of
 * other escapes. Escaped quotes, slashes and backslashes matter only if a secret contains one.
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
          (_, wide?: string, narrow?: string, ...marked: string[]) => {
            const hex = wide ?? narrow;
            return hex === undefined ? (marked[0] ?? marked[1] ?? '') : fromHex(hex);
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

/** The base64 characters that depend only on the secret, for each byte offset and alphabet. */
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
