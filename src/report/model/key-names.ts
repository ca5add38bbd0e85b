import type { KeyRole } from '../../spec/exchange.ts';
import type { Results } from './results.ts';

type Prints = Readonly<Partial<Record<KeyRole, readonly string[]>>>;

/** The name of a key as in the target file, such as `valid[1]`; unknown fingerprints stay as they are. */
export function keyName(keys: Prints, print: string): string {
  for (const [role, prints] of Object.entries(keys)) {
    const index = prints.indexOf(print);
    if (index !== -1) return prints.length > 1 ? `${role}[${index}]` : role;
  }
  return print;
}

/** Results with names instead of key fingerprints, for people to read. */
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
    load: load.map((scenario) => ({
      ...scenario,
      windows: scenario.windows.map((one) => ({ ...one, key: keyName(keys, one.key) })),
    })),
  };
}
