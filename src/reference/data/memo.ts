import { dayOf, minuteOf } from './calendar.ts';

/** Keeps what was made for each key until another slice of time begins: the same is asked for again and again within one. */
export const kept =
  (sliceOf: (now: number) => number) =>
  <T>(make: (key: string, slice: number) => T): ((key: string, now: number) => T) => {
    const values = new Map<string, { slice: number; value: T }>();
    return (key, now) => {
      const slice = sliceOf(now);
      const known = values.get(key);
      if (known?.slice === slice) return known.value;
      const value = make(key, slice);
      // Nothing is kept for unknown keys, of which a client can send any number.
      if (value !== undefined) values.set(key, { slice, value });
      return value;
    };
  };

/** Live figures, which move once a minute; made for the minute in epoch ms. */
export const minutely = kept(minuteOf);

/** Figures of a day; made for its number. */
export const daily = kept(dayOf);

/** What never changes. */
export const once = <T>(make: (key: string, slice: number) => T): ((key: string) => T) => {
  const made = kept(() => 0)(make);
  return (key) => made(key, 0);
};

/** What was made for each key, of which the oldest is forgotten beyond `capacity`. */
export function bounded<V>(capacity: number): (key: unknown, make: () => V) => V {
  const known = new Map<unknown, V>();
  return (key, make) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = make();
    known.set(key, value);
    const [oldest] = known.keys();
    if (known.size > capacity && oldest !== undefined) known.delete(oldest);
    return value;
  };
}
