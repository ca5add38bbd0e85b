import * as fc from '../../test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { excerpt, layoutJson } from './json-layout.ts';

function lines(text: string, pointer: string | null): readonly string[] {
  const laid = layoutJson(text, pointer);
  if (laid === null) throw new Error('not laid out');
  return laid.map((line) => (line.marked ? `> ${line.text}` : line.text));
}

describe('layoutJson', () => {
  it('keeps numbers as they were sent', () => {
    expect(lines('{"id":90071992547409931,"price":1.10,"e":1E+2,"s":"\\u0041"}', null)).toEqual([
      '{',
      '  "id": 90071992547409931,',
      '  "price": 1.10,',
      '  "e": 1E+2,',
      '  "s": "\\u0041"',
      '}',
    ]);
  });

  it('marks the value that the pointer names', () => {
    const text = '{"list":[{"a/b":1},{"a/b":[]}],"a/b":{}}';
    expect(lines(text, '/list/1/a~1b')).toEqual([
      '{',
      '  "list": [',
      '    {',
      '      "a/b": 1',
      '    },',
      '    {',
      '>       "a/b": []',
      '    }',
      '  ],',
      '  "a/b": {}',
      '}',
    ]);
    expect(lines('[1,2]', '')).toEqual(['> [', '  1,', '  2', ']']);
  });

  it('marks the parent of a value that is missing', () => {
    expect(lines('[{"x":1},{"y":2}]', '/1/x/z')).toEqual([
      '[',
      '  {',
      '    "x": 1',
      '  },',
      '>   {',
      '    "y": 2',
      '  }',
      ']',
    ]);
  });

  it('gives up on what is not JSON or too deep', () => {
    expect(layoutJson('<html>', null)).toBeNull();
    expect(layoutJson('', null)).toBeNull();
    expect(layoutJson('['.repeat(5000) + ']'.repeat(5000), null)).toBeNull();
  });

  it('loses nothing', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        const laid = layoutJson(text, null);
        expect(laid).not.toBeNull();
        const joined = (laid ?? []).map((line) => line.text).join('\n');
        expect(JSON.parse(joined)).toEqual(JSON.parse(text));
      }),
    );
  });
});

describe('excerpt', () => {
  it('keeps the beginning and the marked place', () => {
    const text = JSON.stringify(Array.from({ length: 500 }, (_, index) => index));
    const laid = layoutJson(text, '/400') ?? [];
    const shown = excerpt(laid, 60);
    expect(shown.length).toBeLessThanOrEqual(64);
    expect(shown.some((line) => 'marked' in line && line.marked)).toBe(true);
    const leftOut = shown.reduce((sum, line) => sum + ('leftOut' in line ? line.leftOut : 0), 0);
    const kept = shown.filter((line) => !('leftOut' in line)).length;
    expect(leftOut + kept).toBe(laid.length);
    expect(excerpt(laid.slice(0, 10), 60)).toHaveLength(10);
  });
});
