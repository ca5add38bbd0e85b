import { describe, expect, it } from 'vitest';
import {
  asFeatured,
  exchange,
  featured,
  item,
  items,
  judge,
  news,
  NOW,
  pointersOf,
  refusal,
} from '../../test/judge/news-exchanges.ts';
import { DAY } from '../../src/spec/time.ts';

describe('4.2/featured-excluded-fields', () => {
  it('reports each of the five fields once', () => {
    const good = featured(asFeatured(items(1, 5)));
    expect(pointersOf([good], '4.2/featured-excluded-fields')).toEqual([]);
    const list = asFeatured(items(1, 5)).map((one, index) =>
      index > 2 ? { ...one, like_count: 3, original_link: null } : one,
    );
    expect(pointersOf([featured(list)], '4.2/featured-excluded-fields')).toEqual([
      '/list/3/original_link',
      '/list/3/like_count',
    ]);
    expect(pointersOf([news(items(1, 5))], '4.2/featured-excluded-fields')).toBeUndefined();
  });
});

describe('4.2/order', () => {
  const answers = (list: unknown) => judge([news(list)]).readings.map(({ answer }) => answer);

  it('is recorded', () => {
    expect(answers(items(1, 5))).toEqual(['newest first']);
    expect(answers(items(1, 5).toReversed())).toEqual(['oldest first']);
    expect(answers([item(3), ...items(1, 2), ...items(4, 3)])).toEqual(['not by release_time']);
    expect(answers(items(1, 2))).toEqual([]);
  });
});

describe('4.2/category-filter', () => {
  const twos = items(1, 5, { category: 2 });

  it('reports news of another category', () => {
    expect(pointersOf([news(twos, { category: '2' })], '4.2/category-filter')).toEqual([]);
    const mixed = [...twos, item(9, { category: 3 })];
    expect(pointersOf([news(mixed, { category: '2' })], '4.2/category-filter')).toEqual([
      '/list/5/category',
    ]);
  });

  it('is not judged without news, or for an invalid category', () => {
    expect(pointersOf([news([], { category: '2' })], '4.2/category-filter')).toBeUndefined();
    expect(pointersOf([news(twos, { category: '5' })], '4.2/category-filter')).toBeUndefined();
    expect(pointersOf([news(twos, { category: '1,3' })], '4.2/category-filter')).toBeUndefined();
  });

  it('reports a filter that excludes everything', () => {
    const before = news(items(1, 10));
    const empty = news([], { category: '2' }, { after: 100 });
    expect(pointersOf([before, empty], '4.2/category-filter')).toEqual(['/list']);
    const earlier = news([], { category: '2' }, { after: -100 });
    expect(pointersOf([earlier, before], '4.2/category-filter')).toBeUndefined();
  });

  it('tolerates a language without news, until it is seen to have some', () => {
    const before = news(items(1, 10));
    const empty = news([], { category: '2', language: 'tc' }, { after: 100 });
    expect(pointersOf([before, empty], '4.2/category-filter')).toBeUndefined();
    const speaks = news(items(1, 3), { language: 'tc' }, { after: 200 });
    expect(pointersOf([before, empty, speaks], '4.2/category-filter')).toEqual(['/list']);
  });

  it('tolerates filters without common news', () => {
    const before = news(items(1, 10));
    const narrow = news([], { category: '2', currency_id: '9' }, { after: 100 });
    expect(pointersOf([before, narrow], '4.2/category-filter')).toBeUndefined();
    const none = news([], { category: '13' }, { after: 100 });
    expect(pointersOf([before, none], '4.2/category-filter')).toBeUndefined();
  });

  it('reports an empty range with known news, and a known currency', () => {
    const before = news(items(1, 10));
    const range = { start_time: String(NOW - 45 * 60_000), end_time: String(NOW) };
    const empty = news([], range, { after: 100 });
    expect(pointersOf([before, empty], '4.2/time-filter')).toEqual(['/list']);
    const beyond = { ...range, start_time: String(NOW - 30 * DAY) };
    const none = news([], beyond, { after: 100 });
    expect(pointersOf([before, none], '4.2/time-filter')).toBeUndefined();
    const old = {
      start_time: String(NOW - 30 * DAY),
      end_time: String(NOW - 9 * DAY),
    };
    expect(pointersOf([before, news([], old, { after: 100 })], '4.2/time-filter')).toBeUndefined();
    const currency = news([], { currency_id: '101' }, { after: 100 });
    expect(pointersOf([before, currency], '4.2/currency-filter')).toBeUndefined();
    const known = exchange(
      {},
      { endpoint: '/currencies/{currency_id}', pathParameters: { currency_id: '101' } },
    );
    expect(pointersOf([before, known, currency], '4.2/currency-filter')).toEqual(['/list']);
  });
});

