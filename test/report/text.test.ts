import * as fc from '../fast-check.ts';
import { describe, expect, it } from 'vitest';
import { cut, cutBytes, oneLine, visible, visibleBlock } from '../../src/text/text.ts';
import { HOSTILE } from './hostile.ts';
import { anyText } from '../../src/suite/property/values.ts';

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const any = anyText({ maxLength: 60 });

describe('visible', () => {
  it('replaces what cannot be seen by an escape and keeps the rest', () => {
    expect(visible('a\u001b[31mb\n\r\t\u202e\u200b\u{e0041}é漢😀')).toBe(
      'a\\x1b[31mb\\n\\r\\t\\u202e\\u200b\\u{e0041}é漢😀',
    );
    expect(visible('\ud800x\uffff')).toBe('\\ud800x\\uffff');
  });

  it.each(HOSTILE)('leaves nothing hidden in %j', (text) => {
    expect(visible(text)).not.toMatch(HIDDEN);
  });

  it('leaves nothing hidden in any text and changes nothing twice', () => {
    fc.assert(
      fc.property(any, (text) => {
        expect(visible(text)).not.toMatch(HIDDEN);
        expect(visible(visible(text))).toBe(visible(text));
      }),
    );
  });
});

describe('visibleBlock', () => {
  it('keeps line feeds and tabs only', () => {
    expect(visibleBlock('a\r\nb\tc\u0007\rd')).toBe('a\nb\tc\\x07\\rd');
  });
});

describe('cut', () => {
  it('never splits a character', () => {
    expect(cut('ab😀cd', 4)).toBe('ab…');
    expect(cut('abcd', 4)).toBe('abcd');
    fc.assert(
      fc.property(any, fc.integer({ min: 1, max: 30 }), (text, max) => {
        expect(cut(text, max).length).toBeLessThanOrEqual(max);
        expect(oneLine(text, max).length).toBeLessThanOrEqual(max);
        expect(oneLine(text, max)).not.toMatch(HIDDEN);
      }),
    );
  });

  it('keeps to a number of bytes', () => {
    expect(cutBytes('ééé', 6)).toBe('ééé');
    expect(cutBytes('éééé', 7)).toBe('éé…');
    fc.assert(
      fc.property(any, fc.integer({ min: 3, max: 60 }), (text, max) => {
        expect(Buffer.byteLength(cutBytes(text, max))).toBeLessThanOrEqual(max);
      }),
    );
  });
});
