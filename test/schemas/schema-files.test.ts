import { readdirSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../src/spec/error-codes.ts';
import type { ErrorCode } from '../../src/spec/error-codes.ts';
import { KEY_ROLES } from '../../src/spec/exchange.ts';
import { RATE_WINDOW_TEXT } from '../../src/spec/limits.ts';
import { OUTCOMES } from '../../src/report/model/results.ts';
import {
  resolveSchema,
  SCHEMA_NAMES,
  schemaFile,
  schemaPath,
} from '../../src/judge/schema/schema-files.ts';
import { isObject } from '../../src/text/json-value.ts';

/** Every schema within a schema, itself included, with its JSON pointer. */
function* within(
  schema: unknown,
  place = '',
): Generator<[string, Readonly<Record<string, unknown>>]> {
  if (!isObject(schema)) return;
  yield [place, schema];
  for (const keyword of ['properties', '$defs']) {
    const map = schema[keyword];
    if (!isObject(map)) continue;
    for (const [key, inner] of Object.entries(map))
      yield* within(inner, `${place}/${keyword}/${key}`);
  }
  for (const keyword of ['items', 'additionalProperties']) {
    yield* within(schema[keyword], `${place}/${keyword}`);
  }
}

const ALL = SCHEMA_NAMES.flatMap((name) =>
  [...within(schemaFile(name))].map(([pointer, schema]) => ({ name, pointer, schema })),
);

function at(name: (typeof SCHEMA_NAMES)[number], pointer: string): unknown {
  return ALL.find((one) => one.name === name && one.pointer === pointer)?.schema;
}

describe('schema files', () => {
  it('are all known', () => {
    const files = readdirSync(new URL('../../schemas/', import.meta.url), {
      recursive: true,
      encoding: 'utf8',
    }).filter((file) => file.endsWith('.json') && file !== 'openapi.json');
    expect(files.toSorted()).toEqual(SCHEMA_NAMES.map(schemaPath).toSorted());
  });

  it.each(SCHEMA_NAMES)('%s is a strict schema of draft 2020-12', (name) => {
    const schema = schemaFile(name);
    expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(schema['$id']).toBe(`https://assay.example/schemas/${name}.json`);
    const ajv = new Ajv2020({
      strict: true,
      allowUnionTypes: true,
      formats: { date: fullFormats.date, 'date-time': fullFormats['date-time'] },
    });
    ajv.addVocabulary(['x-assay']);
    for (const other of SCHEMA_NAMES) ajv.addSchema(schemaFile(other));
    const compiles = (pointer: string): boolean => {
      const fragment = pointer === '' ? '' : `#${encodeURI(pointer)}`;
      return ajv.getSchema(`${String(schema['$id'])}${fragment}`) !== undefined;
    };
    const parts = ALL.filter((one) => one.name === name);
    expect(parts.filter(({ pointer }) => !compiles(pointer))).toEqual([]);
  });

  it.each(SCHEMA_NAMES)('%s describes itself and every property', (name) => {
    const parts = ALL.filter((one) => one.name === name);
    expect(at(name, '')).toMatchObject({
      title: expect.any(String),
      description: expect.any(String),
    });
    const bare = parts.filter(({ pointer, schema }) => {
      if (!/\/properties\/[^/]+$/.test(pointer) || name === 'errors' || '$ref' in schema)
        return false;
      if (/levelSummary|\/tool\/properties\/name$/.test(pointer)) return false;
      return !/^[A-Z0-9].*\.$/s.test(String(schema['description']));
    });
    expect(bare).toEqual([]);
  });

  // Alternatives make one wrong value several errors; a list of types says the same.
  it('have no alternatives, so that a wrong value is one error', () => {
    const text = JSON.stringify(SCHEMA_NAMES.map(schemaFile));
    for (const keyword of ['anyOf', 'oneOf', 'allOf', 'not', 'if']) {
      expect(text).not.toContain(`"${keyword}":`);
    }
  });

  it('refer to schemas that exist', () => {
    const references = ALL.filter(({ schema }) => '$ref' in schema);
    expect(references.length).toBeGreaterThan(60);
    for (const { name, schema } of references) expect(resolveSchema(schema, name)).toBeDefined();
  });

  it('forbid unknown settings at every level of a target file', () => {
    const objects = ALL.filter(
      ({ name, schema }) => name === 'target' && schema['type'] === 'object',
    );
    const open = objects.filter(({ schema }) => schema['additionalProperties'] !== false);
    expect(objects.length).toBeGreaterThan(8);
    expect(open.map(({ pointer }) => pointer)).toEqual(['/properties/http/properties/headers']);
  });
});

describe('values agree with the facts of the contract', () => {
  it.each(Object.entries(ERRORS))('codes of %s', (name, { code, twin }: ErrorCode) => {
    expect(at('errors', `/$defs/${name}`)).toMatchObject({
      properties: { code: { enum: [code, twin] } },
    });
  });

  it('has no error that §7 does not list', () => {
    expect(Object.keys(Object(schemaFile('errors')['$defs']))).toEqual([
      'body',
      ...Object.keys(ERRORS),
    ]);
  });

  it.each([
    ['results', '/$defs/outcome', OUTCOMES],
    ['results', '/$defs/exchange/properties/role', KEY_ROLES],
  ] as const)('%s%s', (name, pointer, values) => {
    expect(at(name, pointer)).toMatchObject({ enum: values });
  });

  it('text of the window', () => {
    const window = at('errors', '/$defs/tooManyRequests/properties/details/properties/window');
    expect(window).toMatchObject({ const: RATE_WINDOW_TEXT });
  });
});
