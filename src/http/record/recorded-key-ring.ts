import type { KeyRole } from '../../spec/exchange.ts';
import { keyRing, type KeyRing } from '../../target/keys.ts';
import type { Target, TargetKeys } from '../../target/target.ts';
import { configuredSecrets } from '../secrets.ts';
import type { SessionOptions } from '../session-options.ts';

/** Fingerprints by role. */
type Fingerprints = Readonly<Partial<Record<KeyRole, readonly string[]>>>;

/** The keys of a session: those of the target, or the fingerprints of a recording. */
export function ringOf(target: Target, { known, seed, salt }: SessionOptions): KeyRing {
  if (known?.mode === 'replay') {
    // A recording is already redacted.
    const { keys } = known;
    return { ...openKeyRing(placeholderKeys(keys), seed), fingerprints: () => ({ ...keys }) };
  }
  // Keys of a service in this process are not secret.
  if (target.service !== undefined) return openKeyRing(target.keys, seed);
  const secrets = configuredSecrets(target.http);
  const ring = keyRing(target.keys, { seed, secrets, salt: known?.salt ?? salt });
  target.http.bearer?.onToken((token) => ring.hide(token));
  return ring;
}

/** Placeholders for the keys of a recording, of which only fingerprints are known. Never sent. */
export function placeholderKeys(keys: Fingerprints): TargetKeys {
  const named = (role: KeyRole): string[] =>
    (keys[role] ?? []).map((_, index) => `recorded-${role}-${index + 1}`);
  const [disabled] = named('disabled');
  const [expired] = named('expired');
  const [restricted] = named('restricted');
  const [nearQuota] = named('nearQuota');
  return {
    valid: named('valid'),
    ...(disabled && { disabled }),
    ...(expired && { expired }),
    ...(restricted && { restricted: { key: restricted, forbidden: [] } }),
    ...(nearQuota && { nearQuota: { key: nearQuota, remaining: 0 } }),
  };
}

/** Keys that are not secret and are not redacted. */
const openKeyRing = (keys: TargetKeys, seed: number): KeyRing => ({
  ...keyRing(keys, { seed }),
  redact: (text) => text,
  stillLeaks: () => false,
});
