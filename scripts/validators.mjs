// Writes dist/src/judge/schema/validators: compiled validators for schemas/*.json, one module per schema. Run after tsc.
import { mkdirSync, writeFileSync } from 'node:fs';
import { _ } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { ERRORS } from '../dist/src/spec/error-codes.js';
import {
  createAjv,
  exportName,
  SCHEMA_NAMES,
  schemaFile,
} from '../dist/src/judge/schema/schema-files.js';

const folder = new URL('../dist/src/judge/schema/validators/', import.meta.url);
mkdirSync(folder, { recursive: true });
const ajv = createAjv({
  code: { source: true, formats: _`require('ajv-formats/dist/formats').fullFormats` },
});
for (const name of SCHEMA_NAMES) {
  const id = String(schemaFile(name).$id);
  const parts = { errors: Object.keys(ERRORS), results: ['exchange'] }[name] ?? [];
  const fragments = ['', ...parts.map((part) => `#/$defs/${part}`)];
  const names = Object.fromEntries(
    fragments.map((fragment) => [exportName(fragment), id + fragment]),
  );
  writeFileSync(new URL(`${name}.cjs`, folder), standalone.default(ajv, names));
}
