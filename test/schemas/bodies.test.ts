import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../src/spec/error-codes.ts';
import type { ErrorName } from '../../src/spec/error-codes.ts';
import { PAGE_FIELDS } from '../../src/spec/resources.ts';
import { schemaFile } from '../../src/judge/schema/schema-files.ts';
import {
  sentenceOf,
  fieldRequirement,
  validateBody,
  validate,
} from '../../src/judge/schema/schemas.ts';
import { changed, sample } from './samples.ts';

describe('bodies', () => {
  const kline = { kind: 'array', resource: 'kline' } as const;
  const pairs = { kind: 'page', resource: 'trading-pair' } as const;

  it('folds records with the same problem into one', () => {
    const rows = Array.from({ length: 500 }, () => ({ ...sample('kline'), close: '1' }));
    const problems = validateBody(kline, rows);
    expect(problems).toMatchObject([{ pointer: '/0/close', alike: 499, breaks: '2.4/close' }]);
    expect(problems.map(sentenceOf)).toEqual([
      '`[0].close` is "1" (string); expected a JSON number (499 more)',
    ]);
  });

  it('counts what a record folded already', () => {
    const tags = { ...sample('news-item'), tags: [1, 2] };
    const body = { list: [tags, tags], page: 1, page_size: 20, total: 2 };
    expect(validateBody({ kind: 'page', resource: 'news-item' }, body)).toMatchObject([
      { pointer: '/list/0/tags/0', alike: 3, breaks: '2.7/tags' },
    ]);
  });

  it('keeps different problems of one field apart', () => {
    const rows = [
      { ...sample('kline'), timestamp: '1' },
      { ...sample('kline'), timestamp: 1 },
    ];
    expect(validateBody(kline, rows).map((one) => one.pointer)).toEqual([
      '/0/timestamp',
      '/1/timestamp',
    ]);
  });

  it('judges the envelope and the records', () => {
    const record = { ...sample('trading-pair'), price: null };
    const body = { list: [sample('trading-pair'), record], page: 1, page_size: '20' };
    expect(validateBody(pairs, body).map((one) => [one.pointer, one.breaks])).toEqual([
      ['/total', '2.5/page-total'],
      ['/page_size', '2.5/page-page-size'],
      ['/list/1/price', '2.5/price'],
    ]);
  });

  it('names a body of the wrong kind, and a record of the wrong kind', () => {
    expect(validateBody(kline, { list: [] })).toMatchObject([
      { pointer: '', expected: 'an array', actual: 'an object with "list"', breaks: undefined },
    ]);
    expect(validateBody(kline, [null])).toMatchObject([{ pointer: '/0', breaks: undefined }]);
    expect(validateBody(pairs, [])).toMatchObject([{ pointer: '', expected: 'an object' }]);
    expect(validateBody({ kind: 'object', resource: 'chart' }, null)).toHaveLength(1);
  });

  it('never judges what the specification does not state', () => {
    expect(validateBody({ kind: 'unstated' }, 'anything')).toEqual([]);
  });

  it.each(PAGE_FIELDS)('asks for $path of a page', ({ path, id }) => {
    const page = { list: [], page: 1, page_size: 20, total: 0 };
    expect(validate('page', page)).toEqual([]);
    for (const value of [undefined, null, true]) {
      expect(validate('page', changed(page, path, value)).map((one) => one.pointer)).toEqual([
        path,
      ]);
    }
    expect(fieldRequirement('page', path)).toBe(id);
  });
});

describe('fieldRequirement', () => {
  it.each([
    ['/fundraising_rounds', '2.6/fundraising-rounds'],
    ['/fundraising_rounds/3', '2.6/round-item'],
    ['/fundraising_rounds/3/investors', '2.6/round-item'],
    ['/fundraising_rounds/3/investors/0/type', '2.6/round-investor'],
    ['/investment_stats/total_rounds', '2.6/investment-stats'],
  ])('attributes %s to %s', (pointer, id) => {
    expect(fieldRequirement('fundraising', pointer)).toBe(id);
  });

  it('has nothing for the record as a whole or for unknown places', () => {
    expect(fieldRequirement('kline', '')).toBeUndefined();
    expect(fieldRequirement('kline', '/opening')).toBeUndefined();
  });
});

describe('errors', () => {
  const names = Object.keys(ERRORS) as ErrorName[];
  const definitions = schemaFile('errors')['$defs'] as Record<string, { examples: unknown[] }>;
  const example = (name: ErrorName): unknown => definitions[name]?.examples[0];

  it.each(names)('takes both forms of the code of %s and no other', (name) => {
    expect(validate('errors', example(name), `#/$defs/${name}`)).toEqual([]);
    expect(validate('errors', example(name))).toEqual([]);
    expect(
      validate('errors', changed(example(name), '/code', ERRORS[name].twin), `#/$defs/${name}`),
    ).toEqual([]);
    const other = name === 'internal' ? ERRORS.unavailable.code : ERRORS.internal.code;
    expect(
      validate('errors', changed(example(name), '/code', other), `#/$defs/${name}`),
    ).toMatchObject([{ pointer: '/code', keyword: 'enum' }]);
    expect(validate('errors', changed(example(name), '/code', other))).toEqual([]);
  });

  it.each(['code', 'message', 'details'])('asks for %s of every error', (key) => {
    for (const name of [undefined, ...names]) {
      const body = example(name ?? 'internal');
      for (const value of [undefined, null, true]) {
        const problems = validate(
          'errors',
          changed(body, `/${key}`, value),
          name && `#/$defs/${name}`,
        );
        expect(problems.map((one) => one.pointer)).toEqual([`/${key}`]);
      }
    }
  });

  it.each(['invalidKey', 'expiredKey'] as const)('asks %s to name the key header', (name) => {
    expect(
      validate('errors', changed(example(name), '/details', {}), `#/$defs/${name}`),
    ).toMatchObject([{ pointer: '/details/header', keyword: 'required' }]);
  });

  it.each([
    ['limit', '20'],
    ['window', '60'],
    ['retry_after', '42'],
    ['retry_after', 1.5],
    ['limit', undefined],
    ['window', undefined],
    ['retry_after', undefined],
  ])('refuses details.%s = %j of the rate limit', (key, value) => {
    const body = changed(example('tooManyRequests'), `/details/${key}`, value);
    expect(validate('errors', body, '#/$defs/tooManyRequests').map((one) => one.pointer)).toEqual([
      `/details/${key}`,
    ]);
  });
});
