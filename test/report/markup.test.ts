import { createHash } from 'node:crypto';
import * as fc from '../fast-check.ts';
import { parseFragment } from 'parse5';
import { describe, expect, it } from 'vitest';
import { Markup, html, preformatted, styleElement } from '../../src/report/markup.ts';
import { visible } from '../../src/text/text.ts';

describe('html', () => {
  it('escapes values, keeps markup, joins lists and leaves out nothings', () => {
    const inner = html`<b>${'<&">'}</b>`;
    expect(html`<p title="${'"x"'}">${[inner, 3, null, false, 'y']}</p>`.toString()).toBe(
      '<p title="&quot;x&quot;"><b>&lt;&amp;&quot;&gt;</b>3y</p>',
    );
  });

  it('refuses values where escaping cannot help', () => {
    // Another name for the tag keeps the formatter from repairing the quotes.
    const tag = html;
    expect(() => tag`<p class=${'x onclick=y'}></p>`).toThrow(/double quotes/);
    expect(() => tag`<${'script'}>`).toThrow(/double quotes/);
    expect(() => tag`<p class="a" ${'onclick=y'}></p>`).toThrow(/double quotes/);
    expect(() => tag`<p class='${"x' onclick='y"}'></p>`).toThrow(/double quotes/);
    expect(() => tag`<p class="a > b ${'c'}">x = ${'d'}</p>`).not.toThrow();
  });

  it('cannot be forged', () => {
    expect(() => new Markup(Symbol('markup'), '<script>')).toThrow(TypeError);
  });

  it('gives back any text as text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (text) => {
        const [node] = parseFragment(html`<p title="${text}">${text}x</p>`.toString()).childNodes;
        expect(node).toMatchObject({
          nodeName: 'p',
          attrs: [{ name: 'title', value: visible(text) }],
          childNodes: [{ nodeName: '#text', value: `${visible(text)}x` }],
        });
      }),
    );
  });
});

describe('preformatted', () => {
  it('keeps line breaks', () => {
    expect(preformatted('a\n<b>\u0007').toString()).toBe('a\n&lt;b&gt;\\x07');
  });
});

describe('styleElement', () => {
  it('gives the hash of exactly what is inside, and refuses markup', () => {
    const { element, source } = styleElement('p{color:red}');
    expect(element.toString()).toBe('<style>p{color:red}</style>');
    const digest = createHash('sha256').update('p{color:red}').digest('base64');
    expect(source).toBe(`'sha256-${digest}'`);
    expect(() => styleElement('</style>')).toThrow(TypeError);
  });
});
