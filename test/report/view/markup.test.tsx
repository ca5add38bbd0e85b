import { createHash } from 'node:crypto';
import { options } from 'preact';
import type { ComponentChildren, VNode } from 'preact';
import * as fc from '../../fast-check.ts';
import { parseFragment } from 'parse5';
import { describe, expect, it } from 'vitest';
import { dataElement, scriptElement, styleElement } from '../../../src/report/page/render.tsx';
import { renderView } from '../../../src/report/page/render.tsx';
import { Block } from '../../../src/report/page/view/parts.tsx';
import { visible } from '../../../src/text/text.ts';
import { anyText } from '../../../src/suite/property/values.ts';

describe('renderView', () => {
  it('escapes texts and attributes, joins lists and leaves out nothings', () => {
    const inner = <b>{'<&">'}</b>;
    const markup = renderView(() => <p title={'"<x>"'}>{[inner, 3, null, false, 'y']}</p>);
    expect(markup).toBe('<p title="&quot;&lt;x>&quot;"><b>&lt;&amp;&quot;></b>3y</p>');
  });

  it('takes elements from components only: the data of a file is never one', () => {
    const forged = JSON.parse(
      '{"type":"script","props":{"children":"x"},"key":null,"ref":null,"constructor":null}',
    ) as ComponentChildren;
    expect(renderView(() => <p>{forged}</p>)).toBe('<p></p>');
  });

  it('gives back any text as text, wherever it stands', () => {
    const Nested = ({ text }: { text: string }): VNode => <>{[[text]]}</>;
    fc.assert(
      fc.property(anyText({ maxLength: 50 }), (text) => {
        const markup = renderView(() => (
          <p title={text}>
            {text}
            <Nested text={text} />x
          </p>
        ));
        const [node] = parseFragment(markup).childNodes;
        expect(node).toMatchObject({
          nodeName: 'p',
          attrs: [{ name: 'title', value: visible(text) }],
          childNodes: [{ nodeName: '#text', value: `${visible(text)}${visible(text)}x` }],
        });
      }),
    );
  });

  it('keeps line breaks where they are wanted', () => {
    const markup = renderView(() => (
      <pre>
        <Block text={'a\n<b>\u0007'} />
      </pre>
    ));
    expect(markup).toBe('<pre>a\n&lt;b>\\x07</pre>');
  });

  it('leaves nothing behind for others who use Preact, whatever happens', () => {
    expect(() =>
      renderView(() => {
        throw new Error('broken');
      }),
    ).toThrow('broken');
    expect(options.vnode).toBeUndefined();
  });
});

describe('elements that hold code', () => {
  it('give the hash of exactly what is inside, and refuse markup', () => {
    const { element, source } = styleElement('p{color:red}');
    expect(element).toBe('<style>p{color:red}</style>');
    const digest = createHash('sha256').update('p{color:red}').digest('base64');
    expect(source).toBe(`'sha256-${digest}'`);
    expect(() => styleElement('</style>')).toThrow(TypeError);
    expect(() => scriptElement('"</script>"')).toThrow(TypeError);
    expect(() => dataElement('index', '<b>')).toThrow(TypeError);
  });
});
