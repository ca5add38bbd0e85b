import type { ErrorObject } from 'ajv/dist/2020.js';
import { isObject, withoutIndexes } from '../../text/json-value.ts';
import { resolveSchema, type SchemaName } from './schema-files.ts';
import { groupBy } from '../../text/group-by.ts';
import { closestName } from '../../text/closest-name.ts';
import { renderValue } from '../text/render-value.ts';

type JsonType = 'missing' | 'null' | 'string' | 'number' | 'boolean' | 'array' | 'object';

function jsonTypeOf(value: unknown): JsonType {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as JsonType);
}

/** A schema violation. */
export interface SchemaProblem {
  /** JSON pointer of the value, or of the missing field. */
  readonly pointer: string;
  /** JSON Schema keyword: `type`, `required`, `enum`, `pattern`, … */
  readonly keyword: string;
  /** A noun phrase such as "a JSON number". */
  readonly expected: string;
  /** The value with its type: `"12" (string)`, `null`, `missing`. About 120 characters at most. */
  readonly actual: string;
  readonly is: JsonType;
  /** Number of further violations that differ only in array indexes. */
  readonly alike: number;
}

/** If several keywords fail on one value, the first one of these is reported. */
const PRECEDENCE = ['type', 'required', 'additionalProperties', 'const', 'enum', 'format'];
const rank = (keyword: string): number => {
  const position = PRECEDENCE.indexOf(keyword);
  return position === -1 ? PRECEDENCE.length : position;
};

/** One problem per value, in document order. */
export function problemsOf(errors: readonly ErrorObject[], root: SchemaName): SchemaProblem[] {
  const byPointer = new Map<string, ErrorObject>();
  for (const error of errors) {
    const pointer = pointerOf(error);
    const known = byPointer.get(pointer);
    if (known === undefined || rank(error.keyword) < rank(known.keyword))
      byPointer.set(pointer, error);
  }
  return [...byPointer].map(([pointer, error]) => problem(pointer, error, root));
}

/** Merges problems that differ only in array indexes, so that 500 records with the same defect make one problem. */
export function foldAlike(problems: readonly SchemaProblem[]): SchemaProblem[] {
  const groups = groupBy(
    problems,
    (one) => `${one.is === 'null' ? 'null' : one.keyword} ${withoutIndexes(one.pointer)}`,
  );
  return [...groups.values()].map(([first, ...others]) => {
    const alike = others.reduce((sum, one) => sum + 1 + one.alike, first.alike);
    return { ...first, alike };
  });
}

export function notAnArray(body: unknown): SchemaProblem {
  const expected = describeSchema({ type: 'array' });
  const [actual, is] = [renderValue(body), jsonTypeOf(body)];
  return { pointer: '', keyword: 'type', expected, actual, is, alike: 0 };
}

/** Rewrites a pointer in code notation: `/list/0/price` becomes `list[0].price`. */
export function readablePointer(pointer: string): string {
  if (pointer === '') return 'the value';
  const path = pointer
    .slice(1)
    .split('/')
    .map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${unescapeKey(key)}`))
    .join('');
  return `\`${path.replace(/^\./, '')}\``;
}

function problem(pointer: string, error: ErrorObject, root: SchemaName): SchemaProblem {
  const expected = expectation(error, root);
  const actual = error.keyword === 'required' ? 'missing' : renderValue(dataOf(error));
  const is = error.keyword === 'required' ? 'missing' : jsonTypeOf(dataOf(error));
  return { pointer, keyword: error.keyword, expected, actual, is, alike: 0 };
}

/** A problem in one sentence. */
export function sentenceOf(one: SchemaProblem): string {
  const name = readablePointer(one.pointer);
  const is = one.keyword === 'required' ? 'is missing' : `is ${one.actual}`;
  const more = one.alike === 0 ? '' : ` (${one.alike} more)`;
  return one.keyword === 'additionalProperties'
    ? `${name} is not known; expected ${one.expected}`
    : `${name} ${is}; expected ${one.expected}${more}`;
}

function pointerOf(error: ErrorObject): string {
  const params: Readonly<Record<string, unknown>> = error.params;
  const key = params['missingProperty'] ?? params['additionalProperty'];
  return typeof key === 'string' ? `${error.instancePath}/${escapeKey(key)}` : error.instancePath;
}

function dataOf(error: ErrorObject): unknown {
  const key: unknown = error.params['additionalProperty'];
  return typeof key === 'string' && isObject(error.data) ? error.data[key] : error.data;
}

function expectation(error: ErrorObject, root: SchemaName): string {
  const schema = error.parentSchema ?? {};
  const properties: unknown = schema['properties'];
  if (error.keyword === 'required' && isObject(properties)) {
    const key = String(error.params['missingProperty']);
    return key in properties ? describeSchema(resolveSchema(properties[key], root)) : 'a value';
  }
  if (error.keyword === 'additionalProperties' && isObject(properties)) {
    const known = Object.keys(properties);
    const suggestion = closestName(String(error.params['additionalProperty']), known);
    const names = `one of ${known.join(', ')}`;
    return suggestion === undefined ? names : `${names} (did you mean ${suggestion}?)`;
  }
  return describeSchema(schema);
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a JSON number',
  integer: 'an integer JSON number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

/** What a schema requires of a value, to complete "expected …". */
function describeSchema(schema: Readonly<Record<string, unknown>>): string {
  const types = [schema['type'] ?? []].flat().map(String);
  const named = !types.includes('object') && types.join() !== 'array';
  if (named && typeof schema['title'] === 'string') return schema['title'];
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) {
    return `one of ${schema['enum'].map((value) => JSON.stringify(value)).join(', ')}`;
  }
  const words = types.map((type) => TYPE_WORDS[type] ?? type).join(' or ');
  return [words === '' ? 'a value' : words, ...bounds(schema)].join(' ');
}

function bounds(schema: Readonly<Record<string, unknown>>): string[] {
  const parts: string[] = [];
  const add = (keyword: string, words: (value: string) => string): void => {
    const value = schema[keyword];
    if (value !== undefined)
      parts.push(words(typeof value === 'string' ? value : JSON.stringify(value)));
  };
  add('minimum', (value) => `of at least ${value}`);
  add('maximum', (value) => `of at most ${value}`);
  add('minLength', (value) => `of at least ${value} character${value === '1' ? '' : 's'}`);
  add('minItems', (value) => `of at least ${value} element${value === '1' ? '' : 's'}`);
  add('maxItems', (value) => `of at most ${value} elements`);
  add('format', (value) => `of the format ${value}`);
  add('pattern', (value) => `that matches ${value}`);
  if (schema['uniqueItems'] === true) parts.push('without repetitions');
  return parts;
}

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescapeKey(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}
