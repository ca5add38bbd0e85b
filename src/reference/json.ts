import type { Json, JsonObject } from './world.ts';

/** The rows of a body: the array itself, or the `list` of a page. Undefined for other objects. */
export function rowsOf(body: Json): readonly Json[] | undefined {
  if (isArray(body)) return body;
  if (!isObject(body)) return undefined;
  const { list, total } = body;
  return list !== undefined && total !== undefined && isArray(list) ? list : undefined;
}

/** `body` with other rows. */
export function withRows(body: Json, rows: readonly Json[]): Json {
  return isObject(body) ? { ...body, list: rows } : rows;
}

export function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value as text: strings as they are, the rest as JSON. An absent value is empty. */
export function textOf(value: Json | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The value in a type that is never allowed for its field. */
export function retyped(value: Json): Json {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return 7;
  if (value === null || typeof value === 'boolean') return 'yes';
  return isArray(value) ? { first: value[0] ?? null } : [value];
}
