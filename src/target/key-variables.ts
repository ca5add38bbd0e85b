import { KEY_ROLES, type KeyRole } from '../spec/exchange.ts';
import { isVariableName } from '../text/curl.ts';
import { groupBy } from '../text/group-by.ts';
import { issuedKeys, type TargetKeys } from './target.ts';

/** Names of environment variables by role, in the order of keys; null for a key without a variable. */
export type KeyVariables = Readonly<Partial<Record<KeyRole, readonly (string | null)[]>>>;

/**
 * The environment variables that contain the keys of a target, for commands that repeat a request. Any variable with
 * exactly the key will do; of several, the alphabetically first.
 */
export function variablesOf(
  keys: TargetKeys,
  env: Readonly<Record<string, string | undefined>>,
): KeyVariables {
  const names = new Map<string, string>();
  for (const name of Object.keys(env).toSorted().toReversed()) {
    const value = env[name];
    if (value !== undefined && isVariableName(name)) names.set(value, name);
  }
  const byRole = [...groupBy(issuedKeys(keys), ({ role }) => role)];
  return Object.fromEntries(
    byRole
      .map(([role, all]) => [role, all.map(({ key }) => names.get(key) ?? null)] as const)
      .filter(([, found]) => found.some((name) => name !== null)),
  );
}

/** Variable names by fingerprint, for reports. Variations of the first valid key are made from its variable. */
export function variablesByPrint(
  prints: Readonly<Partial<Record<KeyRole, readonly string[]>>>,
  variables: KeyVariables,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    KEY_ROLES.flatMap((role) =>
      (prints[role] ?? []).flatMap((print, index) => {
        const named =
          role === 'unknown' && index > 0 ? variables.valid?.[0] : variables[role]?.[index];
        const name = named ?? null;
        return name === null ? [] : [[print, name] as const];
      }),
    ),
  );
}
