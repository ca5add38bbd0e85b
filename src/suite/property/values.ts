import * as fc from 'fast-check';
import type { FixtureKind, QueryParameter } from '../../spec/endpoints.ts';
import { DAY } from '../../spec/time.ts';

/**
 * A value as drawn. Identifiers are places in a list and times lie before now, so that a seed draws the same request
 * on every target and on every day.
 */
export type Drawn =
  | { readonly text: string }
  | { readonly fixture: FixtureKind | 'exchanges'; readonly place: number }
  | { readonly msAgo: number }
  /** The start of a day (UTC), as a time. */
  | { readonly midnightsAgo: number }
  | { readonly daysAgo: number };

/** A query parameter as drawn. */
export type DrawnPair = readonly [name: string, value: Drawn];

export const text = (value: string | number): Drawn => ({ text: String(value) });

const texts = (...values: readonly (string | number)[]): fc.Arbitrary<Drawn> =>
  fc.constantFrom(...values).map(text);

/** Values that have broken parsers, templates, queries and logs before. Every one can stand in a URL when encoded. */
const NOTORIOUS = [
  '',
  ' ',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  'true',
  '[]',
  '{}',
  '-0',
  '0x10',
  '1e309',
  '1_000',
  '9007199254740993',
  "'",
  '"',
  '\\',
  '%',
  '%00',
  '%2e%2e%2f',
  '../../../etc/passwd',
  "' OR '1'='1",
  '1;DROP TABLE x--',
  '<script>alert(1)</script>',
  '${7*7}',
  '{{7*7}}',
  '{"$gt":""}',
  '\u0000',
  'a\r\nX-Injected: 1',
  'a&b=c',
  'a;b',
  'a,b,',
  '\u202Eabc',
  '\u200B',
  '\uFF15',
  '\u0661\u0662',
  'e\u0301',
  'İ',
  'ß',
  '😀',
  '日本語',
] as const;

/** Longest hostile text: such a URL is still within what every server and gateway takes. */
const LONGEST = 2000;

/**
 * Signs, leading zeros and spaces around a number: it is one to some services and an error to others, and no rule could
 * say which is right.
 */
const isDoubtfulNumber = (value: string): boolean =>
  /^(\+\d|0\d)/.test(value.trim()) || (value !== value.trim() && /^-?\d/.test(value.trim()));

/** Text of any characters at all. */
export const anyText = (length: {
  readonly minLength?: number;
  readonly maxLength: number;
}): fc.Arbitrary<string> => fc.string({ unit: 'binary', ...length });

/** Hostile texts: unicode, very long, injected, empty. They shrink to the shortest that does the harm. */
export function hostileText(): fc.Arbitrary<string> {
  const any = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...NOTORIOUS) },
    { weight: 2, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }) },
    { weight: 1, arbitrary: anyText({ minLength: 1, maxLength: 20 }) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('x', '9', '%', 'é'), fc.integer({ min: 1, max: LONGEST }))
        .map(([unit, times]) =>
          unit.repeat(Math.ceil(times / (unit === 'x' || unit === '9' ? 1 : 6))),
        ),
    },
  );
  return any.filter((value) => !isDoubtfulNumber(value));
}

/** The value with the case of its letters drawn anew. */
export const anyCase = (value: string): fc.Arbitrary<string> =>
  fc.array(fc.boolean(), { minLength: value.length, maxLength: value.length }).map((upper) =>
    upper
      .map((high, index) => {
        const letter = value.charAt(index);
        return high ? letter.toUpperCase() : letter.toLowerCase();
      })
      .join(''),
  );

/**
 * Values that the facts of a parameter allow, bounds included; undefined where the facts do not say (times and free
 * text are drawn for a whole request).
 */
export function allowed(facts: QueryParameter): fc.Arbitrary<Drawn> | undefined {
  const { type, minimum = 1, maximum } = facts;
  if (type === 'integer' && maximum !== undefined) {
    // Small numbers are what people ask for, and shrink well; the bounds are drawn more often than others.
    return fc
      .oneof(
        fc.integer({ min: minimum, max: Math.min(maximum, minimum + 60) }),
        fc.integer({ min: minimum, max: maximum }),
        fc.constantFrom(minimum, maximum),
      )
      .map(text);
  }
  if (facts.enum === undefined) return undefined;
  const values = facts.enum.map(String);
  if (type === 'integer-list') {
    return fc
      .uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 })
      .map((chosen) => text(chosen.join(',')));
  }
  const value = fc.constantFrom(...values);
  return facts.caseInsensitive === true ? value.chain(anyCase).map(text) : value.map(text);
}

/** Hostile values of a parameter; `filters` says that it selects by a value of the records. */
export function hostile(facts: QueryParameter, filters: boolean): fc.Arbitrary<Drawn> {
  // An empty number may be taken for a missing one, which has an error of its own.
  const empty = facts.required !== true || facts.enum !== undefined;
  return (
    hostileText()
      .filter((value) => empty || value !== '')
      // A filter that is cut down to nothing on the way is none: what follows the prefix cannot be lost altogether.
      .map((value) => text(filters ? `zz${value}` : value))
  );
}

/** Values outside of what the facts of a parameter allow; undefined for free text. */
export function outside(facts: QueryParameter): fc.Arbitrary<Drawn> | undefined {
  const { type, minimum = 1, maximum } = facts;
  switch (type) {
    case 'integer': {
      const beyond = maximum ?? 0;
      return fc.oneof(
        texts(0, -1, minimum - 1, '1.5', 'abc', '1e1', '10abc', '99999999999999999999'),
        fc.integer({ min: -1_000_000, max: minimum - 1 }).map(text),
        ...(maximum === undefined ? [] : [fc.integer({ min: beyond + 1, max: 2 ** 31 }).map(text)]),
      );
    }
    case 'timestamp':
      return fc.oneof(
        texts('abc', -1, '1.5', '2026-01-31', '99999999999999999999'),
        // Seconds in place of milliseconds, and times to come.
        fc.integer({ min: 1_500_000_000, max: 2_000_000_000 }).map(text),
        fc.integer({ min: -400 * DAY, max: -DAY }).map((msAgo): Drawn => ({ msAgo })),
      );
    case 'date':
      return fc.oneof(
        texts(
          'abc',
          '2026-02-30',
          '2026-13-01',
          '20260131',
          '31/01/2026',
          '2026-1-5',
          '0000-00-00',
        ),
        fc.integer({ min: -400, max: -2 }).map((daysAgo): Drawn => ({ daysAgo })),
      );
    default:
      if (facts.enum === undefined) return undefined;
      return texts(
        'zz',
        '0',
        '-1',
        '99999',
        ...facts.enum.map((value) => `${value}x`),
        // Only where the letter case matters, and changes anything.
        ...facts.enum.flatMap((value) => {
          const other = String(value).toUpperCase();
          return facts.caseInsensitive === true || other === String(value) ? [] : [other];
        }),
      );
  }
}