describe('4.2/featured-category-filter and -list', () => {
  const ones = asFeatured(items(1, 5, { category: 1 }));
  const both = [...ones, ...asFeatured(items(6, 2, { category: 2 }))];
  const mixed = asFeatured(items(1, 30));

  it('accept news of the listed categories', () => {
    const answer = featured(both, { category: '1,2' });
    expect(pointersOf([answer], '4.2/featured-category-filter')).toEqual([]);
    expect(pointersOf([answer], '4.2/featured-category-list')).toEqual([]);
  });

  it('report news of another category', () => {
    const answer = featured(both, { category: '1,3' });
    expect(pointersOf([answer], '4.2/featured-category-filter')).toEqual(['/list/5/category']);
  });

  it('report a category missing from a whole list', () => {
    const first = mixed.filter(({ category }) => category === 1);
    const answer = featured(first, { category: '1,2' }, {}, first.length);
    const base = featured(mixed, { page_size: '100' });
    expect(pointersOf([base, answer], '4.2/featured-category-list')).toEqual(['/list']);
    expect(pointersOf([answer], '4.2/featured-category-list')).toBeUndefined();
    expect(pointersOf([answer], '4.2/featured-category-filter')).toEqual([]);
    const later = featured(mixed, { page_size: '100' }, { after: 60_000 });
    expect(pointersOf([answer, later], '4.2/featured-category-list')).toBeUndefined();
  });

  it('are inconclusive if the category may be on a later page', () => {
    const first = mixed.filter(({ category }) => category === 1);
    const answer = featured(first, { category: '1,2' });
    const base = featured(mixed, { page_size: '100' });
    expect(pointersOf([base, answer], '4.2/featured-category-list')).toBeUndefined();
  });
});

describe('4.2/currency-filter', () => {
  it('uses matched_currencies', () => {
    const list = [item(1), item(2, { matched_currencies: [{ id: '7', name: 'ETH' }] }), item(3)];
    expect(pointersOf([news([item(1)], { currency_id: '101' })], '4.2/currency-filter')).toEqual(
      [],
    );
    expect(pointersOf([news(list, { currency_id: '101' })], '4.2/currency-filter')).toEqual([
      '/list/1/matched_currencies',
    ]);
    expect(pointersOf([news([], { currency_id: '101' })], '4.2/currency-filter')).toBeUndefined();
  });

  it('reports the refusal of a currency known to other endpoints', () => {
    const known = exchange(
      {},
      { endpoint: '/currencies/{currency_id}', pathParameters: { currency_id: '101' } },
    );
    const refused = refusal(400, 400003, { currency_id: '101' });
    expect(pointersOf([known, refused], '4.2/currency-filter')).toEqual([null]);
    expect(pointersOf([refused], '4.2/currency-filter')).toBeUndefined();
  });
});

describe('4.2/project-filter', () => {
  const answer = (...exchanges: Parameters<typeof judge>[0]) =>
    judge(exchanges).readings.find(({ requirement }) => requirement === '4.2/project-filter')
      ?.answer;

  it('is recorded', () => {
    expect(answer(news(items(1, 3), { project_id: 'p' }))).toContain('BTC');
    expect(answer(news([], { project_id: 'p' }))).toBe('no news for this project');
    expect(answer(news(items(1, 3)), news(items(1, 3), { project_id: 'p' }))).toContain('nothing');
    expect(answer(refusal(400, 400001, { project_id: 'p' }))).toContain('refused');
    const apart = items(1, 3, { matched_currencies: [] });
    expect(answer(news(apart, { project_id: 'p' }))).toContain('no field');
  });
});

describe('hostile answers', () => {
  const deep = '['.repeat(2000) + ']'.repeat(2000);
  const bodies: readonly unknown[] = [
    '',
    'null',
    '[]',
    '{}',
    '"text"',
    '<html>',
    '{"list":null}',
    '{"list":{}}',
    '{"list":[null,1,"a",[],{}]}',
    `{"list":[${deep}]}`,
    { list: items(1, 9, { id: null, content: null, title: {}, quote_info: [] }) },
    { list: items(1, 9, { id: 5, matched_currencies: [null, 3, { id: null }], category: 'x' }) },
    { list: items(1, 9, { release_time: '1', content: '<', author_description: 4 }) },
    { list: items(1, 9, { release_time: 1e300, quote_info: { content: 9, like_count: 'x' } }) },
  ];

  it.each(bodies.map((body) => [JSON.stringify(body).slice(0, 60), body] as const))(
    'never make a rule throw: %s',
    (_, body) => {
      const queries = [
        {},
        { language: 'zh' },
        { category: '2' },
        { category: '1,2', page: '1', page_size: '20' },
        { currency_id: '1', project_id: '2' },
        { language: '', category: ',' },
      ];
      const exchanges = (['/news', '/news/featured'] as const).flatMap((endpoint) =>
        queries.map((query) => exchange(body, { endpoint, query })),
      );
      expect(() => judge(exchanges)).not.toThrow();
    },
  );
});
