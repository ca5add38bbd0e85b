import type { KeyRole } from '../../spec/exchange.ts';
import { KeyRing } from '../../target/keys.ts';
import type { TargetKeys } from '../../target/target.ts';

/** Fingerprints by role. */
export type Fingerprints = Readonly<Partial<Record<KeyRole, readonly string[]>>>;

/**
 * Placeholders for the keys of a recording, of which only the fingerprints are known. They are never sent.
 */
export function placeholderKeys(keys: Fingerprints): TargetKeys {
  const named = (role: KeyRole): string[] =>
    (keys[role] ?? []).map((_, index) => `recorded-${role}-${index + 1}`);
  const [disabled] = named('disabled');
  const [expired] = named('expired');
  const [restricted] = named('restricted');
  const [nearQuota] = named('nearQuota');
  return {
    valid: named('valid'),
    ...(disabled === undefined ? {} : { disabled }),
    ...(expired === undefined ? {} : { expired }),
    ...(restricted === undefined ? {} : { restricted: { key: restricted, forbidden: [] } }),
    ...(nearQuota === undefined ? {} : { nearQuota: { key: nearQuota, remaining: 0 } }),
  };
}

/** Keys that are not secret and are not redacted. */
export class OpenKeyRing extends KeyRing {
  override redact(text: string): string {
    return text;
  }

  override stillLeaks(): boolean {
    return false;
  }
}

/** A ring whose keys have the fingerprints of a recording, which is already redacted. */
export class RecordedKeyRing extends OpenKeyRing {
  readonly #known: Fingerprints;

  constructor(known: Fingerprints, seed: number) {
    super(placeholderKeys(known), { seed });
    this.#known = known;
  }

  override fingerprints(): Partial<Record<KeyRole, readonly string[]>> {
    return { ...this.#known };
  }
}
