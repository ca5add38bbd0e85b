import { Redactor } from '../target/redactor.ts';
import { SecretScan } from '../text/secret-scan.ts';

/** How a credential is found, and what stands in its place. */
export interface Hidden {
  readonly redactor: Redactor;
  readonly scan: SecretScan;
}

/** Credentials that are found wherever they stand by themselves, in plain. */
const MOST_KNOWN = 5000;
/** Credentials of which it is ready how they are found in every writing. */
const MOST_READY = 500;
/** Those of the last requests that are looked for in every writing in every text, and how often this is renewed, ms. */
const CROWD = 40;
const RENEW_MS = 1000;

/** Runs of characters that may be a credential: with the marks of base64 and of tokens in parts, and without. */
const TOKENS = [/[\w.~+/=:-]{6,300}/g, /[\w-]{6,300}/g] as const;

/**
 * Finds the credentials of traffic that does not end, in bounded memory and time: those of the request at hand and of the
 * busiest others in every writing, those of thousands of others in plain.
 */
export class RecentSecrets {
  /** Replacement by credential, the newest last. */
  readonly #known = new Map<string, string>();
  readonly #ready = new Map<string, Hidden>();
  #own: Hidden[] = [];
  #crowd: Hidden | null = null;
  #crowdOf = '';
  #renewAt = 0;

  /** A request begins: what is noted from now on is its own. */
  begin(): void {
    this.#own = [];
  }

  /** Notes a credential of the request at hand, and what stands in its place. */
  note(value: string, replacement: string): void {
    keepNewest(this.#known, value, replacement, MOST_KNOWN);
    const ready = this.#ready.get(value) ?? hiddenBy([[value, replacement]]);
    keepNewest(this.#ready, value, ready, MOST_READY);
    this.#own.push(ready);
    const now = Date.now();
    if (now < this.#renewAt) return;
    this.#renewAt = now + RENEW_MS;
    const newest = [...this.#known].slice(-CROWD);
    const of = newest
      .map(([one]) => one)
      .toSorted()
      .join(' ');
    if (of !== this.#crowdOf) this.#crowd = hiddenBy(newest);
    this.#crowdOf = of;
  }

  /** The text without any credential that is looked for. */
  redact(text: string): string {
    let hidden = text;
    for (const tokens of TOKENS) {
      hidden = hidden.replace(tokens, (token) => this.#known.get(token) ?? token);
    }
    for (const { redactor } of this.#own) hidden = redactor.redact(hidden);
    return this.#crowd === null ? hidden : this.#crowd.redactor.redact(hidden);
  }

  /** True when a text that was redacted still holds one, in several layers of writing. */
  leaks(redacted: string): boolean {
    const looked = this.#crowd === null ? this.#own : [...this.#own, this.#crowd];
    return looked.some(({ scan }) => scan.scan(redacted) !== null);
  }

  /** The credentials that came last. */
  listed(): readonly string[] {
    return [...this.#known.keys()].slice(-MOST_READY);
  }
}

/** Finds these credentials in every writing. */
export function hiddenBy(
  secrets: readonly (readonly [value: string, replacement: string])[],
): Hidden {
  return {
    redactor: new Redactor(secrets.map(([secret, replacement]) => ({ secret, replacement }))),
    scan: new SecretScan(secrets.map(([value, name]) => ({ name, value }))),
  };
}

function keepNewest<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
