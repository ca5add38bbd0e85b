import { describe, expect, it } from 'vitest';
import { missingSetting, NO_DATA, notSelected } from '../spec/cause.ts';
import type { Exchange } from '../spec/exchange.ts';
import type { RequirementId } from '../spec/requirement-id.ts';
import type { CheckMeta } from '../suite/outcome.ts';
import { UNDECIDED } from '../spec/limits.ts';
import { DEFAULT_FACTS } from '../judge/facts.ts';
import { hindrancesOf, violatedIn } from '../requirements/hindrances.ts';
import type { RequirementResult } from '../report/model/results.ts';
import { requirementOf } from '../requirements/catalogue.ts';
import { assemble, readingsOf, untested as openResult, withLeftOut } from './assemble.ts';
import { Collector } from './collect.ts';

const ID: RequirementId = '4.3/order';
const rows = (dates: readonly string[]): string =>
  JSON.stringify(
    dates.map((date) => ({
      date,
      total_net_inflow: 1,
      total_value_traded: 1,
      total_net_assets: 1,
      cum_net_inflow: 1,
    })),
  );
const listing = (text: string, status = 200): Exchange => ({
  id: 'x1',
  endpoint: '/etfs/summary-history',
  pathParameters: {},
  role: 'valid',
  key: 'k-1',
  request: {
    method: 'GET',
    url: 'http://t.test/etfs/summary-history?symbol=BTC&country_code=US',
    path: '/etfs/summary-history',
    query: [
      ['symbol', 'BTC'],
      ['country_code', 'US'],
    ],
    headers: {},
  },
  response: { status, headers: { 'content-type': 'application/json' }, text, bytes: 1 },
  error: null,
  sentAt: Date.UTC(2026, 8, 9, 15),
  receivedAt: Date.UTC(2026, 8, 9, 15),
  skewMs: 0,
  attempt: 1,
});
const SORTED = rows(['2026-09-08', '2026-09-04', '2026-09-03']);
const MIXED = rows(['2026-09-03', '2026-09-08', '2026-09-04']);

type Outcome = NonNullable<CheckMeta['outcome']>;

/** Result of the requirement for these check outcomes and exchanges. */
function endOf(
  outcomes: readonly Outcome[],
  text: string,
  fatal: NonNullable<CheckMeta['session']>['fatal'] = null,
  status = 200,
  times = 1,
): RequirementResult | undefined {
  const collector = new Collector();
  for (let n = 1; n <= times; n += 1)
    collector.exchanges.push({ ...listing(text, status), id: `x${n}` });
  collector.session = {
    total: 1,
    byRole: { valid: 1 },
    waitedMs: 0,
    facts: DEFAULT_FACTS,
    shown: {},
    keys: {},
    isThere: true,
    fatal,
  };
  for (const outcome of outcomes) {
    const meta: CheckMeta = { requirement: ID, check: 'c', profile: 'standard', outcome };
    collector.checks.push({ meta, outcome, ms: 1 });
  }
  return assemble(collector).requirements.find(({ id }) => id === ID);
}

const untested = (cause: Outcome['cause']): Outcome => ({
  kind: 'untested',
  reason: 'r',
  ...(cause === undefined ? {} : { cause }),
});

describe('assemble', () => {
  it.each([NO_DATA, notSelected('profile'), notSelected('budget'), missingSetting('fixtures.x')])(
    'passes on clean evidence although the check was untested for %j',
    (cause) => {
      expect(endOf([untested(cause)], SORTED)).toMatchObject({
        outcome: 'passed',
        cause: null,
        exchanges: ['x1'],
      });
    },
  );

  it.each([notSelected('only'), notSelected('skip')])(
    'does not look at what the user left out: %j',
    (cause) => {
      expect(endOf([untested(cause)], MIXED)).toMatchObject({ outcome: 'untested', cause });
    },
  );

  it('fails on a finding in any exchange', () => {
    expect(endOf([untested(NO_DATA)], MIXED)?.outcome).toBe('failed');
    expect(endOf([{ kind: 'passed', reason: null }], MIXED)?.outcome).toBe('failed');
  });

  it('counts the findings that are not recorded', () => {
    expect(endOf([untested(NO_DATA)], MIXED)?.total).toBeUndefined();
    const many = endOf([untested(NO_DATA)], MIXED, null, 200, 25);
    expect(many?.findings).toHaveLength(20);
    expect(many?.total).toBe(25);
    expect(many?.unrecorded).toEqual(['x21', 'x22', 'x23', 'x24', 'x25']);
  });

  it('ranks withheld evidence above clean evidence', () => {
    const withheld: Outcome = { kind: 'inconclusive', reason: 'no answer' };
    expect(endOf([withheld], SORTED)).toMatchObject({ outcome: 'inconclusive', cause: null });
  });

  it('is untested with the most specific cause when there is no evidence', () => {
    const empty = rows([]);
    const left = { ...untested(notSelected('profile')), reason: 'left out' };
    const checks = [untested(NO_DATA), left];
    const ended = endOf(checks, empty);
    expect(ended).toMatchObject({ outcome: 'untested', reason: 'r', cause: NO_DATA });
    // Smoke leaves out most of what could show it.
    const all = ended === undefined ? [] : [ended];
    expect(withLeftOut('smoke', all)[0]).toMatchObject({ reason: 'left out', cause: left.cause });
    expect(withLeftOut('standard', all)).toEqual(all);
    const missing = missingSetting('fixtures.x');
    expect(endOf([...checks, untested(missing)], empty)?.cause).toEqual(missing);
  });

  it('reports no violation when the run ended before the service answered', () => {
    const fatal = { code: 'ASSAY_NOT_THIS_SERVICE', message: 'm', hint: 'h' };
    const failed: Outcome = { kind: 'failed', reason: 'r' };
    expect(endOf([failed], '{"ok":true}', fatal)).toMatchObject({
      outcome: 'inconclusive',
      findings: [],
    });
    expect(endOf([failed], '{"ok":true}')?.outcome).toBe('failed');
  });
});

