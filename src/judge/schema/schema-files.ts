import type * as Ajv from 'ajv/dist/2020.js';
import type * as Formats from 'ajv-formats/dist/formats.js';
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
import type { Options, ValidateFunction } from 'ajv/dist/2020.js';

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

// Compiling a schema takes as long as many requests, so the build does it (`scripts/validators.mjs`). When run from
// source, schemas are compiled on first use.

/** Export name of a validator: `schema`, or the name of its fragment. */
export const exportName = (fragment: string): string =>
  fragment === '' ? 'schema' : fragment.replace(/^#\/\$defs\//, '');

const built = new Map<SchemaName, Readonly<Record<string, ValidateFunction>>>();

/** The prebuilt validator, if there is one. */
export function builtValidator(name: SchemaName, fragment: string): ValidateFunction | undefined {
  let module = built.get(name);
  if (module === undefined) {
    try {
      module = load(`./validators/${name}.cjs`) as Readonly<Record<string, ValidateFunction>>;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
      module = {};
    }
    built.set(name, module);
  }
  return module[exportName(fragment)];
}

let ajv: Ajv.Ajv2020 | undefined;

/** Compiles a schema file or a fragment of it (`#/$defs/notFound`); undefined if it does not exist. */
export function compileValidator(name: SchemaName, fragment: string): ValidateFunction | undefined {
  ajv ??= createAjv();
  return ajv.getSchema(`${String(schemaFile(name)['$id'])}${fragment}`);
}

/** An Ajv instance with all schemas. */
export function createAjv(options: Options = {}): Ajv.Ajv2020 {
  const { Ajv2020 } = load('ajv/dist/2020.js') as typeof Ajv;
  const { fullFormats } = load('ajv-formats/dist/formats.js') as typeof Formats;
  const instance = new Ajv2020({
    // A test validates the schemas.
    validateSchema: false,
    meta: false,
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    verbose: true,
    formats: { date: fullFormats.date, 'date-time': fullFormats['date-time'] },
    ...options,
  });
  instance.addVocabulary(['x-assay']);
  for (const name of SCHEMA_NAMES) instance.addSchema(schemaFile(name));
  return instance;
}
