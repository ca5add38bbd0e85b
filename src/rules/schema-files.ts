import { createRequire } from 'node:module';
import { RESOURCE_NAMES } from '../contract/resources.ts';
import type { ResourceName } from '../contract/resources.ts';
import { isObject } from '../text/json-value.ts';

/** Name of a file in `schemas/`, without its ending. */
export type SchemaName =
  | ResourceName
  | 'types'
  | 'page'
  | 'error'
  | 'target'
  | 'results'
  | 'waivers'
  | 'events'
  | 'monitor-events'
  | 'monitor-history'
  | 'notification'
  | 'config';

/** A JSON Schema as an object; the keywords are read where they are needed. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

export const SCHEMA_NAMES: readonly SchemaName[] = [
  ...RESOURCE_NAMES,
  'types',
  'page',
  'error',
  'target',
  'results',
  'waivers',
  'events',
  'monitor-events',
  'monitor-history',
  'notification',
  'config',
];

// `require` and not `import … with { type: 'json' }`, for which Node 20 prints a warning. The relative path is the
// same from src/rules and from dist/rules.
const load = createRequire(import.meta.url);
const loaded = new Map<SchemaName, JsonSchema>();

/** The content of one schema file, read once. */
export function schemaFile(name: SchemaName): JsonSchema {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const schema = load(`../../schemas/${name}.json`) as JsonSchema;
  loaded.set(name, schema);
  return schema;
}

/**
 * The schema that `$ref` of `schema` leads to, followed to its end. References are either local (`#/$defs/finding`,
 * then they point into `root`) or name a file (`types.json#/$defs/date`).
 *
 * @throws Error when the reference leads nowhere: a defect of the schema files.
 */
export function resolveSchema(schema: unknown, root: SchemaName): JsonSchema {
  if (!isObject(schema)) throw new Error(`not a schema: ${JSON.stringify(schema)}`);
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  const [file = '', pointer = ''] = reference.split('#');
  const name = file === '' ? root : (file.replace(/\.json$/, '') as SchemaName);
  let target: unknown = schemaFile(name);
  for (const key of pointer.split('/').slice(1)) {
    target = isObject(target) ? target[key] : undefined;
  }
  if (!isObject(target)) throw new Error(`schemas/${name}.json has no ${pointer}`);
  return resolveSchema(target, name);
}
