import { describe, expect, it } from 'vitest';
import {
  missingSetting,
  NEEDS_TIME,
  NO_DATA,
  notSelected,
  type UntestedCause,
} from '../../src/spec/cause.ts';
import { diffResults, withBaseline } from '../../src/report/model/diff.ts';
import type { Change } from '../../src/report/model/diff.ts';
import { gateByBaseline } from '../../src/report/model/baseline-gate.ts';
import { changedSince } from '../../src/report/analysis/history.ts';
import { changeCount } from '../../src/report/model/diff-words.ts';
import { diffOutline } from '../../src/report/analysis/diff-outline.ts';
import { outlineOf } from '../../src/report/analysis/outline.ts';
import { renderSarif } from '../../src/report/formats/sarif.ts';
import { toMarkdown } from '../../src/report/formats/markdown.ts';
import { toTerminal } from '../../src/report/terminal/terminal.ts';
import { renderHtml } from '../../src/report/page/page.tsx';
import type { RequirementResult, Results, RunSettings } from '../../src/report/model/results.ts';
import { validate } from '../../src/judge/schema/schemas.ts';
import { makeExchange, makeRequirement, makeResults } from './fixture.ts';

function withRequirements(...requirements: readonly RequirementResult[]): Results {
  return { ...makeResults(), requirements };
}

function changes(before: Results, after: Results): readonly Change[] {
  return diffResults(before, after).changes;
}

function kindOf(before: RequirementResult | null, after: RequirementResult | null): string {
  const list = changes(
    withRequirements(...(before === null ? [] : [before])),
    withRequirements(...(after === null ? [] : [after])),
  );
  return list.map(({ kind, because }) => `${kind} ${because}`).join(', ');
}

const one = (
  outcome: RequirementResult['outcome'],
  reason?: string,
  cause?: UntestedCause,
  slug = 'order',
): RequirementResult =>
  makeRequirement(`4.3/${slug}`, outcome, {
    level: 'must',
    ...(reason !== undefined && { reason }),
    ...(cause !== undefined && { cause }),
  });

