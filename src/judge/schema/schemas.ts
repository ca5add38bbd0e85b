import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { ResponseShape } from '../../spec/endpoints.ts';
import type { RequirementId } from '../../spec/requirement-id.ts';
import type { ErrorName } from '../../spec/error-codes.ts';
import { FIELDS, MAY_NOT_EXIST, PAGE_FIELDS, RESOURCE_NAMES } from '../../spec/resources.ts';
import type { Field, ResourceName } from '../../spec/resources.ts';
import { isObject } from '../../text/json-value.ts';
import type { SchemaName } from './schema-files.ts';
import { foldAlike, moveProblem, notAnArray, problemsOf } from './schema-problems.ts';
import type { SchemaProblem } from './schema-problems.ts';
import { builtValidator, compileValidator } from './validators.ts';

export type { SchemaProblem } from './schema-problems.ts';

/** A problem of a whole response body, and what it breaks. */
export interface BodyProblem extends SchemaProblem {
  /** Requirement of the field that it breaks; undefined when the body or a record is not of the stated kind at all. */
  readonly breaks: RequirementId | undefined;
  /** True for null where there may be nothing to send (ruling 3): that breaks no field. */
  readonly isReasonedNull: boolean;
}

/** Problems of one record of a resource (§2). An empty list means that it keeps the schema. */
export function validateRecord(resource: ResourceName, value: unknown): SchemaProblem[] {
  return validate(resource, value);
}

/** Problems of the paging envelope (§2.5, §2.7); the records in `list` are not looked at. */
export function validatePage(value: unknown): SchemaProblem[] {
  return validate('page', value);
}

/**
 * Problems of an error body (§7). With a name, the code must be one of the two forms of that error and the details
 * that are required for it must be there (rulings 6, 10, 14); without, only the common shape is asked for.
 */
export function validateError(value: unknown, name?: ErrorName): SchemaProblem[] {
  return validate('errors', value, name === undefined ? '' : `#/$defs/${name}`);
}

/** Problems of a target file that was parsed already. */
export function validateTarget(value: unknown): SchemaProblem[] {
  return validate('target', value);
}

/** Problems of the content of a `results.json`. */
export function validateResults(value: unknown): SchemaProblem[] {
  return validate('results', value);
}

/** Problems of a waiver file that was parsed already. */
export function validateWaivers(value: unknown): SchemaProblem[] {
  return validate('waivers', value);
}

/** Problems of a configuration file that was parsed already. */
export function validateConfig(value: unknown): SchemaProblem[] {
  return validate('config', value);
}

/** Problems of one line of `assay run --events`, parsed. */
export function validateEvent(value: unknown): SchemaProblem[] {
  return validate('events', value);
}

/** Problems of what a monitor writes or sends: a line of its events, its history, a notification; parsed. */
export function validateMonitor(
  what: 'monitor-events' | 'monitor-history' | 'notification',
  value: unknown,
): SchemaProblem[] {
  return validate(what, value);
}

/**
 * Problems of the body of a successful answer of the given shape: the envelope if there is one, and every record.
 * Places start at the body (`/list/3/price`). Records with the same problem are folded into one. A shape that the
 * specification does not state (§4.7) has no problems (ruling 16).
 */
export function validateBody(shape: ResponseShape, body: unknown): BodyProblem[] {
  const { kind, resource } = shape;
  if (kind === 'unstated' || resource === undefined) return [];
  if (kind === 'object') return attributed(validateRecord(resource, body), resource);
  if (kind === 'array') {
    if (!Array.isArray(body)) return attributed([notAnArray(body)], resource);
    return recordProblems(resource, body, '');
  }
  const envelope = attributed(validatePage(body), 'page');
  const records = isObject(body) && Array.isArray(body['list']) ? body['list'] : [];
  return [...envelope, ...recordProblems(resource, records, '/list')];
}

/**
 * The id of the requirement of the field that a problem belongs to: the entry of `FIELDS` with the longest matching
 * place, where `*` matches any array index; for `page`, the entry of `PAGE_FIELDS`. Undefined when the problem is
 * about the record as a whole.
 */
export function fieldRequirement(
  resource: ResourceName | 'page',
  place: string,
): RequirementId | undefined {
  const keys = place.split('/');
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
  fields.map(({ id, place }) => ({ id, pattern: place.split('/') }));

/** The keys of every place of `FIELDS` and `PAGE_FIELDS`. */
const PATTERNS = {
  ...(Object.fromEntries(RESOURCE_NAMES.map((name) => [name, patternsOf(FIELDS[name])])) as Record<
    ResourceName,
    ReturnType<typeof patternsOf>
  >),
  page: patternsOf(PAGE_FIELDS),
};

/** A problem at a place of a record, and what it breaks. */
function broken(resource: ResourceName | 'page', place: string, one: SchemaProblem): BodyProblem {
  const pattern = place.replaceAll(/\/\d+(?=\/|$)/g, '/*');
  const isReasonedNull =
    one.is === 'null' && resource !== 'page' && MAY_NOT_EXIST[resource].includes(pattern);
  const breaks = isReasonedNull ? undefined : fieldRequirement(resource, place);
  return { ...one, breaks, isReasonedNull };
}

function recordProblems(
  resource: ResourceName,
  records: readonly unknown[],
  prefix: string,
): BodyProblem[] {
  const problems = records.flatMap((record, index) =>
    validateRecord(resource, record).map((one) => moveProblem(one, `${prefix}/${index}`)),
  );
  return foldAlike(problems).map((one) => {
    const inRecord = one.place.slice(prefix.length).replace(/^\/\d+/, '');
    return broken(resource, inRecord, one);
  });
}

function attributed(
  problems: readonly SchemaProblem[],
  resource: ResourceName | 'page',
): BodyProblem[] {
  return problems.map((one) => broken(resource, one.place, one));
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

function validate(name: SchemaName, value: unknown, fragment = ''): SchemaProblem[] {
  const check = validator(name, fragment);
  if (check(value)) return [];
  return foldAlike(problemsOf(check.errors ?? [], name));
}
