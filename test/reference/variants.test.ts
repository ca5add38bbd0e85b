import { assert, constantFrom, option, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listVariants } from '../../src/reference/reference.ts';
import { goodPaths, start } from './client.ts';
import { firstDifference } from './probes.ts';

const CLEAR = listVariants().filter((variant) => variant.envelope === undefined);

/** A currency may have no token economics and no project (ruling 11). */
const mayAnswer = (path: string): readonly number[] =>
  /\/(token-economics|fundraising)$/.test(path) ? [200, 404] : [200];

describe('every variant', () => {
  it.each(listVariants().map((variant) => variant.id))('%s changes an answer', (id) => {
    expect(firstDifference({ variants: [id] })).toBeDefined();
  });

  it.each(CLEAR.map((variant) => variant.id))('%s answers all endpoints', (id) => {
    const { get } = start({ variants: [id] });
    for (const path of goodPaths()) expect(mayAnswer(path), path).toContain(get(path).status);
  });
});

describe('combinations of variants', () => {
  it('answer all endpoints and keep the error shape', () => {
    const questions = [...new Set(CLEAR.map((variant) => variant.question))];
    const choices = questions.map((question) =>
      option(constantFrom(...CLEAR.filter((variant) => variant.question === question)), {
        nil: undefined,
      }),
    );
    assert(
      property(tuple(...choices), (drawn) => {
        const variants = drawn.flatMap((variant) => (variant === undefined ? [] : [variant.id]));
        const { get } = start({ variants });
        for (const path of goodPaths()) expect(mayAnswer(path), path).toContain(get(path).status);
        for (const path of ['/nope', '/currencies/1', '/currencies/abc']) {
          const value = JSON.parse(get(path).body) as Record<string, unknown>;
          expect(value).toMatchObject({
            code: expect.any(Number) as number,
            message: expect.any(String) as string,
            details: expect.any(Object) as object,
          });
        }
      }),
      { numRuns: 15 },
    );
  });
});

describe('single variants', () => {
  it('write decimals as strings without changing their value', () => {
    const path = '/etfs/summary-history?symbol=BTC&country_code=US';
    const plain = start().body(path) as unknown as Record<string, number>[];
    const text = start({ variants: ['decimals-as-strings'] }).body(path) as unknown as Record<
      string,
      string
    >[];
    expect(text.map((row) => Number(row['cum_net_inflow']))).toEqual(
      plain.map((row) => row['cum_net_inflow']),
    );
    expect(text[0]?.['cum_net_inflow']).toMatch(/^-?\d+(\.\d+)?$/);
  });

  it('clamp and say so', () => {
    const { body } = start({ variants: ['over-limit-clamped'] });
    expect(body('/news?page_size=5000&page=-3')).toMatchObject({ page_size: 100, page: 1 });
    expect(body('/news/featured?page=0&page_size=5')).toMatchObject({ page_size: 20, page: 1 });
  });

  it('give 200 news at most', () => {
    const { body, get } = start({ variants: ['news-200'] });
    expect(body('/news?page_size=200')['list']).toHaveLength(200);
    expect(get('/news?page_size=201').status).toBe(400);
  });

  it('refuse or empty a range beyond the window', () => {
    const path = '/etfs/summary-history?symbol=BTC&country_code=US&start_date=2020-01-01';
    expect(start({ variants: ['range-refused'] }).get(path).status).toBe(400);
    expect(start({ variants: ['range-refused-403'] }).get(path).status).toBe(403);
    expect(start({ variants: ['range-empty'] }).get(path).body).toBe('[]');
  });

  it('use five digits in every code', () => {
    const { body } = start({ variants: ['five-digit-codes'] });
    const codes = [body('/nope'), body('/currencies/abc'), body('/etfs', null)].map(
      (value) => value['code'],
    );
    expect(codes).toEqual([40402, 40001, 40101]);
  });
});
