/** Keeps the newest value a key: live figures are asked for again and again within one minute or one day. */
export interface Latest<T> {
  /** The value of `key` in time slice `slice`; built when the slice differs from the one kept. */
  get(key: string, slice: number, build: () => T): T;
}

/** Holds one value a key. Callers pass known keys only, so the number of keys bounds it. */
export function latest<T>(): Latest<T> {
  const kept = new Map<string, { slice: number; value: T }>();
  return {
    get(key, slice, build) {
      const entry = kept.get(key);
      if (entry !== undefined && entry.slice === slice) return entry.value;
      const value = build();
      kept.set(key, { slice, value });
      return value;
    },
  };
}

/** A map that forgets its oldest entries beyond `capacity`. */
export interface Bounded<K, V> {
  get(key: K, build: () => V): V;
}

export function bounded<K, V>(capacity: number): Bounded<K, V> {
  const kept = new Map<K, V>();
  return {
    get(key, build) {
      const known = kept.get(key);
      if (known !== undefined) return known;
      const value = build();
      kept.set(key, value);
      for (const oldest of kept.keys()) {
        if (kept.size <= capacity) break;
        kept.delete(oldest);
      }
      return value;
    },
  };
}
