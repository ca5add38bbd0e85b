import type { Criterion } from './criterion.ts';
import { show, type Judgement } from './judgement.ts';
import { isObject, type View } from './view.ts';

/** A value and where it stands in the body as sent. */
export interface Place {
  readonly pointer: string;
  readonly value: unknown;
}

/**
 * The values at `path` below `from`: keys in turn, where `*` stands for every element of an array. Places that do not
 * exist are left out.
 */
export function placesAt(from: Place, path: string): Place[] {
  let places: readonly Place[] = [from];
  for (const key of path.split('/').slice(1)) {
    places = places.flatMap(({ pointer, value }) => {
      if (key === '*') {
        if (!Array.isArray(value)) return [];
        return value.map((element: unknown, index) => ({
          pointer: `${pointer}/${index}`,
          value: element,
        }));
      }
      return isObject(value) && Object.hasOwn(value, key)
        ? [{ pointer: `${pointer}/${key}`, value: value[key] }]
        : [];
    });
  }
  return [...places];
}

/** A condition on many places of one answer. */
export interface PlaceCheck {
  readonly criterion: Criterion;
  readonly message: string;
  readonly expected: string;
  readonly holds: (value: unknown, place: Place) => boolean;
  /** What a place that fails says instead; its value as JSON by default. */
  readonly actual?: (place: Place) => string;
}

/**
 * Judges a condition on every place. One finding for all: it points to the first place that fails and says how many
 * there are. Without a place, nothing is judged.
 */
export function judgePlaces(
  view: View,
  places: readonly Place[],
  check: PlaceCheck,
  into: Judgement,
): void {
  if (places.length === 0) return;
  const failed = places.filter((place) => !check.holds(place.value, place));
  const [first] = failed;
  into.expect(check.criterion, view, first === undefined, () => ({
    message: `${check.message}${failed.length > 1 ? ` (${failed.length} of ${places.length})` : ''}`,
    expected: check.expected,
    actual: first === undefined ? '' : (check.actual?.(first) ?? show(first.value)),
    pointer: first?.pointer ?? null,
  }));
}
