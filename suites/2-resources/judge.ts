import type { ResourceName } from '../../src/spec/resources.ts';
import { decimalOf } from '../../src/judge/text/decimals.ts';
import { show } from '../../src/judge/judgement.ts';
import type { CountedKind } from '../../src/judge/messages.ts';
import { judgeEach, type Judge, type OwnJudgement } from '../../src/judge/judge.ts';
import { objectsOf, valuesAt, type ValueAt } from '../../src/judge/values-at.ts';
import type { View } from '../../src/judge/view.ts';

/** A condition on many values of one answer. */
interface ValueCheck {
  readonly kind: CountedKind;
  readonly expected: string;
  readonly holds: (value: unknown, at: ValueAt) => boolean;
  /** What a failing value says instead (default: the value as JSON). */
  readonly actual?: (at: ValueAt) => string;
}

/**
 * Judges a condition on every value, if there are any. One finding for all: the first failure and the number of
 * failures.
 */
export function judgeValues(
  view: View,
  values: readonly ValueAt[],
  check: ValueCheck,
  it: OwnJudgement,
): void {
  if (values.length === 0) return;
  const failed = values.filter((one) => !check.holds(one.value, one));
  it.none(view, failed, (first) => ({
    kind: check.kind,
    facts: { more: failed.length > 1 ? ` (${failed.length} of ${values.length})` : '' },
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
    const values = objectsOf(view, context, resource)
      .flatMap((record) => paths.flatMap((path) => valuesAt(record, path)))
      .filter(({ value }) => isRightType(value));
    judgeValues(view, values, check, it);
  });

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isDecimal = (value: unknown): boolean => decimalOf(value) !== undefined;

/** An absolute http(s) URL, or an empty string for "none". */
export const isLinkOrEmpty = (value: string): boolean =>
  value === '' || /^https?:\/\/[^\s/?#]+/i.test(value);
