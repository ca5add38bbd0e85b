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
} from '../../test/judge/news-exchanges.ts';
import { NEWS_HTML_TAGS } from '../../src/spec/values.ts';

describe('2.7/id-unique', () => {
  it('reports the second of two', () => {
    expect(pointersOf([news(items(1, 5))], '2.7/id-unique')).toEqual([]);
    expect(pointersOf([news([...items(1, 3), item(2)])], '2.7/id-unique')).toEqual(['/list/3/id']);
    expect(pointersOf([news([item(1)])], '2.7/id-unique')).toBeUndefined();
  });

  it('points into an enveloped body', () => {
    const body = { code: 0, message: 'ok', data: { list: [item(1), item(1)] } };
    const findings = judge([exchange(body)], 'data').requirements.get('2.7/id-unique')?.findings;
    expect(findings?.map(({ pointer }) => pointer)).toEqual(['/data/list/1/id']);
  });
});

describe('2.7/counts-non-negative', () => {
  it('covers the item and the quoted post', () => {
    expect(pointersOf([news(items(1, 2))], '2.7/counts-non-negative')).toEqual([]);
    const list = [item(1, { quote_info: { like_count: -2 } }), item(2, { like_count: -1 })];
    expect(pointersOf([news(list)], '2.7/counts-non-negative')).toEqual([
      '/list/0/quote_info/like_count',
    ]);
  });
});

describe('2.7/release-not-future', () => {
  it('tolerates small clock differences', () => {
    const near = news([item(1, { release_time: NOW + 300_000 })]);
    expect(pointersOf([near], '2.7/release-not-future')).toEqual([]);
    const far = news([item(1), item(2, { release_time: NOW + 3_600_000 })]);
    expect(pointersOf([far], '2.7/release-not-future')).toEqual(['/list/1/release_time']);
  });

  it("uses the target's clock", () => {
    const headers = { date: new Date(NOW + 3_600_000).toUTCString() };
    const ahead = news([item(1, { release_time: NOW + 3_500_000 })], {}, { headers });
    expect(pointersOf([ahead], '2.7/release-not-future')).toEqual([]);
  });
});

describe('2.7/urls', () => {
  it('accepts http, https and empty strings', () => {
    const links = { source_link: 'HTTP://a.example', original_link: '', feature_image: '' };
    expect(pointersOf([news([item(1, links)])], '2.7/urls')).toEqual([]);
    const list = [item(1), item(2, { feature_image: '/cover.png' })];
    expect(pointersOf([news(list)], '2.7/urls')).toEqual(['/list/1/feature_image']);
  });
});

describe('2.7/author-description-language', () => {
  const english = news(items(1, 6));
  const chinese = (changes: Item, count = 6) => news(items(1, count, changes), { language: 'zh' });

  it('is the same in each language', () => {
    expect(pointersOf([english, chinese({})], '2.7/author-description-language')).toEqual([]);
    expect(pointersOf([english], '2.7/author-description-language')).toBeUndefined();
  });

  it('reports a translation', () => {
    const translated = chinese({ author_description: '撰写市场新闻' });
    expect(pointersOf([english, translated], '2.7/author-description-language')).toEqual([
      '/list/0/author_description',
    ]);
  });

  it('tolerates a change by one author', () => {
    const list = items(1, 6);
    const edited = list.map((one) =>
      one['author'] === 'author_1' ? { ...one, author_description: 'Writes on markets.' } : one,
    );
    const exchanges = [english, news(edited, { language: 'zh' })];
    expect(pointersOf(exchanges, '2.7/author-description-language')).toEqual([]);
  });
});

describe('2.7/html-tags', () => {
  const allTags = NEWS_HTML_TAGS.map((tag) => `<${tag}>`).join('');

  it('accepts all listed tags and plain text', () => {
    const list = [item(1, { content: allTags }), item(2, { content: 'a < b' })];
    expect(pointersOf([news(list)], '2.7/html-tags')).toEqual([]);
  });

  it.each([
    ['a comparison', '<p>If x<y then wait, and if i<s and t>u too. 3 < 5 > 2</p>'],
    ['a placeholder', '<p>Send <amount> to <your-address> before <TIME></p>'],
    ['sources of a picture', '<picture><source srcset="a.webp"><img src="a.png"></picture>'],
    ['a closed empty tag', '<p>a<br/>b<br />c</p>'],
    ['entities', '<p>&lt;script&gt; &amp; &quot;table&quot; &#x3C;tr&#x3E; &nbsp;</p>'],
    ['a comment', '<!-- <table> --><p>a</p>'],
    ['an open bracket at the end', '<p>a</p> <'],
    ['attributes of any kind', '<a href="x" target=_blank data-x>a</a><font color=red>b</font>'],
  ])('accepts %s', (_what, content) => {
    expect(pointersOf([news([item(1, { content })])], '2.7/html-tags')).toEqual([]);
  });

  it.each([
    '<source src="a.mp4">',
    '<p>a<table border><tr><td>1</table></p>',
    '<o:p></o:p>',
    '<custom-card></custom-card>',
    '<video controls src="a.mp4"></video>',
    '<iframe src="https://a.example"></iframe>',
    '<picture><img src="a"></picture><hr>',
  ])('reports the tag in %s', (content) => {
    expect(pointersOf([news([item(1, { content })])], '2.7/html-tags')).toEqual([
      '/list/0/content',
    ]);
  });

  it('points to the first item with an unlisted tag', () => {
    const list = [item(1), item(2, { content: '<p><EM>a</EM></p>' }), item(3, { content: '<i>' })];
    expect(pointersOf([news(list)], '2.7/html-tags')).toEqual(['/list/1/content']);
  });

  it('tells scripts from other tags, so that neither hides the other', () => {
    const list = [item(1, { content: '<tr>' }), item(2, { content: '<tr><SCRIPT>' })];
    const found = judge([news(list)]).requirements.get('2.7/html-tags')?.findings ?? [];
    expect(found.map(({ kind, pointer, actual }) => [kind, pointer, actual])).toEqual([
      ['script-tags', '/list/1/content', '<script>, in all tr, script'],
      ['unlisted-tags', '/list/0/content', '<tr>'],
    ]);
  });

  it('is not judged without content', () => {
    expect(pointersOf([news([item(1, { content: 5 })])], '2.7/html-tags')).toBeUndefined();
    expect(pointersOf([news([])], '2.7/html-tags')).toBeUndefined();
  });
});