describe('diffResults', () => {
  it('finds nothing between a run and itself', () => {
    const diff = diffResults(makeResults(), makeResults());
    expect(diff.context).toEqual([]);
    expect(diff.answers).toEqual([]);
    expect(diff.changes.map(({ kind }) => kind)).toEqual(
      Array.from({ length: 9 }, () => 'still-violated'),
    );
  });

  it.each([
    [one('passed'), one('failed'), 'new-violation target'],
    [one('untested', 'no row'), one('failed'), 'new-violation data'],
    [one('failed'), one('failed'), 'still-violated target'],
    [one('failed'), one('waived', 'until'), 'still-violated target'],
    [one('failed'), one('passed'), 'fixed target'],
    [one('passed'), one('untested', 'no unsettled row today'), 'newly-unverified data'],
    [
      one('passed'),
      one('untested', 'add keys.expired to the target file', missingSetting('keys.expired')),
      'newly-unverified data',
    ],
    [one('passed'), one('inconclusive', 'the control failed'), 'newly-unverified target'],
    [one('passed'), one('error', 'TypeError'), 'newly-unverified suite'],
    [one('failed'), one('inconclusive', 'the control failed'), 'newly-unverified target'],
    [one('untested', 'no row'), one('passed'), 'newly-verified data'],
    [one('passed'), one('passed'), ''],
    [null, one('passed'), 'added suite'],
    [null, one('failed'), 'new-violation suite'],
    [one('passed'), null, 'removed suite'],
  ] as const)('%#: calls it %3$s', (before, after, expected) => {
    expect(kindOf(before, after)).toBe(expected);
  });

  it('blames the target for what follows a violation of one of the runs, not of both', () => {
    const follower = { ...one('untested', 'r', NO_DATA), follows: ['4.3/x'] };
    const x = (outcome: 'passed' | 'failed') => one(outcome, undefined, undefined, 'x');
    const causeOf = (before: Results, after: Results) =>
      changes(before, after).find(({ subject }) => subject === '4.3/order')?.because;
    const fine = withRequirements(one('passed'), x('passed'));
    const bad = withRequirements(follower, x('failed'));
    expect(causeOf(fine, bad)).toBe('target');
    expect(causeOf(bad, fine)).toBe('target');
    expect(causeOf(withRequirements(one('passed'), x('failed')), bad)).toBe('data');
  });

  it('blames the settings only where they differ, and else timing or data of the run', () => {
    const before = withRequirements(one('passed'));
    const causeWith = (cause: UntestedCause, more: Partial<Results> = {}) => {
      const after = { ...withRequirements(one('untested', 'r', cause)), ...more };
      return changes(before, after)[0]?.because;
    };
    expect(causeWith(notSelected('budget'))).toBe('data');
    expect(causeWith(notSelected('profile'), { profile: 'smoke' })).toBe('settings');
    expect(causeWith(NO_DATA, { profile: 'smoke' })).toBe('data');
    const settings = { only: ['4.1'], skip: [], path: null } as unknown as RunSettings;
    expect(causeWith(notSelected('only'), { settings })).toBe('settings');
    const same = withRequirements(one('untested', 'r', NEEDS_TIME));
    const page = renderHtml(withBaseline(same, before));
    expect(page).toContain('timing or data of the run');
    expect(page).toContain('settings and requested identifiers are the same in both runs.');
    expect(page).not.toContain('come from the implementation');
  });

  it('blames the settings for a violation that only requests of another seed or profile show', () => {
    const shown = { message: 'wrong', expected: 'a', actual: 'b', pointer: null };
    const asked = (id: string) =>
      makeExchange(1, { endpoint: '/news', path: '/news', query: [['page', id]] });
    const with1 = (exchange: string | null, page: string): Results => ({
      ...withRequirements({ ...one('failed'), findings: [{ ...shown, exchange }] }),
      exchanges: [asked(page)],
    });
    const before = { ...withRequirements(one('passed')), exchanges: [asked('1')] };
    const unasked = withRequirements(one('untested', 'r', notSelected('profile')));
    const causeOf = (earlier: Results, now: Results) => changes(earlier, now)[0]?.because;
    const other = { ...with1('x1', '2'), seed: 8 };
    expect(causeOf(before, other)).toBe('settings');
    expect(causeOf(before, { ...with1('x1', '1'), seed: 8 })).toBe('target');
    expect(causeOf(before, with1('x1', '2'))).toBe('data');
    expect(causeOf(before, { ...with1(null, '2'), seed: 8 })).toBe('target');
    expect(causeOf(unasked, { ...with1(null, '2'), profile: 'full' })).toBe('settings');
    const gated = gateByBaseline(withBaseline(other, before), before, ['must']);
    expect(gated).toMatchObject({ exitCode: 1, gate: { regressions: ['4.3/order'] } });
    expect(gated.sentence).toContain('Against the baseline (seed 7): 1 new (4.3/order).');
    for (const text of [renderSarif(gated), toMarkdown(outlineOf(gated))])
      expect(text).toContain("likely the run's settings");
  });

  it.each([
    ['passed', '7', 'fixed'],
    ['failed', '0', 'newly-unverified'],
    ['untested', '0', 'fixed'],
    ['untested', '7', 'newly-unverified'],
  ] as const)(
    'with the limit %s and %s the least remaining, it calls a countdown that passes now %s',
    (outcome, remaining, expected) => {
      const limit = makeRequirement('8/limit-enforced', outcome);
      const last = makeExchange(1, {
        endpoint: '/etfs',
        path: '/etfs',
        headers: { 'x-ratelimit-remaining': remaining },
      });
      const after: Results = {
        ...withRequirements(
          limit,
          makeRequirement('8/remaining-decrements', 'passed', { exchanges: ['x1'] }),
        ),
        exchanges: [last],
      };
      const before = withRequirements(limit, makeRequirement('8/remaining-decrements', 'failed'));
      const ofCountdown = changes(before, after).find(
        ({ subject }) => subject === '8/remaining-decrements',
      );
      expect(ofCountdown?.kind).toBe(expected);
      const gate = gateByBaseline(after, before, ['must'])?.gate;
      expect(gate?.unexpectedPasses.length === 1).toBe(expected === 'fixed');
      const history = {
        runs: [{ comparable: true }],
        outcomes: { '8/remaining-decrements': ['failed'] },
      };
      const since = changedSince({ ...after, history } as unknown as Results, () => 0);
      expect(since.map(([kind]) => kind)).toEqual([expected]);
    },
  );

  it('shows a fix by the same request, and is none where that was not sent again', () => {
    const asked = (number: number, page: string) =>
      makeExchange(number, { endpoint: '/news', path: '/news', query: [['page', page]] });
    const found = { message: 'wrong', expected: 'a', actual: 'b', pointer: null, exchange: 'x1' };
    const before: Results = {
      ...withRequirements({ ...one('failed'), findings: [found] }),
      exchanges: [asked(1, '7')],
    };
    const after = (page: string): Results => ({
      ...withRequirements(makeRequirement('4.3/order', 'passed', { exchanges: ['x1', 'x2'] })),
      exchanges: [asked(1, '1'), asked(2, page)],
    });
    expect(changes(before, after('7'))[0]?.exchanges).toEqual(['x2']);
    expect(changes(before, after('8'))).toMatchObject([
      {
        kind: 'newly-unverified',
        after: 'passed, but the requests that showed the violation were not all judged again',
      },
    ]);
  });

  it('calls nothing removed or added that a load run does not judge', () => {
    const suite = withRequirements(one('passed'), one('failed', 'r', undefined, 'limit'));
    const load = {
      ...withRequirements(one('passed', undefined, undefined, 'limit')),
      profile: 'load',
    };
    for (const [before, after] of [
      [suite, load],
      [load, suite],
    ] as const) {
      const diff = diffResults(before, after);
      expect(diff.changes.map(({ subject }) => subject)).toEqual(['4.3/limit']);
      expect(diff.context.map(({ of }) => of)).not.toContain('suite');
    }
    const red = withRequirements(one('failed'));
    expect(changes({ ...withRequirements(), profile: 'load' }, red)).toMatchObject([
      { kind: 'new-violation', because: 'settings' },
    ]);
  });

  it('says where the reasons are that are left out', () => {
    const many = Array.from({ length: 40 }, (_, index) =>
      one('failed', `defect ${'x'.repeat(index)}`, undefined, `r${index}`),
    );
    const diff = diffResults(withRequirements(), withRequirements(...many));
    const outline = diffOutline(diff, withRequirements(...many));
    const text = toTerminal(outline, { color: false, width: 100 });
    expect(text).toMatch(/\d+ more reasons with --format json/);
    expect(text).not.toContain('in the report');
  });

  it('counts a warning that is fixed as a warning', () => {
    const list = [{ level: 'must' }, { level: 'must' }, { level: 'should' }] as const;
    expect(changeCount('fixed', list)).toBe('2 fixed, 1 warning fixed');
  });

  it('blames the specification or Assay for a requirement that reads differently', () => {
    const before = withRequirements(one('passed'));
    const after = withRequirements({ ...one('failed'), title: 'Another rule' });
    expect(changes(before, after)[0]?.because).toBe('suite');
    const other = { ...after, spec: { sha256: 'f'.repeat(64) } };
    expect(changes(before, other)[0]?.because).toBe('specification');
    expect(diffResults(before, other).context).toMatchObject([{ of: 'specification' }]);
  });

  it('tells changed behaviour from changed data', () => {
    const reading = (answer: string): Results => ({
      ...makeResults(),
      readings: [{ question: 'Values of type', answer, mixed: false, exchanges: ['x1'] }],
    });
    const of = (before: string, after: string): unknown =>
      changes(reading(before), reading(after))
        .filter(({ kind }) => kind === 'behaviour')
        .map(({ because }) => because);
    expect(of('1 (2 times)', '1 (7 times)')).toEqual(['data']);
    expect(of('oldest first', 'newest first')).toEqual(['target']);
    expect(of('oldest first', 'oldest first')).toEqual([]);
    expect(of('fixed', 'not distinguishable')).toEqual([]);
  });

  it('keeps the age of a violation from run to run', () => {
    const first = { ...withRequirements(one('failed')), startedAt: '2026-11-01T00:00:00.000Z' };
    const second = withBaseline(
      { ...withRequirements(one('failed')), startedAt: '2026-11-10T00:00:00.000Z' },
      first,
    );
    const third = withBaseline(
      { ...withRequirements(one('failed')), startedAt: '2026-11-20T00:00:00.000Z' },
      second,
    );
    expect(third.requirements[0]?.since).toBe(first.startedAt);
    expect(third.changes?.changes[0]?.since).toBe(first.startedAt);
    expect(renderHtml(third)).toContain('since 2026-11-01 (19 days)');
  });

  it('links a violation to what shows it, not to the correct answers that were judged with it', () => {
    const finding = { message: 'm', expected: 'e', actual: 'a', pointer: null, exchange: 'x2' };
    const exchanges = ['x1', 'x2', 'x3'];
    const [bad, good] = (['failed', 'passed'] as const).map((outcome) =>
      makeRequirement('4.3/order', outcome, {
        exchanges,
        findings: outcome === 'failed' ? [finding] : [],
      }),
    );
    const of = (before: typeof bad, after: typeof bad): unknown =>
      diffResults(
        withRequirements(...(before ? [before] : [])),
        withRequirements(...(after ? [after] : [])),
      ).changes[0]?.exchanges;
    expect(of(good, bad)).toEqual(['x2']);
    expect(of(bad, bad)).toEqual(['x2']);
    expect(of(bad, good)).toEqual(['x2']);
  });

  it('keeps earlier answers to requests that are answered in another way', () => {
    const exchange = (status: number, body: string): Results => ({
      ...makeResults(),
      requirements: [],
      exchanges: [makeExchange(1, { endpoint: '/news', path: '/news', status, body })],
    });
    expect(diffResults(exchange(200, '[1]'), exchange(400, '{}')).answers).toEqual([
      { exchange: 'x1', earlier: 'x1', status: 200, text: '[1]' },
    ]);
    // Bodies of unsuspected exchanges differ with the day.
    expect(diffResults(exchange(200, '[1]'), exchange(200, '[2]')).answers).toEqual([]);
  });

  it('fits the schema of results.json', () => {
    const results = withBaseline(makeResults({ text: 'now' }), makeResults({ text: 'then' }));
    expect(results.changes?.changes.length).toBeGreaterThan(5);
    expect(validate('results', JSON.parse(JSON.stringify(results)))).toEqual([]);
  });
});
