import { describe, expect, it } from 'vitest';
import { markupOf } from './html.ts';

describe('HTML markup', () => {
  it('contains the tags of the source and none added by a tree builder', () => {
    expect(markupOf('<table><tr><td>1</table>').tags).toEqual(['table', 'tr', 'td']);
    expect(markupOf('text').tags).toEqual([]);
    expect(markupOf('<tr></tr></body>').tags).toEqual(['tr', 'body']);
  });

  it('reads upper case, attributes and entities', () => {
    const { tags, text } = markupOf('<P class="a > b">A&amp;B<br/>C &lt;i&gt;</P>');
    expect(tags).toEqual(['p', 'br']);
    expect(text).toBe('A&B C <i>');
  });

  it('omits comments, scripts and styles', () => {
    const { tags, text } = markupOf('<!-- <b>x</b> --><script>if (a<b) "<i>"</script>seen');
    expect(tags).toEqual(['script']);
    expect(text).toBe('seen');
  });

  it('does not split words at inline tags', () => {
    expect(markupOf('<p>one<b>two</b></p><p>three</p>').text).toBe('onetwo three');
  });

  it.each(['<', '<p', '</', '<!', '&#x', '<a href="', '<__proto__>', '<constructor>'])(
    'parses %j without failing',
    (html) => {
      expect(() => markupOf(html)).not.toThrow();
    },
  );
});
