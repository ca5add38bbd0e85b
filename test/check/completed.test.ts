import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { completed, completedBody } from './completed.ts';
import { against, checked, scratchFile } from './harness.ts';

const folder = new URL('fixtures/', import.meta.url);
const recordings = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(new URL(name, folder), 'utf8'),
}));

describe('recordings', () => {
  it.each(recordings)('$name shows all fields of today, or is filled in', ({ name, text }) => {
    const once = completed(name, text) ?? text;
    expect(completed(name, once)).toBeUndefined();
  });

  // As if the market rank had been added after the recordings were made.
  const RANK = /,\\?"marketcap_rank\\?":\d+/g;
  const without = (text: string): string =>
    text
      .replaceAll(RANK, '')
      .replaceAll(/(?<="text": ")[\w+/=]{80,}(?=")/g, (packed) =>
        Buffer.from(Buffer.from(packed, 'base64').toString().replaceAll(RANK, '')).toString(
          'base64',
        ),
      );

  it.each(recordings.filter(({ text }) => without(text) !== text))(
    'a field that $name lacks is filled in',
    async ({ name, text }) => {
      const old = without(text);
      const complete = completed(name, old) ?? '';
      const outcome = async (content: string): Promise<readonly string[]> =>
        against((await checked([scratchFile(name, content)])).results);
      expect((await outcome(old)).join()).toContain('2.2/marketcap-rank');
      expect(await outcome(complete)).toEqual([]);
    },
  );

  it('keep nested and unreadable content', () => {
    const url = 'https://api.fixture.example/v1/currencies/1/token-economics';
    const body = { token_unlock: { unlocked: '5' }, other: 1 };
    expect(JSON.parse(completedBody(url, JSON.stringify(body)))).toMatchObject({
      token_unlock: { unlocked: '5', total_locked: '400000000' },
      unlock_timeline: [{ timestamp: '1767225600000' }],
      other: 1,
    });
    expect(completedBody(url, '{"token_unlock":')).toBe('{"token_unlock":');
    expect(completedBody('https://api.fixture.example/other', '{}')).toBe('{}');
  });
});
