import { readFileSync } from 'node:fs';
import { compileErrors, validate as readmeValidate } from '@readme/openapi-parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { describe, expect, it } from 'vitest';
import { endpoint, ENDPOINT_PATHS } from '../../src/spec/endpoints.ts';
import { ERRORS } from '../../src/spec/error-codes.ts';
import type { ErrorCode } from '../../src/spec/error-codes.ts';
import { RATE_HEADERS } from '../../src/spec/limits.ts';
import { openApiText } from '../../src/openapi/document.ts';
import type { Node } from '../../src/openapi/node.ts';
import { SAMPLES } from './samples.ts';

const file = readFileSync(new URL('../../schemas/openapi.json', import.meta.url), 'utf8');
const document = JSON.parse(openApiText()) as Node;

/** The part of the document at a JSON pointer, with references followed. */
function at(pointer: string): Node {
  let node: unknown = document;
  for (const key of pointer.split('/').slice(1)) {
    node = follow((node as Node)[key.replaceAll('~1', '/').replaceAll('~0', '~')]);
  }
  return node as Node;
}

function follow(node: unknown): unknown {
  const reference = (node as Node | undefined)?.['$ref'];
  return typeof reference === 'string' ? at(reference.slice(1)) : node;
}

function operation(path: string): Node {
  return at(`/paths/${path.replaceAll('/', '~1')}/get`);
}

function content(path: string, status: number): Node {
  return at(
    `/paths/${path.replaceAll('/', '~1')}/get/responses/${status}/content/application~1json`,
  );
}

function statuses(path: string): string[] {
  return Object.keys(at(`/paths/${path.replaceAll('/', '~1')}/get/responses`));
}

function codes(all: readonly ErrorCode[]): number[] {
  return all.flatMap((one) => [one.code, one.twin]);
}

function every(node: unknown, visit: (node: Node) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) visit(node as Node);
  for (const inner of Object.values(node)) every(inner, visit);
}

const ajv = new Ajv2020({
  strict: false,
  formats: { date: fullFormats.date, int64: true },
});
ajv.addSchema({ ...document, $id: 'https://assay.example/openapi' });

/** What ajv has against a value, with references resolved in the document. */
function complaints(schema: unknown, value: unknown): readonly unknown[] {
  const text = JSON.stringify(schema).replaceAll('"#/', '"https://assay.example/openapi#/');
  const check = ajv.compile(JSON.parse(text) as Node);
  return check(value) ? [] : (check.errors ?? []);
}

interface Example {
  readonly where: unknown;
  readonly schema: unknown;
  readonly value: unknown;
}

/** Every example beside a schema: of parameters and of bodies. */
function examples(): Example[] {
  const found: Example[] = [];
  every(document, (node) => {
    if (typeof node['schema'] !== 'object' || typeof node['examples'] !== 'object') return;
    for (const example of Object.values(node['examples'] as Node)) {
      const where = node['name'] ?? node['schema'];
      found.push({ where, schema: node['schema'], value: (example as Node)['value'] });
    }
  });
  return found;
}

