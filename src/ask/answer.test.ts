import { describe, expect, it } from 'vitest';
import { blamesQuery, type Answer } from './answer.ts';

const refused = (body: unknown): Answer =>
  ({
    exchange: { request: { query: [['limit', '500']] } },
    body,
  }) as unknown as Answer;

describe('a refusal', () => {
  it('may concern a parameter that was sent', () => {
    expect(blamesQuery(refused({ message: 'Invalid parameter: limit', details: {} }))).toBe(true);
    expect(blamesQuery(refused({ message: 'No', details: { field: 'limit' } }))).toBe(true);
  });

  it('may also concern the identifier in the path', () => {
    expect(blamesQuery(refused({ message: 'Invalid parameter: ticker', details: {} }))).toBe(false);
    expect(blamesQuery(refused({ message: 'No', details: { field: 'ticker' } }))).toBe(false);
    expect(blamesQuery(refused({ message: 'No', details: null }))).toBe(false);
    expect(blamesQuery(refused('not found'))).toBe(false);
  });
});
