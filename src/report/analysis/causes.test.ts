import { describe, expect, it } from 'vitest';
import { makeExchange, makeRequirement, makeResults } from '../../../test/report/fixture.ts';
import { groupCauses } from './causes.ts';

const WRONG = { message: 'wrong', expected: 'a', actual: 'b' };

describe('the example of a cause', () => {
  it('shows texts in another language by a whole item, not by the quote in one', () => {
    const news = { endpoint: '/news', path: '/news' } as const;
    const exchanges = [
      makeExchange(1, news),
      makeExchange(2, { ...news, query: [['language', 'ja']] }),
    ];
    const of = (id: string, exchange: string, pointer: string) =>
      makeRequirement(id, 'failed', {
        findings: [{ ...WRONG, kind: 'other-language', exchange, pointer }],
      });
    const quote = of('4.2/quote-language', 'x1', '/list/0/quote_info/content');
    const item = of('4.2/language', 'x2', '/list/0/title');
    const [cause, ...others] = groupCauses({
      ...makeResults(),
      requirements: [quote, item],
      exchanges,
    });
    expect(others).toEqual([]);
    expect(cause?.example.requirement.id).toBe('4.2/language');
  });
});