describe('openapi.json', () => {
  it('is up to date (`npm run generate` writes it)', () => {
    expect(file).toBe(openApiText());
  });

  it('keeps the schema of OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document));
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('is accepted by a second parser', async () => {
    const result = await readmeValidate(structuredClone(document) as never);
    expect(result.valid ? '' : compileErrors(result)).toBe('');
  });

  it('is one file: every reference leads to a component', () => {
    const references: string[] = [];
    const beside: string[] = [];
    every(document, (node) => {
      const reference = node['$ref'];
      if (typeof reference !== 'string') return;
      references.push(reference);
      beside.push(...Object.keys(node).filter((key) => key !== '$ref' && key !== 'description'));
    });
    expect(references.length).toBeGreaterThan(300);
    expect(references.filter((one) => !one.startsWith('#/components/'))).toEqual([]);
    expect(references.filter((one) => typeof at(one.slice(1)) !== 'object')).toEqual([]);
    expect(beside).toEqual([]);
    expect(file).not.toContain('"$id"');
  });

  it('has no component that nothing refers to', () => {
    for (const [section, parts] of Object.entries(at('/components'))) {
      if (section === 'securitySchemes') continue;
      for (const name of Object.keys(parts as Node)) {
        expect(file).toContain(`"#/components/${section}/${name}"`);
      }
    }
  });

  it('has an operation for each endpoint, each named once', () => {
    const ids = ENDPOINT_PATHS.map((path) => operation(path)['operationId']);
    expect(Object.keys(at('/paths'))).toEqual(ENDPOINT_PATHS);
    expect(new Set(ids).size).toBe(ENDPOINT_PATHS.length);
    for (const path of ENDPOINT_PATHS) {
      expect(Object.keys(at('/paths')).filter((one) => one === path)).toHaveLength(1);
      expect(operation(path)['tags']).toEqual([expect.any(String)]);
    }
  });

  it('asks for the key on every operation', () => {
    expect(document['security']).toEqual([{ ApiKey: [] }]);
    expect(at('/components/securitySchemes/ApiKey')).toMatchObject({
      type: 'apiKey',
      in: 'header',
      name: 'X-API-KEY',
    });
    for (const path of ENDPOINT_PATHS) expect(operation(path)).not.toHaveProperty('security');
  });
});

describe('parameters', () => {
  it.each(ENDPOINT_PATHS)('are those of %s', (path) => {
    const facts = endpoint(path);
    const listed = (operation(path)['parameters'] ?? []) as Node[];
    const names = (where: string): unknown[] =>
      listed.filter((one) => one['in'] === where).map((one) => one['name']);
    expect(names('path')).toEqual(Object.keys(facts.path));
    expect(names('query')).toEqual(Object.keys(facts.query));
    for (const one of listed.filter((parameter) => parameter['in'] === 'query')) {
      const stated = facts.query[String(one['name'])];
      const schema = one['schema'] as Node;
      expect(one['required']).toBe(stated?.required === true);
      expect(schema['maximum'] ?? null).toBe(
        stated?.type === 'timestamp' ? 999_999_999_999_999 : (stated?.maximum ?? null),
      );
      expect(schema['default'] ?? null).toBe(stated?.default ?? null);
    }
    for (const one of listed.filter((parameter) => parameter['in'] === 'path')) {
      expect(one['required']).toBe(true);
      expect(one['examples'], 'generated requests need ids that exist').toBeDefined();
    }
  });

  it('take symbols and countries in any case, and nothing else', () => {
    const listed = operation('/etfs/summary-history')['parameters'] as Node[];
    const symbol = listed.find((one) => one['name'] === 'symbol')?.['schema'];
    const country = listed.find((one) => one['name'] === 'country_code')?.['schema'];
    for (const value of ['BTC', 'btc', 'Btc', 'dot']) expect(complaints(symbol, value)).toEqual([]);
    for (const value of ['', 'BT', 'BTCX', 'XBTC', 'BTC ']) {
      expect(complaints(symbol, value)).not.toEqual([]);
    }
    expect(complaints(country, 'hK')).toEqual([]);
    expect(complaints(country, 'CN')).not.toEqual([]);
  });
});

describe('responses', () => {
  it.each([400, 401, 403, 404, 429, 500, 503])('knows the codes of %i', (status) => {
    const schema = content('/currencies/{currency_id}', status)['schema'];
    const details = { header: 'X-API-KEY', limit: 20, window: '60s', retry_after: 1 };
    const accepted = codes(Object.values(ERRORS)).filter(
      (code) => complaints(schema, { code, message: 'm', details }).length === 0,
    );
    expect(accepted).toEqual(codes(Object.values(ERRORS).filter((one) => one.status === status)));
    expect(complaints(schema, {})).not.toEqual([]);
  });

  it('asks the rate limit for its details and headers', () => {
    const { schema } = content('/news', 429);
    expect(complaints(schema, { code: 42901, message: 'm', details: {} })).not.toEqual([]);
    for (const [status, required] of [
      ['429', true],
      ['200', false],
      ['401', false],
    ] as const) {
      const headers = at(`/paths/~1news/get/responses/${status}/headers`);
      const names = Object.keys(headers).map((name) => name.toLowerCase());
      expect(names).toEqual(Object.values(RATE_HEADERS));
      for (const header of Object.values(headers)) {
        expect(follow(header)).toMatchObject({ required });
      }
    }
  });

  it('leaves out answers that nothing in the request can cause', () => {
    expect(statuses('/analyses')).toEqual(['200', '401', '403', '429', '500', '503']);
    expect(statuses('/news')).toContain('404');
    expect(statuses('/news/search')).toContain('400');
    expect(statuses('/etfs/summary-history')).not.toContain('404');
  });

  it('asks for the fields of §2 in arrays and pages', () => {
    const klines = content('/crypto-stocks/{stock_ticker}/klines', 200)['schema'];
    expect(complaints(klines, [SAMPLES.kline])).toEqual([]);
    expect(complaints(klines, [{ ...SAMPLES.kline, close: '1' }])).not.toEqual([]);
    expect(
      complaints(
        klines,
        Array.from({ length: 501 }, () => SAMPLES.kline),
      ),
    ).not.toEqual([]);
    const news = content('/news', 200)['schema'];
    const page = { list: [SAMPLES['news-item']], page: 1, page_size: 20, total: 1 };
    expect(complaints(news, page)).toEqual([]);
    expect(complaints(news, { ...page, total: '1' })).not.toEqual([]);
    expect(complaints(news, { ...page, list: [SAMPLES['featured-news-item']] })).not.toEqual([]);
  });

  it('carries only examples that keep their schemas', () => {
    const found = examples();
    expect(found.length).toBeGreaterThan(70);
    const wrong = found.filter(({ schema, value }) => complaints(schema, value).length > 0);
    expect(wrong).toEqual([]);
  });

  it('links to operations that exist, with all parameters that they require', () => {
    let count = 0;
    for (const path of ENDPOINT_PATHS) {
      const links = at(`/paths/${path.replaceAll('/', '~1')}/get/responses/200`)['links'] ?? {};
      for (const link of Object.values(links) as Node[]) {
        count += 1;
        const to = ENDPOINT_PATHS.find(
          (one) => operation(one)['operationId'] === link['operationId'],
        );
        if (to === undefined) throw new Error(`no operation ${String(link['operationId'])}`);
        const required = (operation(to)['parameters'] as Node[])
          .filter((one) => one['required'] === true)
          .map((one) => one['name']);
        expect(Object.keys(link['parameters'] as Node)).toEqual(required);
      }
    }
    expect(count).toBeGreaterThan(15);
  });
});
