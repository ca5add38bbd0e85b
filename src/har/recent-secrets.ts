import { Redactor } from '../target/redactor.ts';
import { SecretScan } from '../text/secret-scan.ts';

/** Redactor and scanner for a set of credentials. */
export interface Hidden {
  readonly redactor: Redactor;
  readonly scan: SecretScan;
}

/** Number of credentials to redact in plain form. */
const MOST_KNOWN = 5000;
/** Number of credentials with a prepared redactor for all encodings. */
const MOST_READY = 500;
/** Number of latest credentials to redact in all encodings in every text, and how often they are updated, ms. */
const CROWD = 40;
const RENEW_MS = 1000;

/** Runs of characters that may be a credential, with and without punctuation of base64 and tokens. */
const TOKENS = [/[\w.~+/=:-]{6,300}/g, /[\w-]{6,300}/g] as const;

/**
 * Redacts credentials of live traffic in bounded memory and time: those of the current request and the latest others in
 * all encodings, thousands of others in plain form.
 */
export function recentSecrets() {
  /** Replacement by credential, newest last. */
  const known = new Map<string, string>();
  const ready = new Map<string, Hidden>();
  let own: Hidden[] = [];
  let crowd: Hidden | null = null;
  let crowdOf = '';
  let renewAt = 0;
  const groups = (): readonly Hidden[] => (crowd === null ? own : [...own, crowd]);
  return {
    begin(): void {
      own = [];
    },
    /** Adds a credential of the current request, with its replacement. */
    note(value: string, replacement: string): void {
      keepNewest(known, value, replacement, MOST_KNOWN);
      const hidden = ready.get(value) ?? hiddenBy([[value, replacement]]);
      keepNewest(ready, value, hidden, MOST_READY);
      own.push(hidden);
      const now = Date.now();
      if (now < renewAt) return;
      renewAt = now + RENEW_MS;
      const newest = [...known].slice(-CROWD);
      const values = newest.map(([one]) => one);
      const of = values.toSorted().join(' ');
      if (of !== crowdOf) crowd = hiddenBy(newest);
      crowdOf = of;
    },
    redact(text: string): string {
      let hidden = text;
      for (const tokens of TOKENS) {
        hidden = hidden.replace(tokens, (token) => known.get(token) ?? token);
      }
      for (const { redactor } of groups()) hidden = redactor.redact(hidden);
      return hidden;
    },
    /** True when a redacted text still contains one in nested encodings. */
    leaks: (redacted: string): boolean => groups().some(({ scan }) => scan.scan(redacted) !== null),
    listed: (): readonly string[] => [...known.keys()].slice(-MOST_READY),
  };
}

/** Redactor and scanner for these credentials in all encodings. */
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
