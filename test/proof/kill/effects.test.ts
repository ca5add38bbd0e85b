import { describe, expect, it } from 'vitest';
import { listOperatorFaults } from '#src/reference/catalog.ts';
import { TRADING_DAY } from './deployments.ts';
import { effectsOn, type Asked } from './effects.ts';

const asked = (path: string, role: Asked['role'] = 'valid'): Asked => ({
  endpoint: '/news',
  method: 'GET',
  path: `/v1/news${path}`,
  role,
  at: TRADING_DAY,
});

const named = (id: string): ReturnType<typeof listOperatorFaults>[number] => {
  const found = listOperatorFaults().find((fault) => fault.id === id);
  if (found === undefined) throw new Error(`No fault has the id ${id}`);
  return found;
};

describe('the effect of a fault on a run', () => {
  const effectOf = effectsOn([asked(''), asked('?page=2&category=2'), asked('', 'expired')]);

  it('is nothing when no answer changes', () => {
    expect(effectOf(named('op/ignored/news.language'))).toBe('');
    expect(effectOf(named('op/missing/analyses.time_field'))).toBe('');
  });

  it('is the same for faults that change the same answers in the same way', () => {
    const always = effectOf(named('op/ignored/news.page'));
    expect(always).toMatch(/^[0-9a-f]{64}$/);
    expect(effectOf(named('op/ignored/news.page/with-category'))).toBe(always);
    expect(effectOf(named('op/ignored/news.category'))).not.toBe(always);
  });

  it('comes with every kind of key', () => {
    const admitted = effectOf(named('op/key/news/expired-admitted'));
    expect(admitted).not.toBe('');
    expect(effectOf(named('op/key/news/expired-crashes'))).not.toBe(admitted);
    expect(effectOf(named('op/key/news/disabled-admitted'))).toBe('');
  });

  it('is unknown where it depends on what was asked before', () => {
    expect(effectOf(named('op/limiter/limit/none'))).toBeUndefined();
  });
});
