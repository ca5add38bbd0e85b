import { describe, expect, it } from 'vitest';
import { remembered } from './remembered.ts';

function counted() {
  const asked: string[] = [];
  const read = remembered((text) => {
    asked.push(text);
    return { length: text.length };
  });
  return { asked, read };
}

describe('the result for a text', () => {
  it('is cached', () => {
    const { asked, read } = counted();
    expect(read('a')).toBe(read('a'));
    expect(asked).toEqual(['a']);
  });

  it('is dropped after enough other texts', () => {
    const { asked, read } = counted();
    const texts = Array.from({ length: 2000 }, (_, index) => `${index} `.padEnd(2000));
    for (const text of texts) read(text);
    read(texts.at(-1) ?? '');
    read(texts[0] ?? '');
    expect(asked.length).toBe(2001);
  });

  it('is not cached for long texts', () => {
    const { asked, read } = counted();
    const text = 'a'.repeat(10_000);
    expect(read(text)).toEqual(read(text));
    expect(asked).toHaveLength(2);
  });
});
