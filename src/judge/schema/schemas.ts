import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { ResponseShape } from '../../spec/endpoints.ts';
import type { RequirementId } from '../../spec/requirement-id.ts';
import {
  FIELDS,
  MAY_NOT_EXIST,
  PAGE_FIELDS,
  RESOURCE_NAMES,
  type Field,
  type ResourceName,
} from '../../spec/resources.ts';
import { isObject, withoutIndexes } from '../../text/json-value.ts';
import type { SchemaName } from './schema-files.ts';
import { foldAlike, notAnArray, problemsOf, type SchemaProblem } from './schema-problems.ts';
import { builtValidator, compileValidator } from './validators.ts';

export { sentenceOf, type SchemaProblem } from './schema-problems.ts';

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
 * Requirement of the field at a pointer: the entry of `FIELDS` or `PAGE_FIELDS` with the longest match, where `*`
 * matches any index. Undefined if the problem concerns the whole record.
 */
export function fieldRequirement(
  resource: ResourceName | 'page',
  pointer: string,
): RequirementId | undefined {
  const keys = pointer.split('/');
  let best: { id: RequirementId; length: number } | undefined;
  for (const { id, pattern } of PATTERNS[resource]) {
    const matches = pattern.every((part, index) => {
      const key = keys[index];
      return key !== undefined && (part === '*' ? /^\d+$/.test(key) : part === key);
    });
    if (matches && pattern.length > (best?.length ?? 0)) {
      best = { id, length: pattern.length };
    }
  }
  return best?.id;
}

const patternsOf = (fields: readonly Field[]) =>
  fields.map(({ id, path }) => ({ id, pattern: path.split('/') }));

const PATTERNS = {
  ...(Object.fromEntries(RESOURCE_NAMES.map((name) => [name, patternsOf(FIELDS[name])])) as Record<
    ResourceName,
    ReturnType<typeof patternsOf>
  >),
  page: patternsOf(PAGE_FIELDS),
};

function attribute(
  resource: ResourceName | 'page',
  pointer: string,
  one: SchemaProblem,
): BodyProblem {
  const pattern = withoutIndexes(pointer);
  const isReasonedNull =
    one.is === 'null' && resource !== 'page' && MAY_NOT_EXIST[resource].includes(pattern);
  const breaks = isReasonedNull ? undefined : fieldRequirement(resource, pointer);
  return { ...one, breaks, isReasonedNull };
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
  return foldAlike(problems).map((one) => {
    const inRecord = one.pointer.slice(prefix.length).replace(/^\/\d+/, '');
    return attribute(resource, inRecord, one);
  });
}

function attributed(
  problems: readonly SchemaProblem[],
  resource: ResourceName | 'page',
): BodyProblem[] {
  return problems.map((one) => attribute(resource, one.pointer, one));
}

const compiled = new Map<string, ValidateFunction>();

function validator(name: SchemaName, fragment: string): ValidateFunction {
  const key = `${name}.json${fragment}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const made = builtValidator(name, fragment) ?? compileValidator(name, fragment);
  if (made === undefined) throw new Error(`schemas/${name}.json has no ${fragment || 'schema'}`);
  compiled.set(key, made);
  return made;
}