describe('readingsOf', () => {
  const reading = (answer: string, exchange: string) => ({
    question: 'Form of error codes',
    answer,
    exchange,
    requirement: null,
  });
  const mixed = [reading('six', 'x1'), reading('five', 'x2'), reading('six', 'x3')];

  it('counts the exchanges of each reading when a target mixes them', () => {
    // Rules and checks may read the same answer.
    expect(readingsOf([...mixed, reading('six', 'x3')])[0]?.forms).toEqual([
      { answer: 'six', count: 2 },
      { answer: 'five', count: 1 },
    ]);
    expect(readingsOf([reading('six', 'x1')])[0]).not.toHaveProperty('forms');
  });

  it('is no mix where one key shows what another does not', () => {
    const read = readingsOf([reading('fixed', 'x1'), reading(UNDECIDED, 'x2')]);
    expect(read).toMatchObject([{ answer: 'fixed', mixed: false }]);
    expect(readingsOf([reading(UNDECIDED, 'x2')])).toMatchObject([{ answer: UNDECIDED }]);
  });

  it('gives no count when not every reading was kept', () => {
    const [read] = readingsOf(mixed, false);
    expect(read?.forms?.map(({ count }) => count)).toEqual([null, null]);
  });
});

describe('what explains that the run shows nothing', () => {
  it.each([
    ['8/window-length', '8/limit-enforced'],
    ['2.2/price-in-range', '2.2/high-low'],
    ['4.3/holidays', '4.3/summary-history'],
  ])('of %s is %s', (id, violated) => {
    expect(hindrancesOf({ id, cause: NO_DATA })).toContain(violated);
    expect(hindrancesOf({ id, cause: notSelected('profile') })).toEqual([]);
    expect(hindrancesOf({ id, cause: null })).toEqual([]);
  });

  it('of the unit of a wait is what its refusals lack, and without refusals the limiter', () => {
    const failed = (...ids: readonly RequirementId[]) =>
      ids.map((id) => ({
        ...openResult(requirementOf(id), null, NO_DATA),
        outcome: 'failed' as const,
      }));
    const unit = { id: '8/retry-after-unit', cause: NO_DATA };
    const followed = (...ids: readonly RequirementId[]) =>
      violatedIn(hindrancesOf(unit, failed(...ids)), failed(...ids)).follows;
    expect(followed('8/limit-enforced', '8/retry-after')).toEqual(['8/retry-after']);
    expect(followed('8/limit-enforced')).toEqual(['8/limit-enforced']);
  });
});

it('an endpoint that answers some requests rightly hides nothing', () => {
  const finding = { message: 'm', expected: 'e', actual: 'a', pointer: null, exchange: 'x1' };
  const hiding = (...exchanges: readonly string[]) => {
    const one = openResult(requirementOf('4.4/history'), null, NO_DATA);
    const history = { ...one, findings: [finding], exchanges, unrecorded: ['x2'] };
    return hindrancesOf({ id: '4.4/volume-of-shares', cause: NO_DATA }, [history]);
  };
  expect(hiding('x1', 'x2')).toContain('4.4/history');
  expect(hiding('x1', 'x2', 'x3')).not.toContain('4.4/history');
});

describe('what keeps a requirement from being judged', () => {
  const violated = (id: RequirementId, exchange: string): RequirementResult => ({
    ...(assemble({ checks: [], exchanges: [], session: undefined }).requirements.find(
      (one) => one.id === id,
    ) as RequirementResult),
    outcome: 'failed',
    findings: [{ message: 'm', expected: 'e', actual: 'a', pointer: null, exchange }],
  });

  it('is a server error, and nothing else that is wrong with its answer', () => {
    const shape = violated('7/error-shape', 'x1');
    const crash = violated('4/no-5xx', 'x1');
    expect(violatedIn(['x1'], [shape])).toEqual({ follows: ['7/error-shape'] });
    expect(violatedIn(['x1'], [shape, crash])).toEqual({ follows: ['4/no-5xx'] });
    expect(violatedIn(['7/error-shape'], [shape, crash])).toEqual({ follows: ['7/error-shape'] });
  });

  it('is not a wrong header of its answer', () => {
    const one = violated('8/remaining-decrements', 'x1');
    const figures = one.findings.map((found) => ({ ...found, header: 'x-ratelimit-remaining' }));
    expect(violatedIn(['x1'], [{ ...one, findings: figures }])).toEqual({});
  });
});
