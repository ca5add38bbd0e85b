/** Access to unvalidated values of a file. Objects may have no prototype. */

import { headerValue } from '../text/header-value.ts';
import { isObject } from '../text/json-value.ts';

/** The members of an object, for destructuring; none of anything else. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  isObject(value) ? value : {};

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** Name and value pairs of a HAR list, or of an object as some tools write it. */
export function pairsOf(value: unknown): readonly (readonly [string, string])[] {
  if (isObject(value)) {
    return Object.entries(value).flatMap(([name, one]) =>
      typeof one === 'string' ? [[name, one] as const] : [],
    );
  }
  return listOf(value).flatMap((pair) => {
    const { name, value: one } = fieldsOf(pair);
    return typeof name === 'string' &&
      name !== '' &&
      (typeof one === 'string' || typeof one === 'number')
      ? [[name, String(one)] as const]
      : [];
  });
}

/** Headers, as read by {@link pairsOf}, with trimmed values. */
export function headersOf(value: unknown): readonly (readonly [string, string])[] {
  return pairsOf(value).map(([name, one]) => [name, headerValue(one)] as const);
}
