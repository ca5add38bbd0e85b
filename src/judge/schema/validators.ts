import { createRequire } from 'node:module';
import type * as Ajv from 'ajv/dist/2020.js';
import type * as Formats from 'ajv-formats/dist/formats.js';
import type { Options, ValidateFunction } from 'ajv/dist/2020.js';
import { SCHEMA_NAMES, schemaFile, type SchemaName } from './schema-files.ts';

// Compiling a schema takes as long as many requests, so the build does it (`scripts/validators.mjs`). When run from
// source, schemas are compiled on first use.
const load = createRequire(import.meta.url);

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
