import { describe, expect, it } from 'vitest';
import type { Exchange } from '#src/spec/exchange.ts';
import { TRANSFORMATIONS } from './metamorphic.ts';

const NOW = Date.UTC(2026, 0, 6, 12);

/** Two requests of the same moment, one of the limiter's, and a late one, of a server that is a second ahead. */
const RUN = [0, 10, 20, 5000].map((after, index): Exchange => ({
  id: `x${index + 1}`,
  endpoint: '/news',
  pathParameters: {},
  role: 'valid',
  key: 'k:1',
  request: {
    method: 'GET',
    url: 'http://target.test/news',
    path: '/news',
    query: [['page', String(index + 1)]],
    headers: {},
  },
  response: { status: 200, headers: {}, text: '[]', bytes: 2 },
  error: null,
  sentAt: NOW + after,
  receivedAt: NOW + after + 30,
  skewMs: 1000,
  attempt: 1,
  ...(index === 2 && { sequence: 1 }),
}));

const told = (name: string) => TRANSFORMATIONS[name]?.(RUN) ?? [];
const pages = (name: string): string[] =>
  told(name).map(({ request: { query } }) => query[0]?.[1] ?? '');

describe('a run told in another way', () => {
  it('repeats what is asked about content, and nothing of a sequence', () => {
    expect(pages('asked twice')).toEqual(['1', '1', '2', '2', '3', '4', '4']);
    expect(pages('asked again at the end')).toEqual(['1', '2', '3', '4', '1', '2', '4']);
  });

  it.each(Object.keys(TRANSFORMATIONS))('has one id for each exchange: %s', (name) => {
    const ids = told(name).map(({ id }) => id);
    expect(ids.length).toBeGreaterThanOrEqual(RUN.length);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^x\d+$/.test(id))).toBe(true);
  });

  it('gives the same copies of the same exchanges', () => {
    expect(
      told('asked twice').map((one, index) => one === told('asked twice')[index]),
    ).not.toContain(false);
  });

  it('has requests of the same moment under way together', () => {
    const flown = told('in flight together');
    expect(
      flown.slice(0, 2).map(({ sentAt, receivedAt }) => [sentAt - NOW, receivedAt - NOW]),
    ).toEqual([
      [0, 40],
      [0, 40],
    ]);
    expect(flown.slice(2)).toEqual(RUN.slice(2));
  });
});
