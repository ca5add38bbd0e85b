import { createRequire } from 'node:module';
import {
  PAGE_SCHEMA,
  RESOURCE_SCHEMAS,
  TYPES_SCHEMA,
  type JsonSchema,
  type ResourceName,
} from '../../../schemas/index.ts';
import { RESOURCE_NAMES } from '../../spec/resources.ts';
import { isObject } from '../../text/json-value.ts';

/** Assay's own formats, in `schemas/tool`. */
const TOOL_SCHEMAS = [
  'target',
  'results',
  'waivers',
  'events',
  'monitor-events',
  'monitor-history',
  'notification',
  'config',
] as const;

/** Name of a schema file, without folder and extension. */
export type SchemaName = ResourceName | 'types' | 'page' | 'errors' | (typeof TOOL_SCHEMAS)[number];

export const SCHEMA_NAMES: readonly SchemaName[] = [
  ...RESOURCE_NAMES,
  'types',
  'page',
  'errors',
  ...TOOL_SCHEMAS,
];

/** Path of a schema file within `schemas/`. */
export const schemaPath = (name: SchemaName): string =>
  TOOL_SCHEMAS.some((tool) => tool === name) ? `tool/${name}.json` : `${name}.json`;

const load = createRequire(import.meta.url);
const loaded = new Map<SchemaName, JsonSchema>([
  ...(Object.entries(RESOURCE_SCHEMAS) as [ResourceName, JsonSchema][]),
  ['types', TYPES_SCHEMA],
  ['page', PAGE_SCHEMA],
]);

export function schemaFile(name: SchemaName): JsonSchema {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const schema = load(`assay/schemas/${schemaPath(name)}`) as JsonSchema;
  loaded.set(name, schema);
  return schema;
}

/**
 * Follows `$ref` to its end. References are local (`#/$defs/finding`, resolved in `root`) or name a file
 * (`types.json#/$defs/date`).
 * @throws Error if a reference is broken: a defect of the schema files
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
  if (!isObject(target)) throw new Error(`schemas/${schemaPath(name)} has no ${pointer}`);
  return resolveSchema(target, name);
}
