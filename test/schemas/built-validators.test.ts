// What ships judges by validators that the build wrote; everything else is tested on schemas compiled at run time. Both
// have to say the same, word for word.
import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../src/spec/error-codes.ts';
import type * as Validators from '../../src/judge/schema/schema-files.ts';
import {
  schemaFile,
  SCHEMA_NAMES,
  type SchemaName,
  compileValidator,
} from '../../src/judge/schema/schema-files.ts';
import { isObject } from '../../src/text/json-value.ts';

// Not there when types are checked before a build.
const DIST = new URL('../../dist/src/judge/schema/schema-files.js', import.meta.url).href;
const { builtValidator } = (await import(DIST)) as typeof Validators;

/** Values of every type, some of them at the edge of what a schema may ask for. */
const OTHERS = [
  null,
  true,
  -1,
  1.5,
  2 ** 60,
  '',
  '\u{1f511}',
  '2026-02-30',
  '1e400',
  [],
  [null],
  {},
];

/** The examples of a schema, and each of them with another value in one place, without it, or with one more. */
function* values(name: SchemaName): Generator {
  yield* OTHERS;
  for (const example of examplesOf(name)) {
    yield example;
    for (const place of placesOf(example)) {
      for (const other of [...OTHERS, undefined]) yield withOther(example, place, other);
    }
  }
}

function examplesOf(name: SchemaName): readonly unknown[] {
  const { examples = [], $defs = {} } = schemaFile(name);
  const within = isObject($defs) ? Object.values($defs) : [];
  return [examples, ...within.map((one) => (isObject(one) ? one['examples'] : []))].flatMap(
    (list): readonly unknown[] => (Array.isArray(list) ? list : []),
  );
}

type Place = readonly (string | number)[];

function placesOf(value: unknown, at: Place = []): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    [...at, key],
    ...placesOf(inner, [...at, key]),
  ]);
}

function withOther(value: unknown, place: Place, other: unknown): unknown {
  const copy = structuredClone(value);
  let holder = copy as Record<string | number, unknown>;
  for (const key of place.slice(0, -1)) holder = holder[key] as typeof holder;
  const last = place.at(-1) ?? '';
  if (other === undefined) delete holder[last];
  else holder[last] = other;
  holder['one more'] = 1;
  return copy;
}

const FRAGMENTS = Object.keys(ERRORS).map((name) => `#/$defs/${name}`);
const ALL = SCHEMA_NAMES.flatMap((name) =>
  ['', ...(name === 'errors' ? FRAGMENTS : [])].map((fragment) => [name, fragment] as const),
);

describe('the validator that the build made', () => {
  it.each(ALL)('of %s%s says what the schema says', (name, fragment) => {
    const [built, compiled] = [builtValidator(name, fragment), compileValidator(name, fragment)];
    if (built === undefined || compiled === undefined) throw new Error('There is none.');
    let seen = 0;
    for (const value of values(name)) {
      seen += 1;
      expect(built(value)).toBe(compiled(value));
      expect(built.errors).toEqual(compiled.errors);
    }
    expect(seen).toBeGreaterThanOrEqual(OTHERS.length);
  });
});
