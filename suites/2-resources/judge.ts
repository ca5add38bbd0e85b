import type { ResourceName } from '../../src/spec/resources.ts';
import { decimalOf } from '../../src/judge/text/decimals.ts';
import { show } from '../../src/judge/judgement.ts';
import type { CountedKind } from '../../src/judge/messages.ts';
import { judgeEach, type Judge, type OwnJudgement } from '../../src/judge/judge.ts';
import { objectsOf, valuesAt, type ValueAt } from '../../src/judge/places.ts';
import type { View } from '../../src/judge/view.ts';

/** A condition on many values of one answer. */
interface ValueCheck {
  readonly kind: CountedKind;
  readonly expected: string;
  readonly holds: (value: unknown, place: ValueAt) => boolean;
  /** What a failing value says instead (default: the value as JSON). */
  readonly actual?: (place: ValueAt) => string;
}

/**
 * Judges a condition on every value, if there are any. One finding for all: the first failure and the number of
 * failures.
 */
export function judgeValues(
  view: View,
  places: readonly ValueAt[],
  check: ValueCheck,
  it: OwnJudgement,
): void {
  if (places.length === 0) return;
  const failed = places.filter((one) => !check.holds(one.value, one));
  it.none(view, failed, (first) => ({
    kind: check.kind,
    facts: { more: failed.length > 1 ? ` (${failed.length} of ${places.length})` : '' },
    expected: check.expected,
    actual: check.actual?.(first) ?? show(first.value),
    pointer: first.pointer,
  }));
}

/** Judges the values at some paths of every record, skipping those of the wrong type. */
export const everyValue = (
  resource: ResourceName,
  paths: readonly string[],
  isRightType: (value: unknown) => boolean,
  check: ValueCheck,
): Judge =>
  judgeEach((view, context, it) => {
    const places = objectsOf(view, context, resource)
      .flatMap((record) => paths.flatMap((path) => valuesAt(record, path)))
      .filter(({ value }) => isRightType(value));
    judgeValues(view, places, check, it);
  });

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isDecimal = (value: unknown): boolean => decimalOf(value) !== undefined;

/** An absolute http(s) URL, or an empty string for "none". */
export const isLinkOrEmpty = (value: string): boolean =>
  value === '' || /^https?:\/\/[^\s/?#]+/i.test(value);
