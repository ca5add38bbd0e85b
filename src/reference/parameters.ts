import type { QueryParameter } from '../spec/endpoints.ts';
import { malformed, missing, notAllowed } from './refusal.ts';

type Value = string | number | readonly number[];

/** Validated query parameters of one request: defaults filled in, enum values in their listed case. */
export interface Query {
  text(name: string): string | undefined;
  number(name: string): number | undefined;
  /** A comma-separated list of numbers. */
  numbers(name: string): readonly number[] | undefined;
}

/** Refuses a currency_id of the wrong form (400001). */
export function checkCurrencyId(value: string): void {
  if (!/^\d{1,20}$/.test(value)) {
    throw malformed(
      'currency_id',
      value,
      'A currency_id does not look like this.',
      'Take a currency_id from GET /currencies.',
    );
  }
}

/**
 * Validates `sent` in the order of `rules`. Names without a rule are ignored. Throws a Refusal for the first
 * parameter that is missing (400002), of the wrong form (400001) or outside its values (400003).
 */
export function readQuery(
  rules: Readonly<Record<string, QueryParameter>>,
  sent: ReadonlyMap<string, string>,
): Query {
  const values = new Map<string, Value>();
  for (const [name, rule] of Object.entries(rules)) {
    const raw = sent.get(name);
    if (raw !== undefined) {
      values.set(name, read(name, rule, raw));
    } else if (rule.required === true) {
      throw missing(name, `Add the query parameter ${name}.`);
    } else if (rule.default !== undefined) {
      values.set(name, rule.default);
    }
  }
  return {
    text(name) {
      const value = values.get(name);
      return typeof value === 'string' ? value : undefined;
    },
    number(name) {
      const value = values.get(name);
      return typeof value === 'number' ? value : undefined;
    },
    numbers(name) {
      const value = values.get(name);
      return typeof value === 'object' ? value : undefined;
    },
  };
}

function read(name: string, rule: QueryParameter, raw: string): Value {
  const choices = rule.enum;
  if (choices !== undefined && typeof choices[0] === 'number') return readList(name, choices, raw);
  if (choices !== undefined) return readChoice(name, rule, choices, raw);
  switch (rule.type) {
    case 'integer':
      return readInteger(name, rule, raw);
    case 'timestamp':
      return readTimestamp(name, raw);
    case 'date':
      return readDate(name, raw);
    default:
      if (name === 'currency_id') checkCurrencyId(raw);
      return raw;
  }
}

function readChoice(
  name: string,
  rule: QueryParameter,
  choices: readonly (string | number)[],
  raw: string,
): string {
  const found = choices.find((choice) =>
    rule.caseInsensitive === true
      ? String(choice).toLowerCase() === raw.toLowerCase()
      : choice === raw,
  );
  if (found === undefined) throw notAllowed(name, raw, 'The value is not allowed.', [...choices]);
  return String(found);
}

function readList(name: string, choices: readonly (string | number)[], raw: string): number[] {
  return raw.split(',').map((part) => {
    const number = /^\d+$/.test(part) ? Number(part) : Number.NaN;
    if (!choices.includes(number)) {
      throw notAllowed(name, raw, 'The list holds a value that is not allowed.', [...choices]);
    }
    return number;
  });
}

function readInteger(name: string, rule: QueryParameter, raw: string): number {
  const minimum = rule.minimum ?? 1;
  const constraint =
    rule.maximum === undefined
      ? `an integer of at least ${minimum}`
      : `an integer from ${minimum} to ${rule.maximum}`;
  const value = /^-?\d{1,15}$/.test(raw) ? Number(raw) : Number.NaN;
  if (Number.isNaN(value)) throw notAllowed(name, raw, 'The value is not an integer.', constraint);
  if (value < minimum || (rule.maximum !== undefined && value > rule.maximum)) {
    throw notAllowed(name, value, 'The value is out of range.', constraint);
  }
  return value;
}

function readTimestamp(name: string, raw: string): number {
  if (!/^\d{1,15}$/.test(raw)) {
    throw malformed(
      name,
      raw,
      'The value is not a timestamp.',
      'Send Unix time in milliseconds, such as 1735689600000.',
    );
  }
  return Number(raw);
}

function readDate(name: string, raw: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(raw) ? Date.parse(raw) : Number.NaN;
  // Date.parse rolls 30 February over; the round trip does not.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== raw) {
    throw malformed(
      name,
      raw,
      'The value is not a calendar date.',
      'Send a date of the form yyyy-MM-dd, such as 2025-01-31.',
    );
  }
  return raw;
}
