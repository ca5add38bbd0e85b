import { describe, expect, it } from 'vitest';
import { loadResults } from '../../src/run/load-results.ts';
import type { Results } from '../../src/report/model/results.ts';
import type { LoadResult } from '../../src/report/model/load-results.ts';
import { validate } from '../../src/judge/schema/schemas.ts';
import { LOAD_RESULT } from './load-result.ts';

const resultsOf = (load: readonly unknown[], interrupted = false): object =>
  loadResults({
    load: load as readonly LoadResult[],
    target: { baseUrl: 'http://127.0.0.1:1/v1', envelope: null },
    reference: true,
    startedAt: new Date(0),
    interrupted,
  });

describe('results of load scenarios', () => {
  it('keep the schema', () => {
    expect(validate('results', resultsOf([LOAD_RESULT]))).toEqual([]);
  });

  it('count what the load could judge, and nothing of the suites', () => {
    const judged = LOAD_RESULT.requirements.filter(({ level }) => level === 'must');
    const { must, observe } = (resultsOf([LOAD_RESULT]) as Results).summary;
    const sum = Object.values(must).reduce((all, count) => all + count, 0);
    expect(sum).toBe(judged.length);
    expect(must.failed).toBe(judged.filter(({ outcome }) => outcome === 'failed').length);
    expect(observe.untested).toBe(0);
    const failed = LOAD_RESULT.requirements.filter(({ outcome }) => outcome === 'failed');
    const { failing = [] } = resultsOf([LOAD_RESULT]) as Results;
    expect(failing.map(({ id }) => id)).toEqual(failed.map(({ id }) => id));
  });

  it('say what the run belongs to', () => {
    const context = { ci: 'Jenkins', commit: 'abc1234', labels: { environment: 'staging' } };
    const results = loadResults({
      load: [],
      target: { baseUrl: 'http://127.0.0.1:1/v1', envelope: null },
      reference: true,
      startedAt: new Date(0),
      interrupted: false,
      context,
    });
    expect(results.context).toEqual(context);
    expect(validate('results', results)).toEqual([]);
  });

  it('keep it when the run was interrupted, with or without anything to show', () => {
    for (const load of [[LOAD_RESULT], []]) {
      const results = resultsOf(load, true);
      expect(validate('results', results)).toEqual([]);
      expect(results).toMatchObject({ verdict: 'interrupted', exitCode: 130 });
    }
  });

  const { health: _health, ...unhealthy } = LOAD_RESULT;
  const [window] = LOAD_RESULT.windows;
  const [latency] = LOAD_RESULT.latency;
  it.each<[string, object]>([
    ['without the health of the generator', unhealthy],
    ['with another outcome', { ...LOAD_RESULT, outcome: 'fine' }],
    [
      'with a count below zero',
      { ...LOAD_RESULT, requests: { ...LOAD_RESULT.requests, sent: -1 } },
    ],
    ['with a window of text', { ...LOAD_RESULT, windows: [{ ...window, admitted: '20' }] }],
    ['with half a Remaining', { ...LOAD_RESULT, windows: [{ ...window, remaining: [1.5] }] }],
    ['with latency of no endpoint', { ...LOAD_RESULT, latency: [{ ...latency, endpoint: null }] }],
    [
      'with an unknown level',
      { ...LOAD_RESULT, requirements: [{ ...LOAD_RESULT.requirements[0], level: 'may' }] },
    ],
  ])('break it %s', (_, broken) => {
    const results = { ...resultsOf([LOAD_RESULT]), load: [broken] };
    expect(validate('results', results)).not.toEqual([]);
  });
});
