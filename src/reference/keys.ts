import { ENDPOINT_PATHS } from '../spec/endpoints.ts';
import type { EndpointPath } from '../spec/endpoints.ts';
import type { KeyRole } from '../spec/exchange.ts';
import { suggestion } from '../text/closest-name.ts';

/** The kinds of keys that the reference server issues. */
export type IssuedRole = Exclude<KeyRole, 'unknown' | 'none'>;

/** The keys of one reference server, by role; the same shape as in a target file. */
export interface ReferenceKeys {
  readonly valid: readonly string[];
  readonly disabled: string;
  readonly expired: string;
  readonly restricted: { readonly key: string; readonly forbidden: readonly EndpointPath[] };
  /** `remaining`: requests left in the month in which the server starts. */
  readonly nearQuota: { readonly key: string; readonly remaining: number };
}

/** Changes to the default keys. A number of valid keys issues that many. */
export interface KeyOptions extends Partial<Omit<ReferenceKeys, 'valid'>> {
  readonly valid?: readonly string[] | number;
}

/** The record of one key. */
export interface KeyRecord {
  readonly key: string;
  readonly role: IssuedRole;
  readonly state: 'active' | 'disabled' | 'expired';
  readonly forbidden: ReadonlySet<EndpointPath>;
}

const DEFAULT_VALID_KEYS = 8;

/** The keys of a server: defaults overridden by `options`. */
export function issueKeys(options: KeyOptions = {}): ReferenceKeys {
  const { valid = DEFAULT_VALID_KEYS, ...others } = options;
  const keys: ReferenceKeys = {
    disabled: 'reference-key-disabled-4d1c',
    expired: 'reference-key-expired-9b07',
    restricted: { key: 'reference-key-restricted-e35a', forbidden: ['/news', '/analyses'] },
    nearQuota: { key: 'reference-key-near-quota-71f2', remaining: 5 },
    ...others,
    valid: typeof valid === 'number' ? validKeys(valid) : valid,
  };
  for (const path of keys.restricted.forbidden) {
    if (!ENDPOINT_PATHS.includes(path)) {
      throw new Error(
        `The restricted key cannot be forbidden "${path}": no such endpoint. ${suggestion(path, ENDPOINT_PATHS, JSON.stringify)}`.trimEnd(),
      );
    }
  }
  return keys;
}

function validKeys(count: number): string[] {
  return Array.from(
    { length: count },
    (_, index) => `reference-key-valid-${String(index + 1).padStart(4, '0')}`,
  );
}

/** The records behind `keys`, by key. Throws when two roles share a key. */
export function keyRegistry(keys: ReferenceKeys): ReadonlyMap<string, KeyRecord> {
  const registry = new Map<string, KeyRecord>();
  const add = (
    key: string,
    role: IssuedRole,
    state: KeyRecord['state'] = 'active',
    forbidden: readonly EndpointPath[] = [],
  ): void => {
    if (key === '') throw new Error(`The ${role} key is empty. Give it a value or omit it.`);
    if (registry.has(key)) {
      throw new Error(`The ${role} key is issued twice. Every key needs its own value.`);
    }
    registry.set(key, { key, role, state, forbidden: new Set(forbidden) });
  };
  for (const key of keys.valid) add(key, 'valid');
  add(keys.disabled, 'disabled', 'disabled');
  add(keys.expired, 'expired', 'expired');
  add(keys.restricted.key, 'restricted', 'active', keys.restricted.forbidden);
  add(keys.nearQuota.key, 'nearQuota');
  return registry;
}
