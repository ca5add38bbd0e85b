import type { Exchange } from '../../spec/exchange.ts';
import type { Results } from './results.ts';

/** The name of a key as in the target file, such as `valid[1]`; unknown fingerprints stay as they are. */
export function keyName(keys: Results['target']['keys'], print: string): string {
  for (const [role, prints] of Object.entries(keys)) {
    const index = prints.indexOf(print);
    if (index !== -1) return prints.length > 1 ? `${role}[${index}]` : role;
  }
  return print;
}

/** The key header names the key as well: commands find it by that. */
function withKeyName(exchange: Exchange, named: (print: string) => string): Exchange {
  const { key, request } = exchange;
  if (key === null) return exchange;
  const renamed = Object.entries(request.headers).map(
    ([name, value]) => [name, value.replace(key, () => named(key))] as const,
  );
  return {
    ...exchange,
    key: named(key),
    request: { ...request, headers: Object.fromEntries(renamed) },
  };
}

/** Results with names instead of key fingerprints, for people to read. */
export function withKeyNames(results: Results): Results {
  const { load, target } = results;
  const named = (print: string): string => keyName(target.keys, print);
  const variables = Object.entries(target.keyVariables ?? {});
  const keyVariables = Object.fromEntries(variables.map(([print, name]) => [named(print), name]));
  return {
    ...results,
    target: { ...target, keyVariables },
    exchanges: results.exchanges.map((one) => withKeyName(one, named)),
    load: load.map((scenario) => ({
      ...scenario,
      windows: scenario.windows.map((one) => ({ ...one, key: named(one.key) })),
    })),
  };
}
