import { describe, expect, it } from 'vitest';
import {
  exchange,
  item,
  items,
  judge,
  news,
  NOW,
  pointersOf,
  type Item,
} from '../../test/rules/news-exchanges.ts';

describe('2.7/id-unique', () => {
  it('finds the second of two', () => {
    expect(pointersOf([news(items(1, 5))], '2.7/id-unique')).toEqual([]);
    expect(pointersOf([news([...items(1, 3), item(2)])], '2.7/id-unique')).toEqual(['/list/3/id']);
    expect(pointersOf([news([item(1)])], '2.7/id-unique')).toBeUndefined();
  });

  it('points into a body in an envelope', () => {
    const body = { code: 0, message: 'ok', data: { list: [item(1), item(1)] } };
    const findings = judge([exchange(body)], 'data').requirements.get('2.7/id-unique')?.findings;
    expect(findings?.map(({ pointer }) => pointer)).toEqual(['/data/list/1/id']);
  });
});

describe('2.7/counts-non-negative', () => {
  it('looks at the item and at the post that it quotes', () => {
    expect(pointersOf([news(items(1, 2))], '2.7/counts-non-negative')).toEqual([]);
    const list = [item(1, { quote_info: { like_count: -2 } }), item(2, { like_count: -1 })];
    expect(pointersOf([news(list)], '2.7/counts-non-negative')).toEqual([
      '/list/0/quote_info/like_count',
    ]);
  });
});

describe('2.7/release-not-future', () => {
  it('allows for clocks that differ a little', () => {
    const near = news([item(1, { release_time: NOW + 300_000 })]);
    expect(pointersOf([near], '2.7/release-not-future')).toEqual([]);
    const far = news([item(1), item(2, { release_time: NOW + 3_600_000 })]);
    expect(pointersOf([far], '2.7/release-not-future')).toEqual(['/list/1/release_time']);
  });

  it('goes by the clock of the target', () => {
    const headers = { date: new Date(NOW + 3_600_000).toUTCString() };
    const ahead = news([item(1, { release_time: NOW + 3_500_000 })], {}, { headers });
    expect(pointersOf([ahead], '2.7/release-not-future')).toEqual([]);
  });
});

describe('2.7/urls', () => {
  it('takes http, https and nothing', () => {
    const links = { source_link: 'HTTP://a.example', original_link: '', feature_image: '' };
    expect(pointersOf([news([item(1, links)])], '2.7/urls')).toEqual([]);
    const list = [item(1), item(2, { feature_image: '/cover.png' })];
    expect(pointersOf([news(list)], '2.7/urls')).toEqual(['/list/1/feature_image']);
  });
});

describe('2.7/author-description-language', () => {
  const english = news(items(1, 6));
  const chinese = (changes: Item, count = 6) => news(items(1, count, changes), { language: 'zh' });

  it('stays the same in each language', () => {
    expect(pointersOf([english, chinese({})], '2.7/author-description-language')).toEqual([]);
    expect(pointersOf([english], '2.7/author-description-language')).toBeUndefined();
  });

  it('finds a translation', () => {
    const translated = chinese({ author_description: '撰写市场新闻' });
    expect(pointersOf([english, translated], '2.7/author-description-language')).toEqual([
      '/list/0/author_description',
    ]);
  });

  it('bears the edit of one author', () => {
    const list = items(1, 6);
    const edited = list.map((one) =>
      one['author'] === 'author_1' ? { ...one, author_description: 'Writes on markets.' } : one,
    );
    const exchanges = [english, news(edited, { language: 'zh' })];
    expect(pointersOf(exchanges, '2.7/author-description-language')).toEqual([]);
  });
});
