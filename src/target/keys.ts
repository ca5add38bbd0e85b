import { createHmac, randomBytes } from 'node:crypto';
import type { KeyRole } from '../spec/exchange.ts';
import { ENDPOINT_PATHS } from '../spec/endpoints.ts';
import { KEY_ROLES } from '../spec/exchange.ts';
import { SecretScan } from '../text/secret-scan.ts';
import { nearKeys, WORD_KEYS } from '../spec/near-keys.ts';
import { Redactor } from './redactor.ts';
import type { TargetKeys } from './target.ts';

/** Shorter keys would also be found in ordinary text, and redaction would destroy the evidence. */
const MIN_KEY_LENGTH = 6;

/**
 * Why a text cannot be used as a key, completing "`keys.expired` …"; `undefined` when it can. A key travels in a
 * header, so it must be visible ASCII.
 *
 * @param reserved texts that every report holds
 */
export function keyFault(key: string, reserved: readonly string[] = []): string | undefined {
  if (key.length < MIN_KEY_LENGTH) {
    return `is shorter than ${MIN_KEY_LENGTH} characters and could not be redacted safely`;
  }
  if (!/^[\x21-\x7e]+$/.test(key)) return 'holds a character that cannot stand in a header';
  if (isOrdinary(key, reserved)) {
    return 'is a word that every report holds, so that it could not be redacted without destroying them';
  }
  return undefined;
}

/** True for a text that stands in a path of §4 or in one that is reserved: `token-economics`, `symbol`. */
function isOrdinary(key: string, reserved: readonly string[]): boolean {
  const folded = key.toLowerCase();
  return (
    ENDPOINT_PATHS.some((path) => path.toLowerCase().includes(folded)) ||
    reserved.some((text) => text.toLowerCase().includes(folded))
  );
}

const WORDS: ReadonlySet<string> = new Set(WORD_KEYS);

export interface KeyRingOptions {
  /** Fixes the never-issued key. */
  readonly seed: number;
  /**
   * Salt of the fingerprints. Random by default, so that a fingerprint cannot be tested against guessed keys; give the
   * same one to every ring whose fingerprints are to be compared.
   */
  readonly salt?: string;
  /** Other texts that must not be recorded, such as the values of headers that carry credentials. */
  readonly secrets?: readonly string[];
}

/** The keys of a target by role, and everything that is done to keep them out of records. */
export class KeyRing {
  readonly salt: string;
  readonly #byRole: ReadonlyMap<KeyRole, readonly string[]>;
  /** Fingerprints that were asked for. */
  readonly #digests = new Map<string, string>();
  /** Texts that must not be recorded beside the keys. */
  readonly #secrets: string[];
  #redactor: Redactor;
  #scan: SecretScan;

