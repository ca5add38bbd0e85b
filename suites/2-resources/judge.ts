// What several requirements of §2 are judged by.
import type { ResourceName } from '../../src/spec/resources.ts';
import { decimalOf } from '../../src/judge/text/decimals.ts';
import { show } from '../../src/judge/judgement.ts';
import type { CountedKind } from '../../src/judge/messages.ts';
import { judgeEach, type Judge, type OwnJudgement } from '../../src/judge/judge.ts';
import { objectsOf, placesAt, type Place } from '../../src/judge/places.ts';
import type { View } from '../../src/judge/view.ts';

/** A condition on many places of one answer. */
export interface PlaceCheck {
  /** What is wrong where a place fails. */
  readonly kind: CountedKind;
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

/** Judges the values at some places of every record, as far as they are of the right type. */
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

/** True for an absolute http(s) URL or the empty string, which stands for "none" where a link is always sent. */
export const isLinkOrEmpty = (value: string): boolean =>
  value === '' || /^https?:\/\/[^\s/?#]+/i.test(value);
