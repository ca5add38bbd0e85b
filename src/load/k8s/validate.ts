import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { isObject } from '../../text/json-value.ts';
import { LoadError } from '../errors.ts';
import { packageFile } from '../package-root.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The shipped schema of what Assay writes. */
export function subsetSchema(): Schema {
  return schemaOf(JSON.parse(readFileSync(packageFile('load', 'k8s.schema.json'), 'utf8')));
}

/**
 * The schema of a TestRun in a custom resource definition, made strict: the API server drops fields that it does not
 * know without a word, so a typo has to be found here.
 * @throws LoadError when the file holds no such definition
 */
export function crdSchema(text: string, file: string): Schema {
  const found = find(parse(text), (value) => isObject(value['openAPIV3Schema']));
  const schema = found?.['openAPIV3Schema'];
  if (isObject(schema)) return strict(schema);
  throw new LoadError(
    'ASSAY_LOAD_USAGE',
    `${file} holds no openAPIV3Schema.`,
    'Give the file of `kubectl get crd testruns.k6.io -o yaml`.',
  );
}

/** Problems of a TestRun, each with its path. */
export function validateTestRun(value: unknown, schema: Schema): string[] {
  const ajv = new Ajv2020({ allErrors: true, strict: false, logger: false });
  ajv.removeKeyword('format');
  const check = ajv.compile(schema);
  if (check(value)) return [];
  return (check.errors ?? []).map(({ instancePath, message, params }) => {
    const extra: unknown = (params as Schema)['additionalProperty'];
    const path = typeof extra === 'string' ? `${instancePath}/${extra}` : instancePath;
    return `${path === '' ? '/' : path}: ${typeof extra === 'string' ? 'is not known here' : (message ?? 'is wrong')}`;
  });
}

function schemaOf(value: unknown): Schema {
  if (!isObject(value)) throw new TypeError('A schema is an object.');
  const { $schema: _dialect, ...schema } = value;
  return schema;
}

/** The first object, in depth, that a test holds for. */
function find(value: unknown, test: (value: Schema) => boolean): Schema | undefined {
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) {
      const found = find(item, test);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isObject(value)) return undefined;
  if (test(value)) return value;
  return find(Object.values(value), test);
}

/** Closes objects with named properties, and says in JSON Schema what the extensions of Kubernetes mean. */
function strict(schema: Schema): Schema {
  if (schema['x-kubernetes-int-or-string'] === true) return { type: ['integer', 'string'] };
  const changed: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key.startsWith('x-kubernetes-') || key === 'format') continue;
    if (key === 'properties' && isObject(value)) {
      changed[key] = Object.fromEntries(
        Object.entries(value).map(([name, part]) => [name, isObject(part) ? strict(part) : part]),
      );
    } else changed[key] = isObject(value) ? strict(value) : value;
  }
  const open =
    'additionalProperties' in schema || schema['x-kubernetes-preserve-unknown-fields'] === true;
  // The metadata of an object is described elsewhere.
  const named = isObject(schema['properties']) && Object.keys(schema['properties']).length > 0;
  return named && !open ? { ...changed, additionalProperties: false } : changed;
}
