import { isTellingName, looksRandom } from '../http/secrets.ts';
import { plural } from '../text/text.ts';

/** A value of a request that is not known to be harmless. */
export interface Place {
  readonly kind: 'header' | 'parameter' | 'login';
  readonly name: string;
  readonly value: string;
  /** The parts of the value that may be credentials. */
  readonly parts: readonly string[];
  /** True when the name says that it is a credential. */
  readonly isTold: boolean;
}

/** What is known of the values of one header or parameter. */
interface Habit {
  readonly place: Place;
  requests: number;
  /** The first of its values, and how often one of them came again. */
  readonly values: Set<string>;
  repeats: number;
  /** Requests that carry it beside the key header. */
  besideKey: number;
  /** Requests without the key header that carry it. */
  stoodForKey: number;
}

/** Most places, and most values of each, that are tracked. */
const MOST_PLACES = 500;
const MOST_VALUES = 50;
/** So many requests with as many values beside a key show that each request has one of its own. */
const ENOUGH = 3;
/** Places that are named to the user. */
const NAMED = 3;

/** Names that say that each request has a value of its own: it is no key, whatever else the name says. */
const OF_ONE_REQUEST = /request-?id|trace|correlation|span|idempotency|nonce|date|timestamp/i;

/** True for a name that says that a credential stands there. */
export const isTold = (name: string): boolean => isTellingName(name) && !OF_ONE_REQUEST.test(name);

/** Learns where requests carry a key when the key header is not the one that was named. */
export class Habits {
  readonly #habits = new Map<string, Habit>();

  note(place: Place, hasKey: boolean): void {
    const id = `${place.kind} ${place.name.toLowerCase()}`;
    let habit = this.#habits.get(id);
    if (habit === undefined) {
      if (this.#habits.size >= MOST_PLACES) return;
      habit = { place, requests: 0, values: new Set(), repeats: 0, besideKey: 0, stoodForKey: 0 };
      this.#habits.set(id, habit);
    }
    habit.requests += 1;
    if (hasKey) habit.besideKey += 1;
    if (habit.values.has(place.value)) habit.repeats += 1;
    else if (habit.values.size < MOST_VALUES) habit.values.add(place.value);
  }

  /**
   * True for a value that may be the key of its request: its place says so, or it is random and not known to be another one
   * in every request, as the id of a request or a cursor is.
   */
  mayBeKey(place: Place): boolean {
    if (place.isTold) return place.value !== '';
    if (OF_ONE_REQUEST.test(place.name) || !place.parts.some(looksRandom)) return false;
    // Clients may have a key each, but then they have no other one beside it.
    return !this.differs(place, ENOUGH) || (this.#of(place)?.besideKey ?? 0) < ENOUGH;
  }

  /** True for a place where every request has had another value so far, in that many requests. */
  differs(place: Place, enough: number): boolean {
    const { requests = 0, repeats = 0 } = this.#of(place) ?? {};
    return requests >= enough && repeats === 0;
  }

  /** Counts a request without the key header whose key may stand here. */
  stoodForKey(place: Place): void {
    const habit = this.#of(place);
    if (habit !== undefined) habit.stoodForKey += 1;
  }

  /** Sentences about the places where keys seem to be, but for those that nothing but chance speaks for. */
  sentences(keyHeader: string, how: (header: string) => string): readonly string[] {
    return [...this.#habits.values()]
      .filter(({ stoodForKey, place, requests, repeats }) => {
        if (stoodForKey === 0 || /^cookie$/i.test(place.name)) return false;
        return place.isTold || repeats * 2 >= requests;
      })
      .toSorted((a, b) => b.stoodForKey - a.stoodForKey)
      .slice(0, NAMED)
      .map(({ stoodForKey, place: { kind, name } }) => {
        const where = name === '' ? 'the URL' : `the ${kind} ${name.slice(0, 80)}`;
        const way =
          kind === 'header'
            ? `If it is the key, name the header with ${how(name)}.`
            : 'A key is recognised in a header only.';
        return `${plural(stoodForKey, 'request')} without ${keyHeader} may carry a key in ${where}: they are not judged as requests without a key, and the limits of that key are not judged. ${way}`;
      });
  }

  #of({ kind, name }: Place): Habit | undefined {
    return this.#habits.get(`${kind} ${name.toLowerCase()}`);
  }
}