  constructor(keys: TargetKeys, options: KeyRingOptions) {
    this.salt = options.salt ?? randomBytes(16).toString('hex');
    this.#byRole = new Map<KeyRole, readonly string[]>([
      ['valid', keys.valid],
      ['disabled', oneOrNone(keys.disabled)],
      ['expired', oneOrNone(keys.expired)],
      ['restricted', oneOrNone(keys.restricted?.key)],
      ['nearQuota', oneOrNone(keys.nearQuota?.key)],
      ['unknown', unknownKeys(keys, options.seed)],
      ['none', []],
    ]);
    this.#secrets = [...(options.secrets ?? [])];
    [this.#redactor, this.#scan] = this.#guards();
  }

  /** Keeps a further text out of records from now on. */
  hide(secret: string): void {
    this.#secrets.push(secret);
    [this.#redactor, this.#scan] = this.#guards();
  }

  #guards(): [Redactor, SecretScan] {
    const redactor = new Redactor([
      ...[...this.#byRole].flatMap(([role, all]) =>
        all
          .filter((key) => role !== 'unknown' || !WORDS.has(key))
          .map((key) => ({ secret: key, replacement: this.#replacement(role, key) })),
      ),
      ...this.#secrets.map((secret) => ({ secret, replacement: '[redacted]' })),
    ]);
    const own = [...this.#byRole].filter(([role]) => role !== 'unknown').flatMap(([, all]) => all);
    const scan = new SecretScan([
      ...own.map((value) => ({ name: this.fingerprint(value), value })),
      ...this.#secrets.map((value) => ({ name: 'a credential', value })),
    ]);
    return [redactor, scan];
  }

  /** What stands in the place of a key. One that is nearly the first valid one gives away as much, and stands for it. */
  #replacement(role: KeyRole, key: string): string {
    const [model = ''] = this.keys('valid');
    const near = role === 'unknown' && nearKeys(model).includes(key);
    return `[redacted:${this.fingerprint(near ? model : key)}]`;
  }

  /** Keys of a role; empty when the target file gives none. */
  keys(role: KeyRole): readonly string[] {
    return this.#byRole.get(role) ?? [];
  }

  /** Short salted digest that tells keys apart without showing them: `k:ab12cd34`. */
  fingerprint(key: string): string {
    let digest = this.#digests.get(key);
    if (digest === undefined) {
      digest = `k:${createHmac('sha256', this.salt).update(key).digest('hex').slice(0, 8)}`;
      this.#digests.set(key, digest);
    }
    return digest;
  }

  /** Fingerprints by role, without roles that have no key. */
  fingerprints(): Partial<Record<KeyRole, readonly string[]>> {
    const result: Partial<Record<KeyRole, readonly string[]>> = {};
    for (const role of KEY_ROLES) {
      const keys = this.keys(role);
      if (keys.length > 0) result[role] = keys.map((key) => this.fingerprint(key));
    }
    return result;
  }

  /** The text with every occurrence of a key, in any usual encoding, replaced by its fingerprint. */
  redact(text: string): string {
    return this.#redactor.redact(text);
  }

  /**
   * True when a text that was redacted still holds a secret, in a writing of several layers (base64 within a URL). Such
   * a text is to be withheld as a whole.
   */
  stillLeaks(redacted: string): boolean {
    return this.#scan.scan(redacted) !== null;
  }

  /** True when a key of the ring stands in the text, in any usual encoding. */
  leaks(text: string): boolean {
    return this.#redactor.finds(text);
  }
}

/** A never-issued key, those that are nearly the first valid one in the order of `NEAR_KEYS`, and `WORD_KEYS`. */
function unknownKeys(keys: TargetKeys, seed: number): readonly string[] {
  const [model = ''] = keys.valid;
  const { disabled, expired, restricted, nearQuota } = keys;
  const issued = new Set([...keys.valid, disabled, expired, restricted?.key, nearQuota?.key]);
  const near = nearKeys(model).map((key, index) => {
    // A key that cannot be varied so, or is in use, has a never-issued one in its place.
    const usable = keyFault(key) === undefined && !issued.has(key);
    return usable ? key : neverIssuedKey(keys, seed + index + 1);
  });
  return [neverIssuedKey(keys, seed), ...near, ...WORD_KEYS];
}

/**
 * A key that looks like the issued ones (same length, same kind of characters) and is none of them. A service that
 * checks the form of a key first must not be able to tell it by its form (§5 rule 3).
 */
function neverIssuedKey(keys: TargetKeys, seed: number): string {
  const model = keys.valid[0] ?? 'a0'.repeat(16);
  const issued = [...keys.valid, keys.disabled, keys.expired, keys.restricted?.key];
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const stream = digits(`never issued ${seed} ${attempt}`, model.length);
    const key = Array.from(model)
      .map((character, index) => sameKind(character, model, stream[index] ?? 0))
      .join('');
    if (!issued.includes(key) && key !== keys.nearQuota?.key) return key;
  }
  // A model without letters and digits cannot be varied; its length and characters are then not worth keeping.
  return neverIssuedKey({ valid: [] }, seed);
}

function digits(label: string, length: number): number[] {
  const bytes: number[] = [];
  for (let block = 0; bytes.length < length; block += 1) {
    bytes.push(...createHmac('sha256', label).update(String(block)).digest());
  }
  return bytes;
}

/** A character of the same kind as the model's; separators such as the dashes of a UUID stay. */
function sameKind(character: string, model: string, value: number): string {
  const hexadecimal = /^[0-9a-f-]+$/i.test(model);
  const pick = (alphabet: string): string => alphabet.charAt(value % alphabet.length);
  if (/[0-9]/.test(character)) return pick('0123456789');
  if (/[a-z]/.test(character)) return pick(hexadecimal ? 'abcdef' : 'abcdefghijklmnopqrstuvwxyz');
  if (/[A-Z]/.test(character)) return pick(hexadecimal ? 'ABCDEF' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  return character;
}

function oneOrNone(key: string | undefined): readonly string[] {
  return key === undefined ? [] : [key];
}
