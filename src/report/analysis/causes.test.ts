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

describe('what follows from another finding at the endpoint', () => {
  const found = (id: string, kind: string, exchange: string, more = {}) =>
    makeRequirement(id, 'failed', {
      findings: [{ ...WRONG, message: id, kind, exchange, pointer: null, ...more }],
    });
  const refusal = { status: 400, body: '{"code":400003,"message":"Invalid parameter: symbol"}' };
  const otherRefusal = {
    status: 400,
    body: '{"code":400003,"message":"Invalid parameter: limit"}',
  };

  it.each([
    [
      'the size that the envelope repeats',
      found('4.2/page-size-default', 'other-default-size', 'x1', { pointer: '/list' }),
      found('4.2/page-echo', 'envelope-differs', 'x2', { facts: { field: 'page_size' } }),
      [{}, { query: [['page', '9']] }],
      [{}, { query: [['page_size', '9']] }],
    ],
    [
      'the seam of a page of that size',
      found('4.2/page-size-default', 'other-default-size', 'x1', { pointer: '/list' }),
      found('4.2/pages-join', 'page-does-not-continue', 'x2', { pointer: '/list/0' }),
      [{}, { query: [['page', '2']] }],
      [{}, { query: [['page_size', '9']] }],
    ],
    [
      'the total, by a page that repeats page 1',
      found('4.2/pages-join', 'page-does-not-continue', 'x1', { pointer: '/list/0' }),
      found('4.2/total', 'total-of-items', 'x2', { pointer: '/total' }),
      [{}, { query: [['page', '3']] }],
      [{}, { query: [['page', '1']] }],
    ],
    [
      'a refusal that valid requests get',
      found('4.3/symbol-case', 'request-refused', 'x1'),
      found('4.3/unlisted-message', 'wrong-unlisted-message', 'x2', { pointer: '/message' }),
      [refusal, refusal],
      [refusal, otherRefusal],
    ],
  ] as const)('is one cause with it: %s', (_, root, follower, together, apart) => {
    const causesOf = (answers: typeof together | typeof apart) =>
      groupCauses({
        ...makeResults(),
        requirements: [follower, root],
        exchanges: answers.map((parts, index) =>
          makeExchange(index + 1, { endpoint: '/news', path: '/news', ...parts }),
        ),
      });
    const [cause, ...others] = causesOf(together);
    expect(others).toEqual([]);
    // It is told by what it follows from.
    expect(cause?.message).toBe(root.id);
    expect(causesOf(apart)).toHaveLength(2);
  });

  const figures = { net_inflow: '5', cum_inflow: null, net_assets: null, prem_dsc: null };

  it.each([
    ['details-without-id', '/details', 'details-without-unknown', '/details', figures],
    ['details-without-field', '/details', 'details-without-invalid', '/details', figures],
    ['settled-in-part', '/0/cum_inflow', 'field-string', '/0/net_inflow', figures],
    ['settled-in-part', '/0/cum_inflow', 'field-string', '/0/volume', null],
    ['settled-in-part', '/0/cum_inflow', 'field-string', '/0/net_inflow', { net_assets: 7 }],
  ] as const)('is one cause with it in the same response only: %s, %s after %s', (...row) => {
    const [kind, pointer, root, rootPointer, filled] = row;
    const body = JSON.stringify([{ ...figures, ...filled }]);
    const causesOf = (exchange: string) =>
      groupCauses({
        ...makeResults(),
        requirements: [
          found('7/follower', kind, exchange, { pointer }),
          found('7/root', root, 'x1', { pointer: rootPointer, actual: 'c' }),
        ],
        exchanges: [1, 2].map((number) =>
          makeExchange(number, { endpoint: '/etfs', path: '/etfs', body }),
        ),
      });
    const messages = causesOf('x1').map(({ message }) => message);
    expect(messages).toEqual(filled === figures ? ['7/root'] : ['7/follower', '7/root']);
    expect(causesOf('x2')).toHaveLength(2);
  });
});
