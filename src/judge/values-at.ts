import type { ResourceName } from '../spec/resources.ts';
import { remembered } from '../text/remembered.ts';
import { isJudgeable, type Context } from './context.ts';
import { isObject, type View } from './view.ts';

/** A value and its position in the body as sent. */
export interface ValueAt {
  readonly pointer: string;
  readonly value: unknown;
}

/** A record that is an object. */
export interface ObjectAt {
  readonly pointer: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Judgeable records of this resource; empty for any other answer. */
export function objectsOf(view: View, context: Context, resource: ResourceName): ObjectAt[] {
  if (view.resource !== resource || view.wrapped || !isJudgeable(view, context)) return [];
  return objectsIn(view.records);
}

/** The records that are objects. */
export const objectsIn = (records: View['records']): ObjectAt[] =>
  records.flatMap(({ pointer, value }) => (isObject(value) ? [{ pointer, value }] : []));

const keysOf = remembered((path: string) => path.split('/').slice(1));

/** Values at `path` below `from`; `*` matches every element of an array. Missing values are skipped. */
export function valuesAt(from: ValueAt, path: string): ValueAt[] {
  let matches: readonly ValueAt[] = [from];
  for (const key of keysOf(path)) {
    matches = matches.flatMap(({ pointer, value }) => {
      if (key === '*') {
        if (!Array.isArray(value)) return [];
        return value.map((element: unknown, index) => ({
          pointer: `${pointer}/${index}`,
          value: element,
        }));
      }
      return isObject(value) && Object.hasOwn(value, key)
        ? [{ pointer: `${pointer}/${key}`, value: value[key] }]
        : [];
    });
  }
  return [...matches];
}

/** How deep to search answers of unspecified shape. */
export const MAX_DEPTH = 4;
