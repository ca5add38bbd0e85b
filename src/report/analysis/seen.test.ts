import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../spec/exchange.ts';
import { makeExchange, makeRequirement, makeResults } from '../../../test/report/fixture.ts';
import type { Results } from '../model/results.ts';
import { adviceFor, harmRank } from './seen.ts';

const OF = { disabled: '5/disabled-key', restricted: '5/forbidden', unknown: '5/unknown-key' };

describe('the usual causes of a key that is let in', () => {
  it.each([
    ['unknown', undefined, 'not checked for this request'],
    ['unknown', 'other-case', 'without regard to case'],
    ['unknown', 'null', 'stored or compared as this word'],
    ['disabled', undefined, 'not its state'],
    ['restricted', undefined, 'rights of a key'],
  ] as const)('fit the key: %s, %s', (role, variation, words) => {
    const made = makeExchange(1, { endpoint: '/news', path: '/news', role });
    const exchange: Exchange = { ...made, ...(variation && { variation }) };
    const { id } = exchange;
    const found = { message: '', expected: '', actual: '', pointer: null, exchange: id };
    const requirement = makeRequirement(OF[role], 'failed', { findings: [found] });
    const results = { ...makeResults(), settings: { forbidden: ['/news'] } } as unknown as Results;
    const { usually } = adviceFor({ requirement, finding: found }, exchange, results);
    expect(usually[0]).toContain(words);
  });
});

describe('the harm of what a header of the limiter shows', () => {
  it('is that of the limiter for a shared count, and of a wrong answer for others', () => {
    const found = { message: '', expected: '', actual: '', pointer: null, exchange: 'x1' };
    const rank = (kind: string, header?: string): number => {
      const finding = { ...found, kind, ...(header !== undefined && { header }) };
      const requirement = makeRequirement('8/per-key', 'failed');
      const exchange = makeExchange(1, { endpoint: '/news', path: '/news' });
      return harmRank(requirement, finding, exchange, makeResults());
    };
    const header = 'x-ratelimit-remaining';
    expect(rank('keys-share-a-count', header)).toBe(rank('keys-share-a-count'));
    expect(rank('remaining-missing', header)).toBeGreaterThan(rank('keys-share-a-count', header));
  });
});
