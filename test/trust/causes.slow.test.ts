import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Answer, Context, Hooks } from '../../src/reference/hooks.ts';
import { ERRORS } from '../../src/spec/error-codes.ts';
import { createReference, movableClock } from '../../src/reference/reference.ts';
import { onAnswer } from '../../src/reference/vocabulary.ts';
import type { Json, JsonObject } from '../../src/reference/world.ts';
import { groupCauses } from '../../src/report/analysis/causes.ts';
import type { Results } from '../../src/report/model/results.ts';
import { assay, scratch } from '../cli/assay.ts';
import { WORLD } from '../kept/data.ts';

const served = ({ status }: Answer): boolean => status === 200;
const refused = ({ status }: Answer): boolean => status >= 400;
const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Changes every object of a body, whatever it is in. */
function everywhere(value: Json, change: (object: JsonObject) => JsonObject): Json {
  if (Array.isArray(value)) return value.map((one) => everywhere(one, change));
  if (!isObject(value)) return value;
  return change(
    Object.fromEntries(Object.entries(value).map(([name, one]) => [name, everywhere(one, change)])),
  );
}

const inArea =
  (area: string) =>
  (_answer: Answer, { endpoint }: Context): boolean =>
    endpoint?.startsWith(area) === true;

const NOT_FOUND = '<html><body><h1>404 Not Found</h1></body></html>';

/** A server with one defect, as they really occur; what the first cause has to say, and how many causes there may be. */
interface Defect {
  readonly hooks?: Hooks;
  /** Ids of faults of the reference server, where one of them is the defect. */
  readonly faults?: readonly string[];
  readonly first: RegExp;
  readonly most: number;
}

const DEFECTS: Readonly<Record<string, Defect>> = {
  'bodies of an area are not JSON': {
    hooks: onAnswer(
      (answer, context) => served(answer) && inArea('/etfs')(answer, context),
      (answer) => ({ ...answer, text: '---\nrows: 1\n' }),
    ),
    first: /^Bodies are not JSON/,
    most: 1,
  },
  'bodies are wrapped in data alone': {
    hooks: onAnswer(served, (answer) => ({ ...answer, value: { data: answer.value } })),
    first: /^Bodies are wrapped/,
    most: 1,
  },
  'bodies are wrapped in code, message, data': {
    hooks: onAnswer(served, (answer) => ({
      ...answer,
      value: { code: 0, message: 'success', data: answer.value },
    })),
    first: /^Bodies are wrapped/,
    most: 1,
  },
  'an area is not routed': {
    hooks: onAnswer(inArea('/news'), (answer) => ({
      ...answer,
      status: 404,
      headers: { ...answer.headers, 'content-type': 'text/html' },
      text: NOT_FOUND,
    })),
    first: /^GET \/news.* are missing/,
    most: 1,
  },
  'an area knows no resource': {
    hooks: onAnswer(
      (answer, context) => served(answer) && inArea('/etfs')(answer, context),
      (answer) => ({
        ...answer,
        status: ERRORS.notFound.status,
        value: { code: ERRORS.notFound.code, message: 'Resource not found', details: {} },
      }),
    ),
    first: /\/etfs/,
    most: 3,
  },
  'error codes are the statuses': {
    hooks: onAnswer(refused, (answer) => ({
      ...answer,
      value: isObject(answer.value) ? { ...answer.value, code: answer.status } : answer.value,
    })),
    first: /^Error bodies have custom codes/,
    most: 1,
  },
  'the items of pages have another name': {
    faults: ['omit-page-list'],
    first: /`list` of the page is not an array/,
    most: 1,
  },
  'errors have another body': {
    hooks: onAnswer(refused, (answer) => ({
      ...answer,
      value: { error: { message: 'no', status: answer.status } },
    })),
    first: /^Error bodies do not have the shape/,
    most: 1,
  },
  'times of candles are in seconds': {
    hooks: onAnswer(served, (answer) => ({
      ...answer,
      value: everywhere(answer.value, (object) =>
        'close' in object ? { ...object, timestamp: Number(object['timestamp']) / 1000 } : object,
      ),
    })),
    first: /timestamp/,
    most: 5,
  },
  'answers say HTML': {
    hooks: onAnswer(
      () => true,
      (answer) => ({ ...answer, headers: { ...answer.headers, 'content-type': 'text/html' } }),
    ),
    first: /answered with JSON but without/,
    most: 1,
  },
  'refusals lack their headers': {
    hooks: onAnswer(
      ({ status }) => status === 429,
      (answer) => ({
        ...answer,
        headers: Object.fromEntries(
          Object.entries(answer.headers).filter(([name]) => !name.startsWith('x-ratelimit-')),
        ),
      }),
    ),
    first: /^The refusal lacks/,
    most: 1,
  },
  'the page is ignored': { faults: ['pairs-page-ignored'], first: /page/, most: 4 },
  'disabled keys are let in': {
    hooks: { key: (key) => (key?.state === 'disabled' ? { ...key, state: 'active' } : key) },
    first: /disabled key/,
    most: 2,
  },
};

describe('the report of one defect puts its cause first', () => {
  it.each(Object.entries(DEFECTS))('%s', async (what, { hooks, faults = [], first, most }) => {
    const reference = createReference({
      clock: movableClock(),
      world: WORLD,
      control: true,
      faults,
      modifications: hooks === undefined ? [] : [{ hooks }],
    });
    const server = await reference.listen();
    try {
      const file = path.join(scratch, `${what}.json`);
      writeFileSync(file, JSON.stringify(reference.targetFile(server.baseUrl)));
      const { code, text } = await assay(['run', '-t', file, '--output', what]);
      expect(code, text).toBeLessThan(2);
      const written = readFileSync(path.join(scratch, what, 'results.json'), 'utf8');
      const causes = groupCauses(JSON.parse(written) as Results);
      expect(causes[0]?.message).toMatch(first);
      expect(causes.length).toBeLessThanOrEqual(most);
    } finally {
      await server.close();
    }
  });
});
