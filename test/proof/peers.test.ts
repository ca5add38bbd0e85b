import { describe, expect, it } from 'vitest';
import { ENDPOINT_PATHS } from '../../src/spec/endpoints.ts';
import { collectionTool, curve, raisedIn } from './peers.ts';

describe('a collection of one request an endpoint', () => {
  const tool = collectionTool();

  it('says nothing on the clean server', async () => {
    expect(await tool([])).toEqual({ after: null, sent: ENDPOINT_PATHS.length });
  });

  it.each(['op/null/currencies-one.name', 'gone-sectors', 'content-type-html', 'op/gone/news/cut'])(
    'sees %s',
    async (fault) => {
      const { after, sent } = await tool([fault]);
      expect(after).toEqual(expect.any(Number));
      expect(after).toBe(sent);
    },
  );

  it('does not see that an order is wrong', async () => {
    expect(await tool(['etf-history-oldest-first'])).toEqual({
      after: null,
      sent: ENDPOINT_PATHS.length,
    });
  });
});

describe('what Schemathesis recorded', () => {
  const failure = { failure: { operation: 'GET /etfs', type: 'ServerError' } };
  const recorder = { checks: { a: [{ failure_info: null }, {}], b: [{ failure_info: failure }] } };
  const events = `{"Started":{}}\n${JSON.stringify({ ScenarioFinished: { recorder } })}\n`;

  it('are failures at the position of their test case among all requests', () => {
    expect(raisedIn(events, new Map([['b', 7]]))).toEqual([['GET /etfs ServerError', 7]]);
  });
});

describe('the curve', () => {
  it('is the share of defects that were shown after so many requests', () => {
    const looks = [5, 20, 21, null].map((after) => ({ after, sent: 120 }));
    expect(curve(looks)).toEqual(
      ['25 %', '25 %', '50 %', '75 %', '75 %', '75 %', '75 %', '75 %', '75 %'].concat('75 % (120)'),
    );
  });
});
