import { ERRORS, type ErrorName } from '../spec/error-codes.ts';
import { RESOURCE_NAMES } from '../spec/resources.ts';
import { schemaFile, type SchemaName } from '../judge/schema/schema-files.ts';
import { referred } from '../spec/schema.ts';
import { isObject } from '../text/json-value.ts';
import type { JsonSchema } from '../../schemas/index.ts';
import { component, pascalCase, type Node } from './node.ts';

const ERROR_NAMES = Object.keys(ERRORS) as ErrorName[];

/** Name of the component that describes the body of one error. */
const errorComponent = (name: ErrorName): string => `${pascalCase(name)}Error`;

/** The schema files as components of one document, with references between them rewritten. */
export function schemaComponents(): Node {
  const errors = definitions('errors');
  const shared = Object.entries(definitions('types')).filter(([, schema]) => !isPlain(schema));
  return Object.fromEntries([
    ...RESOURCE_NAMES.map((name) => [pascalCase(name), named(schemaFile(name), name)]),
    ['Page', named(schemaFile('page'), 'page')],
    ...shared.map(([name, schema]) => [pascalCase(name), named(schema, 'types')]),
    ['Error', named(errors['body'], 'errors')],
    ...ERROR_NAMES.map((name) => [errorComponent(name), named(errors[name], 'errors')]),
  ]);
}

/** The examples that a schema file, or one definition of it, carries. */
export function schemaExamples(name: SchemaName, definition?: string): readonly unknown[] {
  const schema = definition === undefined ? schemaFile(name) : definitions(name)[definition];
  const examples = isObject(schema) ? schema['examples'] : undefined;
  return Array.isArray(examples) ? examples : [];
}

function definitions(name: SchemaName): JsonSchema {
  const found = schemaFile(name)['$defs'];
  return isObject(found) ? found : {};
}

/** A copy of a schema that can be a component. Titles of scalars are phrases; code generators would name types by them. */
function named(schema: unknown, file: SchemaName): unknown {
  const copy = bundled(schema, file);
  const title = isObject(schema) && isComposite(schema) ? schema['title'] : undefined;
  return title === undefined ? copy : { title, ...Object(copy) };
}

/** A copy of a schema that can stand within a component. */
function bundled(schema: unknown, file: SchemaName): unknown {
  if (Array.isArray(schema)) return schema.map((part) => bundled(part, file));
  if (!isObject(schema)) return schema;
  if (isInlined(schema)) {
    const { $ref, ...own } = schema;
    return bundled({ ...referred(String($ref)), ...own }, file);
  }
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$schema' || key === '$id' || key === 'title' || key === 'x-assay') continue;
    if (key === 'examples' || key === 'enum' || key === 'required') result[key] = value;
    else if (key === 'properties' && isObject(value)) {
      result[key] = Object.fromEntries(
        Object.entries(value).map(([name, property]) => [name, bundled(property, file)]),
      );
    } else if (key === '$ref') result[key] = `#/components/schemas/${target(String(value), file)}`;
    else result[key] = bundled(value, file);
  }
  // Many tools still ignore what is next to `$ref`.
  const { $ref, ...rest } = result;
  return $ref !== undefined && 'properties' in rest ? { allOf: [{ $ref }], ...rest } : result;
}

/** A shared type that asks for no more than a type of JSON: it is no component. */
const isPlain = (schema: unknown): boolean =>
  isObject(schema) &&
  !isComposite(schema) &&
  Object.keys(schema).every((key) => ['title', 'description', 'type'].includes(key));

/** Whether a reference is replaced by what it leads to: a property of another resource, or a plain type. */
function isInlined(schema: JsonSchema): boolean {
  const reference = schema['$ref'] ?? '';
  if (reference.includes('#/properties/')) return true;
  const definition = /^types\.json#\/\$defs\/(\w+)$/.exec(reference)?.[1];
  return definition !== undefined && isPlain(definitions('types')[definition]);
}

const isComposite = (schema: JsonSchema): boolean => {
  const types = [schema['type'] ?? 'object'].flat();
  return types.includes('object') || types.includes('array');
};

function target(reference: string, file: SchemaName): string {
  const definition = /^(?:types\.json)?#\/\$defs\/(\w+)$/.exec(reference)?.[1];
  if (definition === undefined) throw new Error(`cannot bundle ${reference} of ${file}.json`);
  if (file === 'errors')
    return definition === 'body' ? 'Error' : errorComponent(definition as ErrorName);
  return pascalCase(definition);
}

/** The errors that come with a status. */
export const errorsOf = (status: number): ErrorName[] =>
  ERROR_NAMES.filter((name) => ERRORS[name].status === status);

/** The body of every error that comes with a status, as one schema. */
export function statusSchema(status: number): Node {
  const references = errorsOf(status).map((name) => component('schemas', errorComponent(name)));
  const [first, ...others] = references;
  if (first === undefined) throw new Error(`no error has the status ${status}`);
  return others.length === 0 ? first : { anyOf: references };
}
