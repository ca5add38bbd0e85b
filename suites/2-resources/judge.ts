import type { ResourceName } from '../../src/spec/resources.ts';
import { decimalOf } from '../../src/judge/text/decimals.ts';
import { show } from '../../src/judge/judgement.ts';
import type { CountedKind } from '../../src/judge/messages.ts';
import { judgeEach, type Judge, type OwnJudgement } from '../../src/judge/judge.ts';
import { objectsOf, placesAt, type Place } from '../../src/judge/places.ts';
import type { View } from '../../src/judge/view.ts';

/** A condition on many values of one answer. */
export interface PlaceCheck {
  readonly kind: CountedKind;
  readonly expected: string;
  readonly holds: (value: unknown, place: Place) => boolean;
  /** What a failing value says instead (default: the value as JSON). */
  readonly actual?: (place: Place) => string;
}

/**
 * Judges a condition on every value, if there are any. One finding for all: the first failure and the number of
 * failures.
 */
export function judgePlaces(
  view: View,
  places: readonly Place[],
  check: PlaceCheck,
  it: OwnJudgement,
): void {
  if (places.length === 0) return;
  const failed = places.filter((one) => !check.holds(one.value, one));
  const [first] = failed;
  it.expect(view, first === undefined, () => ({
    kind: check.kind,
    facts: { more: failed.length > 1 ? ` (${failed.length} of ${places.length})` : '' },
    expected: check.expected,
    actual: first === undefined ? '' : (check.actual?.(first) ?? show(first.value)),
    pointer: first?.pointer ?? null,
  }));
}

/** Judges the values at some paths of every record, skipping those of the wrong type. */
export const everyValue = (
  resource: ResourceName,
  paths: readonly string[],
  isRightType: (value: unknown) => boolean,
  check: PlaceCheck,
): Judge =>
  judgeEach((view, context, it) => {
    const places = objectsOf(view, context, resource)
      .flatMap((record) => paths.flatMap((path) => placesAt(record, path)))
      .filter(({ value }) => isRightType(value));
    judgePlaces(view, places, check, it);
  });

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isDecimal = (value: unknown): boolean => decimalOf(value) !== undefined;

/** An absolute http(s) URL, or an empty string for "none". */
export const isLinkOrEmpty = (value: string): boolean =>
  value === '' || /^https?:\/\/[^\s/?#]+/i.test(value);
