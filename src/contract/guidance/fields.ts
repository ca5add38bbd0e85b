import type { Guidance } from './types.ts';
import { says } from './types.ts';

/**
 * Guidance for the presence and type of one field of §2, from what its title says it is. Tried in this order, since a
 * decimal mentions numbers and strings too.
 */
const BY_TYPE: readonly (readonly [RegExp, (field: string) => Guidance])[] = [
  [
    / is null, or | or null\b|null until settled| may be null/,
    (field) =>
      says(
        `null has a meaning for ${field}: a reader that takes it for 0 or for an empty value reports figures that do not exist.`,
        'A missing value is sent as 0, as "" or by leaving the field out, instead of null.',
        'null is sent for another field of the same record, where no clause allows it.',
        'The number is sent as a string, because the column it comes from is a decimal.',
      ),
  ],
  [
    / is a decimal /,
    (field) =>
      says(
        `Readers compute with ${field}; anything but a number or a plain decimal string breaks them or turns silently into NaN.`,
        'The value is null or missing for an asset that has no figure yet.',
        'The string is made for people: thousands separators, a percent sign, an exponent, or an empty text.',
      ),
  ],
  [
    / timestamp in milliseconds/,
    (field) =>
      says(
        `A ${field} in another unit lands in 1970 or in the year 50000, and sorting across sources breaks without an error.`,
        'The value is in seconds (ten digits) instead of milliseconds (thirteen).',
        'The value is sent as a string, as ISO 8601 or in quotes.',
      ),
  ],
  [
    / string timestamp/,
    (field) =>
      says(
        `${field} is promised to be a text; a number or an empty text breaks readers that parse it.`,
        'The timestamp is sent as a number.',
        'It is an empty text for assets whose date is not known.',
      ),
  ],
  [
    / an integer JSON number/,
    (field) =>
      says(
        `${field} is counted with or compared; a text "12" sorts after "9" and adds up to "129".`,
        'The number is sent in quotes, often because it comes from a 64-bit column or a cache of texts.',
        'It is missing or null while the count is 0.',
        'It carries a fraction, such as 3.0 from a language without integers.',
      ),
  ],
  [
    / a JSON number/,
    (field) =>
      says(
        `Readers in typed languages fail to parse a text where ${field} is promised to be a number; others compute nonsense.`,
        'Decimals are serialised as strings to keep their precision; only the fields that the specification calls BigDecimal may be strings.',
        'The value is "" or null while there is none.',
        'The figure comes with a unit, such as "3.2%" or "210K".',
      ),
  ],
  [
    / is a date of the form/,
    (field) =>
      says(
        `${field} is the key by which rows are joined with other sources; another form joins with nothing.`,
        'The date carries a time of day or a zone.',
        'It is a timestamp in milliseconds, as an older description of the field says.',
      ),
  ],
  [
    / is (?:an array|open or|one of|1, 0)|\[\]/,
    (field) =>
      says(
        `Readers loop over ${field} or branch on it; a value of another shape is an exception in production, not a missing row.`,
        'null is sent where an empty array is promised.',
        'Members of the elements are missing or renamed, such as camelCase instead of snake_case.',
        'A value outside the listed ones is passed on from an internal table.',
      ),
  ],
  [
    / is an object/,
    (field) =>
      says(
        `Readers reach into ${field} without asking; when it is null or a text they stop.`,
        'null is sent when there is nothing to say, where an object with empty members is promised.',
        'Members are missing or renamed.',
      ),
  ],
  [
    / a string/,
    (field) =>
      says(
        `${field} is promised to be there and to be a text, so readers call text functions on it.`,
        'The field is left out or null for records that have nothing to say; an empty text is expected then.',
        'An identifier is sent as a number, and loses its last digits beyond 2^53.',
      ),
  ],
  [
    /^/,
    (field) =>
      says(
        `${field} has a stated shape that readers are generated from.`,
        'A member is missing, renamed or of another type in some of the records only.',
      ),
  ],
];

/** Guidance for a requirement of the form "`field` of … is …"; undefined for any other title. */
export function fieldGuidance(title: string): Guidance | undefined {
  const field = /^`[^`]+`/.exec(title)?.[0];
  if (field === undefined) return undefined;
  return BY_TYPE.find(([pattern]) => pattern.test(title))?.[1](field);
}
