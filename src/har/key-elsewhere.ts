import { isSecretName, looksRandom } from '../http/secrets.ts';
import { plural } from '../text/text.ts';

/** A potentially secret value in a request. */
export interface Field {
  readonly kind: 'header' | 'parameter' | 'login';
  readonly name: string;
  readonly value: string;
  /** Parts of the value that may be credentials. */
  readonly parts: readonly string[];
  readonly isCredentialName: boolean;
}

interface Habit {
  readonly field: Field;
  requests: number;
  /** The first distinct values, and how often one of them was repeated. */
  readonly values: Set<string>;
  repeats: number;
  /** Requests with it and the key header. */
  withKey: number;
  /** Requests with it instead of the key header. */
  insteadOfKey: number;
}

/** Maximum number of fields, and of values of each, to track. */
const MOST_FIELDS = 500;
const MOST_VALUES = 50;
/** This many requests with different values next to a key show that the value is per request. */
const ENOUGH = 3;
const NAMED = 3;

/** Names of per-request values, which are never keys. */
const OF_ONE_REQUEST = /request-?id|trace|correlation|span|idempotency|nonce|date|timestamp/i;

/** True for a name that indicates a credential. */
export const isCredentialName = (name: string): boolean =>
  isSecretName(name) && !OF_ONE_REQUEST.test(name);

/** Detects keys outside of the configured key header. */
export function habitsOf() {
  const habits = new Map<string, Habit>();
  const idOf = ({ kind, name }: Field): string => `${kind} ${name.toLowerCase()}`;
  /** True when at least `enough` requests all had different values. */
  const differs = (field: Field, enough: number): boolean => {
    const { requests = 0, repeats = 0 } = habits.get(idOf(field)) ?? {};
    return requests >= enough && repeats === 0;
  };
  return {
    differs,
    note(field: Field, hasKey: boolean): void {
      const none = { requests: 0, repeats: 0, withKey: 0, insteadOfKey: 0 };
      const known = habits.get(idOf(field));
      if (known === undefined && habits.size >= MOST_FIELDS) return;
      const habit: Habit = known ?? { ...none, field, values: new Set() };
      habits.set(idOf(field), habit);
      habit.requests += 1;
      if (hasKey) habit.withKey += 1;
      if (habit.values.has(field.value)) habit.repeats += 1;
      else if (habit.values.size < MOST_VALUES) habit.values.add(field.value);
    },
    /**
     * True for a value that may be the key of its request: its name indicates it, or it is random and not different in
     * every request, like a request id or a cursor.
     */
    mayBeKey(field: Field): boolean {
      if (field.isCredentialName) return field.value !== '';
      if (OF_ONE_REQUEST.test(field.name) || !field.parts.some(looksRandom)) return false;
      // Each client may have its own key, but then there is no other key next to it.
      return !differs(field, ENOUGH) || (habits.get(idOf(field))?.withKey ?? 0) < ENOUGH;
    },
    /** Counts a request without the key header whose key may be here. */
    insteadOfKey(field: Field): void {
      const habit = habits.get(idOf(field));
      if (habit !== undefined) habit.insteadOfKey += 1;
    },
    sentences: (keyHeader: string, how: (header: string) => string): readonly string[] =>
      [...habits.values()]
        .filter(({ insteadOfKey, field, requests, repeats }) => {
          if (insteadOfKey === 0 || /^cookie$/i.test(field.name)) return false;
          return field.isCredentialName || repeats * 2 >= requests;
        })
        .toSorted((a, b) => b.insteadOfKey - a.insteadOfKey)
        .slice(0, NAMED)
        .map(({ insteadOfKey, field: { kind, name } }) => {
          const where = name === '' ? 'the URL' : `the ${kind} ${name.slice(0, 80)}`;
          const way =
            kind === 'header'
              ? `If this header carries the key, set ${how(name)}.`
              : 'Keys are recognised only in headers.';
          return `${plural(insteadOfKey, 'request')} without ${keyHeader} may carry a key in ${where}: they are not judged as requests without a key, and the limits of that key are not judged either. ${way}`;
        }),
  };
}
