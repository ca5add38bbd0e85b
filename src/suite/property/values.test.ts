import * as fc from '../../../test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { endpoint, ENDPOINT_PATHS } from '../../spec/endpoints.ts';
import { requestTarget } from '../../http/request-url.ts';
import { requestsOf } from './cases.ts';
import { DRAWN } from '../../ask/properties.ts';
import { allowed, anyCase, hostileText, outside } from './values.ts';

const NOW = Date.UTC(2026, 8, 9, 15);

describe('values', () => {
  it('draws integers within their bounds, and outside of them', () => {
    const facts = { type: 'integer', minimum: 20, maximum: 100 } as const;
    const inside = allowed(facts) ?? fc.constant('');
    fc.assert(fc.property(inside, (drawn) => Number(drawn) >= 20 && Number(drawn) <= 100));
    const wrong = outside(facts, NOW) ?? fc.constant('50');
    fc.assert(
      fc.property(
        wrong,
        (drawn) => !/^\d+$/.test(drawn) || Number(drawn) < 20 || Number(drawn) > 100,
      ),
    );
  });

  it('never draws a value of an enum as one outside of it', () => {
    for (const path of ENDPOINT_PATHS) {
      for (const facts of Object.values(endpoint(path).query)) {
        const wrong = outside(facts, NOW);
        if (facts.enum === undefined || wrong === undefined) continue;
        const listed = facts.enum.map(String);
        fc.assert(fc.property(wrong, (drawn) => !listed.includes(drawn)));
      }
    }
  });

  it('draws hostile texts that every URL can carry', () => {
    fc.assert(
      fc.property(hostileText(), (value) => {
        const { url } = requestTarget('http://127.0.0.1/v1', '/news', {}, [['q', value]]);
        expect(url.length).toBeLessThan(7000);
        expect(new URL(url).searchParams.getAll('q')).toHaveLength(1);
        // No sign, zero or space makes a number of it to some and not to others.
        expect(value).not.toMatch(/^\s*(\+|0)\d|^\s+-?\d|^-?\d+\s+$/);
      }),
      { numRuns: 500 },
    );
  });

  it('changes nothing but the case of letters', () => {
    fc.assert(fc.property(anyCase('DOGE'), (value) => value.toUpperCase() === 'DOGE'));
  });
});

describe('cases', () => {
  it.each(DRAWN)('of $name ask its endpoint, and for every parameter', ({ name, path }) => {
    const values = { projectIds: ['1'], currencyIds: ['1'], exchanges: ['A'] };
    const known = { now: NOW, values };
    const cases = fc.sample(requestsOf(name, known), { seed: 5, numRuns: 600 });
    const asked = new Set(cases.map((one) => one.path));
    if (path === undefined) {
      expect(asked.size).toBeGreaterThanOrEqual(8);
      return;
    }
    expect([...asked]).toEqual([path]);
    const names = new Set(cases.flatMap(({ query }) => query.map(([one]) => one)));
    expect([...names]).toEqual(expect.arrayContaining(Object.keys(endpoint(path).query)));
  });
});
