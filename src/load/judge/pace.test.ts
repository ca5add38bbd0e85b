import { describe, expect, it } from 'vitest';
import { kneeOf } from './pace.ts';

const second = (due: number, p95: number, sent = due): Parameters<typeof kneeOf>[0][number] => ({
  due,
  sent,
  p95,
});

describe('kneeOf', () => {
  it('is the last rate before answers got slow', () => {
    expect(kneeOf([second(100, 4), second(200, 5), second(300, 6), second(400, 90)])).toBe(300);
  });

  it('is the last rate that could be sent', () => {
    expect(kneeOf([second(100, 4), second(200, 5), second(300, 6, 150)])).toBe(200);
  });

  it('is not there while answers stay quick', () => {
    expect(kneeOf([second(100, 4), second(200, 5), second(300, 19)])).toBeNull();
  });
});
