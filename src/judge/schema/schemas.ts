import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { isObject, withoutIndexes } from '../../text/json-value.ts';
import {
  resolveSchema,
  type SchemaName,
  builtValidator,
  compileValidator,
} from './schema-files.ts';
import { groupBy } from '../../text/group-by.ts';
import { closestName } from '../../text/closest-name.ts';
import { renderValue } from '../text/render-value.ts';
import type { ResponseShape } from '../../spec/endpoints.ts';
import type { RequirementId } from '../../spec/requirement-id.ts';
import { FIELDS, MAY_NOT_EXIST, PAGE_FIELDS, type ResourceName } from '../../spec/resources.ts';

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
function problemsOf(errors: readonly ErrorObject[], root: SchemaName): SchemaProblem[] {
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
function foldAlike(problems: readonly SchemaProblem[]): SchemaProblem[] {
  const groups = groupBy(
    problems,
    (one) => `${one.is === 'null' ? 'null' : one.keyword} ${withoutIndexes(one.pointer)}`,
  );
  return [...groups.values()].map(([first, ...others]) => {
    const alike = others.reduce((sum, one) => sum + 1 + one.alike, first.alike);
    return { ...first, alike };
  });
}

function notAnArray(body: unknown): SchemaProblem {
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
  const { keyword } = error;
  const data = keyword === 'required' ? undefined : dataOf(error);
  const [expected, actual, is] = [expectation(error, root), renderValue(data), jsonTypeOf(data)];
  return { pointer, keyword, expected, actual, is, alike: 0 };
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

export interface BodyProblem extends SchemaProblem {
  /** The requirement of the field; undefined if the body or a record as a whole has the wrong kind. */
  readonly breaks: RequirementId | undefined;
  /** A null that means "no value" (ruling 3), which breaks no field. */
  readonly isReasonedNull: boolean;
}

/** Validates a value by a schema file, or by a fragment of it such as `#/$defs/notFound`. */
export function validate(name: SchemaName, value: unknown, fragment = ''): SchemaProblem[] {
  const check = validator(name, fragment);
  if (check(value)) return [];
  return foldAlike(problemsOf(check.errors ?? [], name));
}

/**
 * Validates the body of a successful answer: envelope and records. Pointers start at the body (`/list/3/price`); equal
 * problems of several records are merged. Unspecified shapes (§4.7) have no problems (ruling 16).
 */
export function validateBody(shape: ResponseShape, body: unknown): BodyProblem[] {
  const { kind, resource } = shape;
  if (kind === 'unstated' || resource === undefined) return [];
  if (kind === 'object') return attributed(validate(resource, body), resource);
  if (kind === 'array') {
    if (!Array.isArray(body)) return attributed([notAnArray(body)], resource);
    return recordProblems(resource, body, '');
  }
  const envelope = attributed(validate('page', body), 'page');
  const records = isObject(body) && Array.isArray(body['list']) ? body['list'] : [];
  return [...envelope, ...recordProblems(resource, records, '/list')];
}

/**
 * Requirement of the field at a pointer: the entry of `FIELDS` or `PAGE_FIELDS` with the longest match. Undefined if the
 * problem concerns the whole record.
 */
export function fieldRequirement(
  resource: ResourceName | 'page',
  pointer: string,
): RequirementId | undefined {
  const pattern = `${withoutIndexes(pointer)}/`;
  const [best] = (resource === 'page' ? PAGE_FIELDS : FIELDS[resource])
    .filter(({ path }) => pattern.startsWith(`${path}/`))
    .toSorted((a, b) => b.path.length - a.path.length);
  return best?.id;
}

function recordProblems(
  resource: ResourceName,
  records: readonly unknown[],
  prefix: string,
): BodyProblem[] {
  const problems = records.flatMap((record, index) =>
    validate(resource, record).map((one) => ({
      ...one,
      pointer: `${prefix}/${index}${one.pointer}`,
    })),
  );
  return attributed(foldAlike(problems), resource, (pointer) =>
    pointer.slice(prefix.length).replace(/^\/\d+/, ''),
  );
}

/** @param inRecord the pointer within its record */
const attributed = (
  problems: readonly SchemaProblem[],
  resource: ResourceName | 'page',
  inRecord = (pointer: string): string => pointer,
): BodyProblem[] =>
  problems.map((one) => {
    const pointer = inRecord(one.pointer);
    const isReasonedNull =
      one.is === 'null' &&
      resource !== 'page' &&
      MAY_NOT_EXIST[resource].includes(withoutIndexes(pointer));
    const breaks = isReasonedNull ? undefined : fieldRequirement(resource, pointer);
    return { ...one, breaks, isReasonedNull };
  });

function validator(name: SchemaName, fragment: string): ValidateFunction {
  const made = builtValidator(name, fragment) ?? compileValidator(name, fragment);
  if (made === undefined) throw new Error(`schemas/${name}.json has no ${fragment || 'schema'}`);
  return made;
}
