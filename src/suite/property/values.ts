import * as fc from 'fast-check';
import type { QueryParameter } from '../../spec/endpoints.ts';
import { DAY, isoDay } from '../../spec/time.ts';

const texts = (...values: readonly (string | number)[]): fc.Arbitrary<string> =>
  fc.constantFrom(...values).map(String);

/** Values that have broken parsers, templates, queries and logs before. */
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

/** Longest hostile text that every server and gateway accepts in a URL. */
const LONGEST = 2000;

/** Numbers with signs, leading zeros or spaces, which a service may accept or refuse. */
const isDoubtfulNumber = (value: string): boolean =>
  /^(\+\d|0\d)/.test(value.trim()) || (value !== value.trim() && /^-?\d/.test(value.trim()));

/** Any character but halves of a surrogate pair. The unit `binary` of fast-check takes a second for its first text. */
const anyCharacter = fc
  .integer({ min: 0, max: 0x10_f7_ff })
  .map((index) => String.fromCodePoint(index < 0xd8_00 ? index : index + 0x8_00));

/** Text of any characters. */
export const anyText = (length: {
  readonly minLength?: number;
  readonly maxLength: number;
}): fc.Arbitrary<string> => fc.string({ unit: anyCharacter, ...length });

/** Hostile texts: unicode, very long, injections, empty. */
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

/** The value with random letter case. */
export const anyCase = (value: string): fc.Arbitrary<string> =>
  fc.array(fc.boolean(), { minLength: value.length, maxLength: value.length }).map((upper) =>
    upper
      .map((high, index) => {
        const letter = value.charAt(index);
        return high ? letter.toUpperCase() : letter.toLowerCase();
      })
      .join(''),
  );

/** Allowed values of a parameter, including the bounds; undefined for times and free text. */
export function allowed(facts: QueryParameter): fc.Arbitrary<string> | undefined {
  const { type, minimum = 1, maximum } = facts;
  if (type === 'integer' && maximum !== undefined) {
    // Small numbers are common and shrink well; bounds are drawn more often.
    return fc
      .oneof(
        fc.integer({ min: minimum, max: Math.min(maximum, minimum + 60) }),
        fc.integer({ min: minimum, max: maximum }),
        fc.constantFrom(minimum, maximum),
      )
      .map(String);
  }
  if (facts.enum === undefined) return undefined;
  const value = fc.constantFrom(...facts.enum.map(String));
  if (type === 'integer-list') {
    return fc.uniqueArray(value, { minLength: 1, maxLength: 3 }).map((chosen) => chosen.join(','));
  }
  return facts.caseInsensitive === true ? value.chain(anyCase) : value;
}

/** Values that a parameter does not allow; undefined for free text. */
export function outside(facts: QueryParameter, now: number): fc.Arbitrary<string> | undefined {
  const { type, minimum = 1, maximum } = facts;
  switch (type) {
    case 'integer':
      return fc.oneof(
        texts(0, -1, minimum - 1, '1.5', 'abc', '1e1', '10abc', '99999999999999999999'),
        fc.integer({ min: -1_000_000, max: minimum - 1 }).map(String),
        ...(maximum === undefined
          ? []
          : [fc.integer({ min: maximum + 1, max: 2 ** 31 }).map(String)]),
      );
    case 'timestamp':
      return fc.oneof(
        texts('abc', -1, '1.5', '2026-01-31', '99999999999999999999'),
        // Seconds instead of milliseconds, and future times.
        fc.integer({ min: 1_500_000_000, max: 2_000_000_000 }).map(String),
        fc.integer({ min: -400 * DAY, max: -DAY }).map((msAgo) => String(now - msAgo)),
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
        fc.integer({ min: -400, max: -2 }).map((daysAgo) => isoDay(now - daysAgo * DAY)),
      );
    default:
      if (facts.enum === undefined) return undefined;
      return texts(
        'zz',
        '0',
        '-1',
        '99999',
        ...facts.enum.map((value) => `${value}x`),
        // Only where the letter case matters.
        ...facts.enum.flatMap((value) => {
          const other = String(value).toUpperCase();
          return facts.caseInsensitive === true || other === String(value) ? [] : [other];
        }),
      );
  }
}
