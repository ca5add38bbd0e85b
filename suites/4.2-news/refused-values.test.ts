import { describe, expect, it } from 'vitest';
import type { EndpointPath } from '../../src/spec/endpoints.ts';
import {
  exchange,
  items,
  judge,
  judgedOf,
  news,
  pointersOf,
  refusal,
} from '../../test/judge/news-exchanges.ts';

describe('unknown language and category', () => {
  it.each(['language', 'category'] as const)('%s is refused, or a fallback is recorded', (name) => {
    const id = `4.2/${name}-unknown` as const;
    const query = { [name]: name === 'language' ? 'xx' : '99' };
    for (const one of [refusal(400, 400003, query), news(items(1, 3), query), news([], query)]) {
      const { requirements, readings } = judge([one]);
      expect(requirements.get(id)?.findings).toEqual([]);
      expect(readings.filter(({ requirement }) => requirement === id)).toHaveLength(1);
    }
    expect(pointersOf([refusal(404, 400401, query)], id)).toEqual([null]);
    expect(pointersOf([refusal(500, 500001, query)], id)).toEqual([null]);
    expect(pointersOf([refusal(503, 500301, query)], id)).toBeUndefined();
    expect(pointersOf([refusal(429, 402901, query)], id)).toBeUndefined();
  });

  it('are refused alike between the listed categories', () => {
    const id = '4.2/category-unknown';
    const six = refusal(400, 400003, { category: '6' });
    expect(pointersOf([six, news([], { category: '5' })], id)).toEqual([null]);
    const beyond = refusal(400, 400003, { category: '99' });
    expect(pointersOf([beyond, news([], { category: '5' })], id)).toEqual([]);
    expect(pointersOf([news([], { category: '6' }), news([], { category: '5' })], id)).toEqual([]);
  });

  it('are inconclusive if something else is unusual too', () => {
    const both = refusal(404, 400401, { language: 'xx', page: '0' });
    expect(judgedOf([both], '4.2/language-unknown')).toBeUndefined();
  });
});

describe('a listed value', () => {
  const named = (name: string, query: Readonly<Record<string, string>>, endpoint?: EndpointPath) =>
    exchange(
      { code: 400003, message: `Invalid parameter: ${name}`, details: { field: name } },
      { query, status: 400, ...(endpoint === undefined ? {} : { endpoint }) },
    );
  const odd = { page_size: 'abc', language: 'ru', category: '7' };

  it('is never the reason for a refusal', () => {
    expect(pointersOf([named('page_size', odd)], '4.2/language')).toBeUndefined();
    expect(pointersOf([named('language', odd)], '4.2/language')).toEqual(['/message']);
    expect(pointersOf([named('category', odd)], '4.2/category-filter')).toEqual(['/message']);
    const featuredOne = named('category', odd, '/news/featured');
    expect(pointersOf([featuredOne], '4.2/featured-category-filter')).toEqual(['/message']);
    const list = named('category', { ...odd, category: '1,3' }, '/news/featured');
    expect(pointersOf([list], '4.2/featured-category-list')).toEqual(['/message']);
  });

  it('is distinguished from an unlisted one', () => {
    expect(pointersOf([named('language', { language: 'xx' })], '4.2/language')).toBeUndefined();
    const several = named('category', { category: '1,3' });
    expect(pointersOf([several], '4.2/category-filter')).toBeUndefined();
  });
});
