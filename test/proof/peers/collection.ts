import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { distinct } from './tool.ts';
import type { Tool } from './tool.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Document {
  readonly paths: Readonly<
    Record<string, { readonly get: { readonly parameters?: readonly Parameter[] } }>
  >;
}

/** Longest time that one request may take, ms. */
const REQUEST_MS = 10_000;

/**
 * What a collection of requests with generated tests does: one valid request for each operation, judged by status,
 * content type and the schema of the document.
 */
export function collectionTool(documentFile: string, documentTitle: string): Tool {
  let collection: Promise<Collection> | undefined;
  return {
    id: 'collection',
    title: 'Schema and status only',
    version: 'ajv 2020-12',
    command: `one GET for each operation of ${documentTitle} with its first examples; status 200, application/json, schema`,
    open: true,
    random: false,
    async run(server, { signal }) {
      collection ??= load(documentFile);
      const { document, check } = await collection;
      const failures: string[] = [];
      for (const [path, { get }] of Object.entries(document.paths)) {
        const response = await fetch(server.baseUrl + firstExample(path, get.parameters ?? []), {
          headers: { 'X-API-KEY': server.key },
          signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
        });
        const text = await response.text();
        if (response.status !== 200) {
          failures.push(`GET ${path} status ${response.status}`);
          continue;
        }
        const type = response.headers.get('content-type') ?? '';
        if (!/^application\/json\b/.test(type)) failures.push(`GET ${path} content type`);
        failures.push(...check(path, text).map((failure) => `GET ${path} ${failure}`));
      }
      return { failures: distinct(failures) };
    },
  };
}

/** Judges the body of an answer to a path; gives what is wrong with it. */
type Check = (path: string, text: string) => string[];

/** One request for each operation, and what judges the answers. */
export interface Collection {
  readonly document: Document;
  readonly check: Check;
}

/** Reads the document once for all runs: its schemas take longer to compile than the requests to send. */
async function load(file: string): Promise<Collection> {
  return collectionOf(JSON.parse(await readFile(file, 'utf8')) as Document);
}

/** The collection that is made of a document. */
export const collectionOf = (document: Document): Collection => ({
  document,
  check: validator(document),
});

/** Path and required query of the first valid request that the examples give. */
export function firstExample(path: string, parameters: readonly Parameter[]): string {
  const valueOf = ({ examples = {} }: Parameter): string => {
    const [first] = Object.values(examples);
    const value = first?.value;
    if (Array.isArray(value)) return value.join(',');
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  const query = new URLSearchParams();
  let filled = path;
  for (const parameter of parameters) {
    if (parameter.in === 'path') {
      filled = filled.replace(`{${parameter.name}}`, encodeURIComponent(valueOf(parameter)));
    } else if (parameter.required === true) query.set(parameter.name, valueOf(parameter));
  }
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}

/** Judges a body by the schema of the operation; failures are named by place and keyword, array indexes left out. */
function validator(document: Document): Check {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true, logger: false });
  ajvFormats.default(ajv);
  ajv.addSchema({ ...document, $id: 'https://bench.invalid/openapi' });
  const compiled = new Map<string, ValidateFunction>();
  const schemaOf = (path: string): ValidateFunction => {
    const known = compiled.get(path);
    if (known !== undefined) return known;
    const place = `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/get/responses/200/content/application~1json/schema`;
    const validate = ajv.compile({ $ref: `https://bench.invalid/openapi#${encodeURI(place)}` });
    compiled.set(path, validate);
    return validate;
  };
  return (path, text) => {
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return ['no JSON'];
    }
    const validate = schemaOf(path);
    if (validate(body)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, keyword }) => `${instancePath.replaceAll(/\/\d+/g, '/*')} ${keyword}`,
    );
  };
}
