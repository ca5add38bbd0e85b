import type { KeyRole } from '../../spec/exchange.ts';
import type { LoadResult } from './load-results.ts';
import type { Results } from './results.ts';

type Prints = Readonly<Partial<Record<KeyRole, readonly string[]>>>;

/**
 * Name of a key as the target file and the diagnosis have it: its role, and its place in the list of the role where there
 * are several, such as `valid[1]`. A fingerprint that no key has is its own name.
 */
export function keyName(keys: Prints, print: string): string {
  for (const [role, prints] of Object.entries(keys)) {
    const place = prints.indexOf(print);
    if (place !== -1) return prints.length > 1 ? `${role}[${place}]` : role;
  }
  return print;
}

/** Results with names in place of the fingerprints of keys, for people to read: nobody knows a key by its digest. */
export function withKeyNames(results: Results): Results {
  const { load, target } = results;
  const { keys, keyVariables } = target;
  return {
    ...results,
    ...(keyVariables !== undefined && {
      target: {
        ...target,
        keyVariables: Object.fromEntries(
          Object.entries(keyVariables).map(([print, name]) => [keyName(keys, print), name]),
        ),
      },
    }),
    exchanges: results.exchanges.map((one) =>
      one.key === null ? one : { ...one, key: keyName(keys, one.key) },
    ),
    ...(load !== undefined && { load: load.map((one) => named(one, keys)) }),
  };
}

/** A load result may be of a form that nobody here knows, and then stays as it is. */
function named(load: LoadResult, keys: Prints): LoadResult {
  const windows: unknown = load.windows;
  if (!Array.isArray(windows)) return load;
  return {
    ...load,
    windows: load.windows.map((one) => ({ ...one, key: keyName(keys, one.key) })),
  };
}
