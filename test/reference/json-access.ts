import { isObject } from '../../src/reference/json.ts';
import type { Json, JsonObject } from '../../src/reference/world.ts';

/** Reads of fields with a known type. Each one throws a TypeError that names the field when the type is another. */

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

function wrong(field: string, wanted: string, value: Json | undefined): TypeError {
  return new TypeError(`"${field}" is ${JSON.stringify(value) ?? 'missing'}, not ${wanted}`);
}

export function numberOf(row: JsonObject | undefined, field: string): number {
  const value = row?.[field];
  if (typeof value !== 'number') throw wrong(field, 'a number', value);
  return value;
}

export function textOf(row: JsonObject | undefined, field: string): string {
  const value = row?.[field];
  if (typeof value !== 'string') throw wrong(field, 'a string', value);
  return value;
}

export function objectOf(row: JsonObject | undefined, field: string): JsonObject {
  const value = row?.[field];
  if (!isObject(value)) throw wrong(field, 'an object', value);
  return value;
}

export function listOf(row: JsonObject | undefined, field: string): readonly Json[] {
  const value = row?.[field];
  if (!isList(value)) throw wrong(field, 'an array', value);
  return value;
}

/** The elements of a list, all of which must be objects. */
export function objectsOf(row: JsonObject | undefined, field: string): readonly JsonObject[] {
  const value = listOf(row, field);
  if (!value.every(isObject)) throw wrong(field, 'an array of objects', value);
  return value;
}

/** Each element of a list with the one after it. */
export function neighbours<T extends object | string | number>(
  list: readonly T[],
): readonly (readonly [T, T])[] {
  return list.slice(1).flatMap((second, i) => {
    const first = list[i];
    return first === undefined ? [] : [[first, second] as const];
  });
}
