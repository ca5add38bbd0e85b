import { describe, expect, it } from 'vitest';
import { item, news, pointersOf } from '../../test/rules/news-exchanges.ts';
import { NEWS_HTML_TAGS } from '../contract/values.ts';
import { markupOf } from './news-html.ts';

describe('markup of HTML', () => {
  it('has the tags of the source and none that a tree builder would add', () => {
    expect(markupOf('<table><tr><td>1</table>').tags).toEqual(['table', 'tr', 'td']);
    expect(markupOf('text').tags).toEqual([]);
    expect(markupOf('<tr></tr></body>').tags).toEqual(['tr', 'body']);
  });

  it('reads upper case, attributes and entities', () => {
    const { tags, text } = markupOf('<P class="a > b">A&amp;B<br/>C &lt;i&gt;</P>');
    expect(tags).toEqual(['p', 'br']);
    expect(text).toBe('A&B C <i>');
  });

  it('leaves out comments, scripts and styles', () => {
    const { tags, text } = markupOf('<!-- <b>x</b> --><script>if (a<b) "<i>"</script>seen');
    expect(tags).toEqual(['script']);
    expect(text).toBe('seen');
  });

  it('keeps words together that inline tags part', () => {
    expect(markupOf('<p>one<b>two</b></p><p>three</p>').text).toBe('onetwo three');
  });

  it.each(['<', '<p', '</', '<!', '&#x', '<a href="', '<__proto__>', '<constructor>'])(
    'reads %j without failing',
    (html) => {
      expect(() => markupOf(html)).not.toThrow();
    },
  );
});

describe('2.7/html-tags', () => {
  const allTags = NEWS_HTML_TAGS.map((tag) => `<${tag}>`).join('');

  it('takes all listed tags and plain text', () => {
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
  ])('bears %s', (_what, content) => {
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
  ])('finds the tag in %s', (content) => {
    expect(pointersOf([news([item(1, { content })])], '2.7/html-tags')).toEqual([
      '/list/0/content',
    ]);
  });

  it('points to the first item with another tag', () => {
    const list = [item(1), item(2, { content: '<p><EM>a</EM></p>' }), item(3, { content: '<i>' })];
    expect(pointersOf([news(list)], '2.7/html-tags')).toEqual(['/list/1/content']);
  });

  it('is not judged without content', () => {
    expect(pointersOf([news([item(1, { content: 5 })])], '2.7/html-tags')).toBeUndefined();
    expect(pointersOf([news([])], '2.7/html-tags')).toBeUndefined();
  });
});
