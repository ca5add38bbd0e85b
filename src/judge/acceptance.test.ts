import { judgeAll, judgeViews } from '../requirements/judging.ts';
import { describe, expect, it } from 'vitest';
import { exchange, featured, items, news } from '../../test/judge/news-exchanges.ts';
import type { Exchange } from '../spec/exchange.ts';
import { REQUIREMENTS } from '../requirements/catalogue.ts';
import { ACCEPTED_IN_CASE } from '../../suites/4.3-etf-summary/requirements.ts';
import { contextOf, type Context } from './context.ts';
import { DEFAULT_FACTS } from './facts.ts';
import { Judgement } from './judgement.ts';
import { STATED_VALUES, accepted, answered } from './shapes.ts';
import { viewOf, type View } from './view.ts';

const JUDGES: readonly unknown[] = [
  answered,
  ...STATED_VALUES.map(accepted),
  ...Object.values(ACCEPTED_IN_CASE),
];

function apply(view: View, context: Context, into: Judgement): void {
  for (const { judge = [], ...one } of REQUIREMENTS) {
    const own = [judge].flat().filter((each) => JUDGES.includes(each));
    judgeViews({ ...one, judge: own }, [view], context, into);
  }
}

/** Number of findings per requirement judged by these rules. */
function judged(one: Exchange): Record<string, number> {
  const into = new Judgement();
  const view = viewOf(one, DEFAULT_FACTS);
  if (view !== undefined) apply(view, contextOf(DEFAULT_FACTS, [one]), into);
  return Object.fromEntries(
    [...into.requirements].map(([id, { findings }]) => [id, findings.length]),
  );
}

const refused = (query: Record<string, string>, details: object, message = 'no'): Exchange =>
  exchange({ code: 400003, message, details }, { query, status: 400 });

describe('an answer to a request with several parameters', () => {
  const query = { language: 'zh', page_size: '100' };

  it('counts for the parameter named by a refusal', () => {
    expect(judged(refused(query, { field: 'language' }))).toEqual({ '4.2/language': 1 });
    expect(judged(refused(query, {}, 'Invalid parameter: page_size'))).toEqual({
      '4.2/page-size-max-accepted': 1,
    });
    expect(judged(refused(query, { field: '__proto__' }))).toEqual({
      '4.2/page-size-max-accepted': 1,
    });
  });

  it('is found to be refused for it', () => {
    const said = (one: Exchange): string[] =>
      [...judgeAll([one], DEFAULT_FACTS).requirements.values()].flatMap(({ findings }) =>
        findings.flatMap(({ kind, message }) => (kind === 'request-refused' ? message : [])),
      );
    const sentence = (what: string) => [
      `GET /news refuses a request${what} that the specification allows`,
    ];
    expect(said(refused(query, { field: 'language' }))).toEqual(sentence(' with language=zh'));
    expect(said(refused({}, {}, 'Invalid parameter: page_size'))).toEqual(
      sentence(' without page_size'),
    );
    expect(said(refused({}, {}, 'Invalid parameter: constructor'))).toEqual(sentence(''));
  });

  it('confirms a bound, but not a filter', () => {
    expect(judged(news(items(1, 3), query))).toEqual({
      '4.2/page-size-max-accepted': 0,
      '4.2/news': 0,
    });
    expect(judged(news(items(1, 3), { language: 'zh' }))).toEqual({ '4.2/news': 0 });
    expect(judged(news(items(1, 3), { category: '2' }))).toEqual({ '4.2/news': 0 });
  });

  it('proves nothing about parameters if it is of another kind', () => {
    expect(judged(exchange({}, { query }))).toEqual({ '4.2/news': 1 });
  });
});

describe('the smallest page of featured news', () => {
  it('counts as a refused bound only if the refusal says so', () => {
    const body = { code: 400003, message: 'x', details: { field: 'page_size' } };
    const options = {
      query: { page: '1', page_size: '20' },
      endpoint: '/news/featured',
      status: 400,
    } as const;
    expect(judged(exchange(body, options))).toEqual({ '4.2/featured-page-size-bounds': 1 });
    const other = { ...body, details: {} };
    expect(judged(exchange(other, options))).toEqual({ '4.2/featured': 1 });
    expect(judged(featured(items(1, 3)))).toEqual({ '4.2/featured': 0 });
  });
});

describe('a refusal of a request with an open parameter', () => {
  const endpoint = '/etfs/summary-history';
  const query = { symbol: 'link', country_code: 'us', start_date: '2026-03-04' };
  const refusal = (message: string): Exchange =>
    exchange({ code: 400003, message, details: {} }, { query, endpoint, status: 400 });

  it('is inconclusive, whatever it names', () => {
    expect(judged(refusal('Invalid parameter: symbol'))).toEqual({});
    expect(judged(refusal('Invalid parameter: start_date'))).toEqual({});
    expect(judged(refusal('Range not supported'))).toEqual({});
  });

  it('does not count for a page size that may reach too far back', () => {
    const far = { page: '9', page_size: '100' };
    const body = { code: 400003, message: 'Invalid parameter: page_size', details: {} };
    expect(judged(exchange(body, { query: far, status: 400 }))).toEqual({});
  });
});

describe('the letter case of a pair', () => {
  it('is judged for symbol and country alike', () => {
    const query = { symbol: 'link', country_code: 'us' };
    expect(judged(exchange([], { query, endpoint: '/etfs/summary-history' }))).toMatchObject({
      '4.3/symbol-case': 0,
      '4.3/country-case': 0,
      '4.3/listed': 0,
    });
  });
});

describe('a valid key rejected as invalid', () => {
  // The specification leaves one-item pages open, but not whether the key is valid.
  const query = { page: '2', page_size: '1', currency_id: 'x' };
  const asKey = exchange({ code: 400101, message: 'x', details: {} }, { query, status: 401 });

  const judgedAfter = (before: readonly Exchange[]): Record<string, number> => {
    const into = new Judgement();
    const view = viewOf(asKey, DEFAULT_FACTS);
    const context = contextOf(DEFAULT_FACTS, [...before, asKey]);
    if (view !== undefined) apply(view, context, into);
    return Object.fromEntries(
      [...into.requirements].map(([id, { findings }]) => [id, findings.length]),
    );
  };

  it('is a finding whatever else about the request is open', () => {
    expect(judgedAfter([news(items(1, 3))])).toEqual({ '4.2/news': 1 });
  });

  it('is inconclusive if the key was never accepted', () => {
    expect(judgedAfter([])).toEqual({});
  });
});
