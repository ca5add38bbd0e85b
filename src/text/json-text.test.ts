import { describe, expect, it } from 'vitest';
import { jsonText } from './json-text.ts';

describe('jsonText', () => {
  it('escapes every control character and reads back unchanged', () => {
    const all = String.fromCharCode(...Array.from({ length: 0xa1 }, (_, code) => code));
    const text = jsonText({ [all]: all });
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(text).toContain('\\u009b');
    expect(JSON.parse(text)).toEqual({ [all]: all });
  });
});
