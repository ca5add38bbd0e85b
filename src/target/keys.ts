import { createHmac, randomBytes } from 'node:crypto';
import { KEY_ROLES, type KeyRole } from '../spec/exchange.ts';
import { ENDPOINT_PATHS } from '../spec/endpoints.ts';
import { groupBy } from '../text/group-by.ts';
import { SecretScan } from '../text/secret-scan.ts';
import { nearKeys, variationOf, WORD_KEYS, type KeyVariation } from '../spec/near-keys.ts';
import { lookalike } from './lookalike.ts';
import { Redactor } from './redactor.ts';
import { issuedKeys, type TargetKeys } from './target.ts';

/** Shorter keys occur in ordinary text, so that redaction would destroy evidence. */
const MIN_KEY_LENGTH = 6;

/**
 * Why a text cannot be used as a key, as a message after the name of the setting; `undefined` when it can. Keys are
 * sent in a header, so they must be visible ASCII.
 * @param reserved texts in every report
 */
export function keyFault(key: string, reserved: readonly string[] = []): string | undefined {
  if (key.length < MIN_KEY_LENGTH) {
    return `is shorter than ${MIN_KEY_LENGTH} characters and cannot be redacted safely`;
  }
  if (!/^[\x21-\x7e]+$/.test(key)) return 'contains a character that is not allowed in a header';
  // `token-economics`, `symbol`: a path of §4, or a reserved text, contains it.
  const folded = key.toLowerCase();
  return [...ENDPOINT_PATHS, ...reserved].some((text) => text.toLowerCase().includes(folded))
    ? 'is a word that appears in every report, so redacting it would make the reports unreadable'
    : undefined;
}

/** Salted digest that identifies a text without revealing it. */
export const shortDigest = (text: string, salt: string | Buffer): string =>
  createHmac('sha256', salt).update(text).digest('hex').slice(0, 8);

const WORDS: ReadonlySet<string> = new Set(WORD_KEYS);

interface KeyRingOptions {
  /** Seed of the never-issued key. */
  readonly seed: number;
  /**
   * Salt of the fingerprints. Random by default, so that guessed keys cannot be tested against a fingerprint; use the
   * same salt for rings whose fingerprints are compared.
   */
  readonly salt?: string | undefined;
  /** Further secrets, such as the values of credential headers. */
  readonly secrets?: readonly string[];
}

/** The keys of a target. */
export type KeyRing = ReturnType<typeof keyRing>;

/** The keys of a target by role, with fingerprints and redaction. */
export function keyRing(keys: TargetKeys, options: KeyRingOptions) {
  const { salt = randomBytes(16).toString('hex'), seed } = options;
  const issued = groupBy(issuedKeys(keys), ({ role }) => role);
  const byRole: ReadonlyMap<KeyRole, readonly string[]> = new Map<KeyRole, readonly string[]>([
    ...[...issued].map(([role, all]) => [role, all.map(({ key }) => key)] as const),
    ['unknown', unknownKeys(keys, seed)],
  ]);
  const secrets = [...(options.secrets ?? [])];
  const [model = ''] = keys.valid;
  const near = new Set(nearKeys(model));

  const keysOf = (role: KeyRole): readonly string[] => byRole.get(role) ?? [];
  /** Short salted digest that identifies a key without revealing it: `k:ab12cd34`. */
  const fingerprint = (key: string): string => `k:${shortDigest(key, salt)}`;
  const guards = () => ({
    redactor: new Redactor([
      ...[...byRole].flatMap(([role, all]) =>
        all
          .filter((key) => role !== 'unknown' || !WORDS.has(key))
          .map((key) => {
            // A near-copy of the first valid key gets its fingerprint, because it reveals as much.
            const shown = role === 'unknown' && near.has(key) ? model : key;
            return { secret: key, replacement: `[redacted:${fingerprint(shown)}]` };
          }),
      ),
      ...secrets.map((secret) => ({ secret, replacement: '[redacted]' })),
    ]),
    scan: new SecretScan([
      ...issuedKeys(keys).map(({ key }) => ({ name: fingerprint(key), value: key })),
      ...secrets.map((value) => ({ name: 'a credential', value })),
    ]),
  });
  let guard = guards();
  /** By role, without roles that have no key. Asked for with every request. */
  const fingerprints = Object.fromEntries(
    KEY_ROLES.filter((role) => keysOf(role).length > 0).map((role) => [
      role,
      keysOf(role).map(fingerprint),
    ]),
  );
  return {
    salt,
    keys: keysOf,
    fingerprint,
    hide(secret: string): void {
      secrets.push(secret);
      guard = guards();
    },
    /** Which variation of the first valid key an unknown key is, or which word. */
    variation: (key: string): KeyVariation | undefined =>
      keysOf('unknown').includes(key) ? variationOf(key, model) : undefined,
    fingerprints: (): Partial<Record<KeyRole, readonly string[]>> => fingerprints,
    /** The text with every occurrence of a key, in any usual encoding, replaced by its fingerprint. */
    redact: (text: string): string => guard.redactor.redact(text),
    /**
     * True when a redacted text still contains a secret in nested encodings (base64 within a URL). Such a text must be
     * withheld.
     */
    stillLeaks: (redacted: string): boolean => guard.scan.scan(redacted) !== null,
  };
}

/** A never-issued key, near-copies of the first valid key in the order of `KEY_VARIATIONS`, and `WORD_KEYS`. */
function unknownKeys(keys: TargetKeys, seed: number): readonly string[] {
  const [model = ''] = keys.valid;
  const issued = new Set(issuedKeys(keys).map(({ key }) => key));
  const near = nearKeys(model).map((key, index) => {
    // Use a never-issued key if the variation is invalid or in use.
    const usable = keyFault(key) === undefined && !issued.has(key);
    return usable ? key : neverIssuedKey(keys, seed + index + 1);
  });
  return [neverIssuedKey(keys, seed), ...near, ...WORD_KEYS];
}

/** A key in the form of the issued ones that is not one of them (§5 rule 3). */
function neverIssuedKey(keys: TargetKeys, seed: number): string {
  const issued = issuedKeys(keys).map(({ key }) => key);
  const like = (model: string): string | undefined =>
    lookalike(model, issued, `never issued ${seed}`);
  return like(keys.valid[0] ?? '') ?? like('a0'.repeat(16)) ?? '';
}
