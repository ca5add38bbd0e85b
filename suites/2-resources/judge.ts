import type { Advice } from '../../src/requirements/definition.ts';
import { pathsOf, type ResourceName } from '../../src/spec/resources.ts';
import { judgeEach, type Judge, type OwnJudgement } from '../../src/judge/judge.ts';
import { objectsOf, valuesAt, type ObjectAt, type ValueAt } from '../../src/judge/values-at.ts';
import type { Context } from '../../src/judge/context.ts';
import { atMost, atMostRounded, decimalOf } from '../../src/judge/text/decimals.ts';
import { show, type FindingText } from '../../src/judge/judgement.ts';
import type { CountedKind, FindingKind } from '../../src/judge/messages.ts';
import type { View } from '../../src/judge/view.ts';

export const NON_NEGATIVE: Advice = {
  why: 'Negative prices, volumes and counts break sums and charts.',
  usually: ['A missing value is stored as -1.', 'An unsigned counter overflowed.'],
};

export const IDENTIFIER_ECHO: Advice = {
  why: 'Clients store a record with a different identifier under the wrong asset.',
  usually: [
    'The record comes from a cache whose key lacks the identifier or ignores its letter case.',
    'An internal id is returned instead of the public one.',
  ],
};

export const URLS: Advice = {
  why: 'Clients put these values into links and images: other text breaks them, and a `javascript:` URL is a vulnerability.',
  usually: [
    'A relative path or a bare domain is passed through.',
    'Several URLs are in one string, separated by commas.',
  ],
};

export const CONTRADICTING_FIGURES: Advice = {
  why: 'Contradictory figures in one record come from different times or units.',
  usually: [
    'The fields come from different sources, or from caches of different ages.',
    'One of the fields is in a different currency or unit, such as thousands, percent, or tokens instead of USD.',
  ],
};

// Time formats where the specification leaves them open (ruling 2).

/** Unit of an epoch timestamp, judged by its size. */
export const timestampUnit = (stamp: number): string =>
  unitOf(stamp) ?? 'neither seconds nor milliseconds';

function unitOf(stamp: number): 'milliseconds' | 'seconds' | null {
  const size = Math.abs(stamp);
  if (size >= 1e12 && size < 1e14) return 'milliseconds';
  return size >= 1e8 && size < 1e11 ? 'seconds' : null;
}

/** Format of a time string, in words. */
function timeForm(text: string): string {
  if (/^-?\d+$/.test(text)) {
    const unit = unitOf(Number(text));
    return unit === null ? 'digits of another kind' : `epoch ${unit}`;
  }
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return 'yyyy-MM-dd';
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/.test(text)) {
    return 'ISO 8601 date and time';
  }
  if (/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}(:\d{2}(\.\d+)?)?$/.test(text)) return 'yyyy-MM-dd HH:mm:ss';
  return 'another form';
}

/** Records the formats of time strings. */
export const readTimes = (kind: 'stringTimestamp' | 'dateText'): Judge =>
  judgeEach((view, context, it) => {
    const { resource } = view;
    if (resource === null) return;
    for (const path of pathsOf(resource, kind)) {
      const forms = objectsOf(view, context, resource)
        .flatMap((record) => valuesAt(record, path))
        .flatMap(({ value }) =>
          typeof value === 'string' && value !== '' ? [timeForm(value)] : [],
        );
      const name = path.slice(1).replaceAll('/*/', '.');
      for (const form of [...new Set(forms)].toSorted()) {
        it.read({ topic: 'Time format', subject: name }, form, view);
      }
    }
  });

/** A condition on many values of one answer. */
type ValueCheck = {
  readonly expected: string;
  readonly holds: (value: unknown, at: ValueAt) => boolean;
  /** What a failing value says instead (default: the value as JSON). */
  readonly actual?: (first: ValueAt, failed: readonly ValueAt[]) => string;
} & (
  | { readonly kind: CountedKind; readonly facts?: undefined }
  | {
      readonly kind: FindingKind;
      readonly facts: (failed: number, all: number) => FindingText['facts'];
    }
);

/**
 * Judges a condition on every value, if there are any. One finding for all: the first failure and the number of
 * failures.
 */
export function judgeValues(
  view: View,
  values: readonly ValueAt[],
  { kind, facts, expected, holds, actual }: ValueCheck,
  it: OwnJudgement,
): void {
  if (values.length === 0) return;
  const failed = values.filter((one) => !holds(one.value, one));
  const more = failed.length > 1 ? ` (${failed.length} of ${values.length})` : '';
  it.none(view, failed, (first) => {
    const finding = {
      kind,
      facts: facts?.(failed.length, values.length) ?? { more },
      expected,
      actual: actual?.(first, failed) ?? show(first.value),
      pointer: first.pointer,
    };
    return finding as FindingText;
  });
}

/** Judges the values at some paths of every record, skipping those of the wrong type. */
export const everyValue = (
  resources: ResourceName | readonly ResourceName[],
  paths: readonly string[],
  isRightType: (value: unknown) => boolean,
  check: ValueCheck,
): Judge =>
  judgeEach((view, context, it) => {
    const values = [resources]
      .flat()
      .flatMap((resource) => objectsOf(view, context, resource))
      .flatMap((record) => paths.flatMap((path) => valuesAt(record, path)))
      .filter(({ value }) => isRightType(value));
    judgeValues(view, values, check, it);
  });

/** Judges every record of a resource. */
export const everyRecord = (
  resource: ResourceName,
  judge: (record: ObjectAt, view: View, it: OwnJudgement, context: Context) => void,
): Judge =>
  judgeEach((view, context, it) => {
    for (const record of objectsOf(view, context, resource)) judge(record, view, it, context);
  });

/** Two figures of a record in ascending order. */
interface Comparison {
  readonly low: string;
  readonly high: string;
  /** Share by which `low` may exceed `high` (default: that of a rounded double). */
  readonly tolerance?: number;
  /** Whether `low` is at fault, exactly as it is written. Otherwise `high` is, and either may be rounded. */
  readonly above?: true;
  /** Field that the finding points to (default: the one at fault). */
  readonly at?: string;
  /** Records to compare (default: all). */
  readonly where?: (record: ObjectAt) => boolean;
}

/** Ruling 22: figures of a record that must be consistent. */
export const ascending = (resource: ResourceName, ...comparisons: readonly Comparison[]): Judge =>
  everyRecord(resource, (record, view, it) => {
    for (const { low, high, tolerance, above, at, where } of comparisons) {
      const { [low]: lower, [high]: upper } = record.value;
      const [least, most] = [decimalOf(lower), decimalOf(upper)];
      if (least === undefined || most === undefined || where?.(record) === false) continue;
      const holds =
        atMost(least, most, tolerance) || (above !== true && atMostRounded(lower, upper));
      const [field, other] = above === true ? [low, high] : [high, low];
      it.expect(view, holds, () => ({
        kind: above === true ? 'above' : 'below',
        facts: { field, other },
        expected: `${field} of at ${above === true ? 'most' : 'least'} ${other}`,
        actual: `${field} ${show(record.value[field])}, ${other} ${show(record.value[other])}`,
        pointer: `${record.pointer}/${at ?? field}`,
      }));
    }
  });

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isNumber = (value: unknown): value is number => typeof value === 'number';
export const isDecimal = (value: unknown): boolean => decimalOf(value) !== undefined;

/** An absolute http(s) URL, or an empty string for "none". */
export const isLinkOrEmpty = (value: string): boolean =>
  value === '' || /^https?:\/\/[^\s/?#]+/i.test(value);
