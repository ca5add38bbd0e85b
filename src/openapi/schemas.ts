import { ERRORS } from '../contract/error-codes.ts';
import type { ErrorName } from '../contract/error-codes.ts';
import { RESOURCE_NAMES } from '../contract/resources.ts';
import { schemaFile } from '../rules/schema-files.ts';
import { isObject } from '../text/json-value.ts';
import type { JsonSchema, SchemaName } from '../rules/schema-files.ts';
import { component, pascalCase } from './node.ts';
import type { Node } from './node.ts';

export const ERROR_NAMES = Object.keys(ERRORS) as ErrorName[];

/** Name of the component that describes the body of one error. */
export function errorComponent(name: ErrorName): string {
  return `${pascalCase(name)}Error`;
}

/** The schema files as components of one document, with references between them rewritten. */
export function schemaComponents(): Node {
  const types = definitions('types');
  const errors = definitions('error');
  return {
    ...Object.fromEntries(
      RESOURCE_NAMES.map((name) => [pascalCase(name), bundled(schemaFile(name), name)]),
    ),
    Page: bundled(schemaFile('page'), 'page'),
    ...Object.fromEntries(
      Object.entries(types).map(([name, schema]) => [pascalCase(name), bundled(schema, 'types')]),
    ),
    Error: bundled(errors['body'], 'error'),
    ...Object.fromEntries(
      ERROR_NAMES.map((name) => [errorComponent(name), bundled(errors[name], 'error')]),
    ),
  };
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

/** A copy of a schema that can live among the components. */
function bundled(schema: unknown, file: SchemaName): unknown {
  if (Array.isArray(schema)) return schema.map((part) => bundled(part, file));
  if (!isObject(schema)) return schema;
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$schema' || key === '$id') continue;
    if (key === 'title' && !isComposite(schema)) continue;
    if (key === 'examples' || key === 'enum' || key === 'required') result[key] = value;
    else if (key === 'properties' && isObject(value)) {
      result[key] = Object.fromEntries(
        Object.entries(value).map(([name, property]) => [name, bundled(property, file)]),
      );
    } else if (key === '$ref') result[key] = `#/components/schemas/${target(String(value), file)}`;
    else result[key] = bundled(value, file);
  }
  return result['$ref'] !== undefined && 'properties' in result ? asAllOf(result) : result;
}

/** Titles of scalar types are phrases for messages; code generators would make type names of them. */
function isComposite(schema: JsonSchema): boolean {
  const types = [schema['type'] ?? 'object'].flat();
  return types.includes('object') || types.includes('array');
}

/** Many tools still ignore what stands beside `$ref`. */
function asAllOf({ $ref, ...rest }: Record<string, unknown>): Node {
  return { allOf: [{ $ref }], ...rest };
}

function target(reference: string, file: SchemaName): string {
  const definition = /^(?:types\.json)?#\/\$defs\/(\w+)$/.exec(reference)?.[1];
  if (definition === undefined) throw new Error(`cannot bundle ${reference} of ${file}.json`);
  if (file === 'error')
    return definition === 'body' ? 'Error' : errorComponent(definition as ErrorName);
  return pascalCase(definition);
}

/** The body of every error that comes with a status, as one schema. */
export function statusSchema(status: number): Node {
  const references = ERROR_NAMES.filter((name) => ERRORS[name].status === status).map((name) =>
    component('schemas', errorComponent(name)),
  );
  const [first, ...others] = references;
  if (first === undefined) throw new Error(`no error has the status ${status}`);
  return others.length === 0 ? first : { anyOf: references };
}
