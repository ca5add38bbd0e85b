import { describe, expect, it } from 'vitest';
import { makeExchange, makeRequirement, makeResults } from '../../../test/report/fixture.ts';
import { gateByBaseline } from './baseline-gate.ts';
import { withBaseline } from './diff.ts';
import { headOf } from './head.ts';
import { statusOf } from './status.ts';
import type { Outcome, RequirementResult, Results } from './results.ts';

function results(outcomes: Record<string, Outcome>, more: Partial<Results> = {}): Results {
  const requirements = Object.entries(outcomes).map(
    ([id, outcome]) =>
      ({
        id,
        outcome,
        level: 'must',
        findings: [],
        exchanges: [],
        checks: [{ title: 'the only check', outcome, exchanges: [] }],
      }) as unknown as RequirementResult,
  );
  const count = (outcome: Outcome): number =>
    requirements.filter((one) => one.outcome === outcome).length;
  const violates = count('failed') > 0;
  return {
    verdict: violates ? 'violates' : 'conforms',
    exitCode: violates ? 1 : 0,
    sentence: 'A verdict.',
    load: [],
    exchanges: [],
    requirements,
    summary: { must: { inconclusive: count('inconclusive'), untested: count('untested') } },
    ...more,
  } as unknown as Results;
}

const only = (id: string): NonNullable<Results['settings']> =>
  ({ only: [id], skip: [] }) as unknown as NonNullable<Results['settings']>;

const known = results({ '4.1/a': 'failed', '4.1/b': 'passed' });

describe('a baseline as a gate', () => {
  it('lets known violations through and stops a new one', () => {
    expect(gateByBaseline(known, known, ['must'])).toMatchObject({
      exitCode: 0,
      verdict: 'violates',
      gate: { known: ['4.1/a'], regressions: [] },
    });
    const worse = results({ '4.1/a': 'failed', '4.1/b': 'failed' });
    expect(gateByBaseline(worse, known, ['must'])).toMatchObject({
      exitCode: 1,
      sentence: 'A verdict. Against the baseline: 1 new (4.1/b); 1 known.',
    });
  });

  it('counts new warnings apart from new violations, where they do not fail the run', () => {
    const before = results({ '4.1/a': 'failed', '4.1/b': 'passed', '4.1/c': 'warned' });
    const now = results({ '4.1/a': 'failed', '4.1/b': 'warned', '4.1/c': 'warned' });
    const sentenceOf = (...failOn: readonly ('must' | 'should')[]): string =>
      gateByBaseline(now, before, failOn).sentence;
    expect(sentenceOf('must')).toContain('baseline: 1 new warning (4.1/b); 1 known.');
    expect(gateByBaseline(now, before, ['must']).exitCode).toBe(0);
    expect(sentenceOf('must', 'should')).toContain('baseline: 1 new (4.1/b); 2 known.');
    const two = results({ '4.1/a': 'failed', '4.1/b': 'warned', '4.1/d': 'warned' });
    expect(gateByBaseline(two, before, ['must']).sentence).toContain(
      '2 new warnings (4.1/b, 4.1/d)',
    );
  });

  it('knows what was waived in the baseline, as the comparison does', () => {
    const now = { ...makeResults(), requirements: [makeRequirement('4.1/a', 'failed')] };
    const waived = [makeRequirement('4.1/a', 'waived')];
    const told = gateByBaseline(
      withBaseline(now, { ...now, requirements: waived }),
      { ...now, requirements: waived },
      ['must'],
    );
    expect(told).toMatchObject({ exitCode: 0, gate: { known: ['4.1/a'], regressions: [] } });
    expect(told.changes?.changes).toMatchObject([{ kind: 'still-violated' }]);
  });

  it('fails on a violation that has gone, that was not judged, or that names nothing', () => {
    const better = results({ '4.1/a': 'passed', '4.1/b': 'passed' });
    expect(gateByBaseline(better, known, ['must'])).toMatchObject({
      exitCode: 1,
      gate: { unexpectedPasses: ['4.1/a'] },
    });
    const open = results({ '4.1/a': 'untested', '4.1/b': 'passed' });
    expect(gateByBaseline(open, known, ['must'])).toMatchObject({
      exitCode: 1,
      gate: { stale: ['4.1/a'] },
    });
    const renamed = results({ '4.1/b': 'passed' });
    expect(gateByBaseline(renamed, known, ['must'])).toMatchObject({
      exitCode: 1,
      gate: { unmatched: ['4.1/a'] },
    });
  });

  it('never calls a violation fixed, nor the baseline out of date, when it was not judged again', () => {
    const smaller = results({ '4.1/a': 'passed', '4.1/b': 'passed' }, { profile: 'smoke' });
    const told = gateByBaseline(smaller, known, ['must']);
    expect(told).toMatchObject({ exitCode: 1, gate: { unexpectedPasses: [], stale: ['4.1/a'] } });
    const { title, lines } = headOf({ ...told, target: {} } as Results);
    expect(title).toBe('CONFORMS, but violations of the baseline are not shown to be fixed');
    expect(lines.map(({ text }) => text).join()).toContain('and not shown to be fixed');
    const [one] = told.requirements;
    expect(one && statusOf(one, told).words).toContain(
      'not all that failed was judged again; passed',
    );
    // --only selects it, so it is missing as in a whole run.
    const narrow = gateByBaseline({ ...smaller, settings: only('4.1/a') }, known, ['must']);
    expect(narrow).toMatchObject({ exitCode: 1, gate: { unexpectedPasses: [], stale: ['4.1/a'] } });
  });

  it.each<Record<string, Outcome>>([
    { '4.1/a': 'passed', '4.1/b': 'passed' },
    { '4.1/a': 'passed', '4.1/b': 'failed' },
    { '4.1/a': 'passed', '4.1/b': 'untested' },
    { '4.1/b': 'failed', '4.1/c': 'passed' },
  ])('never asks for a baseline that hides what is new or no longer verified: %j', (now) => {
    const told = gateByBaseline(results(now), known, ['must']);
    expect(told.sentence).not.toMatch(/update the baseline|--baseline/i);
    const { lines } = headOf({ ...told, target: {} } as Results);
    const asking = lines.filter(({ text }) => text.includes('baseline'));
    expect(asking.length).toBeGreaterThan(0);
    for (const { text } of asking)
      expect(text).toMatch(
        /not in the baseline|\(once a whole run has nothing new, nothing left unjudged and/,
      );
  });

  it('says that a server error hides a known violation', () => {
    const shown = (outcome: Outcome, status: number): Results => {
      const run = results(
        { '4.1/a': outcome },
        { exchanges: [makeExchange(1, { endpoint: '/news', path: '/news', status })] },
      );
      const requirements = run.requirements.map((one) => ({
        ...one,
        findings: outcome === 'failed' ? [{ exchange: 'x1' }] : [],
      }));
      return { ...run, requirements } as unknown as Results;
    };
    const told = gateByBaseline(shown('passed', 500), shown('failed', 200), ['must']);
    expect(told).toMatchObject({ exitCode: 1, gate: { stale: [], hidden: ['4.1/a'] } });
    expect(told.sentence).toContain('1 hidden by a server error (4.1/a)');
    const { lines } = headOf({ ...told, target: {} } as Results);
    expect(lines.map(({ text }) => text).join()).toContain('now hidden by a server error');
  });

  it('warns of a must that was verified and is untested now', () => {
    const open = results({ '4.1/a': 'failed', '4.1/b': 'untested' });
    expect(gateByBaseline(open, known, ['must'])).toMatchObject({
      exitCode: 0,
      sentence: 'A verdict. Against the baseline: 1 must no longer verified (4.1/b); 1 known.',
    });
  });

  it.each([
    ['4.1/b', '4.1/b', 'x1', 0],
    ['4.1/b', '4.1/a', 'x1', 0],
    ['4.1/b', '4.1/a', null, 1],
    ['4.1/c', '4.1/a', 'x1', 1],
  ])('fails, with %s left out, on %s, seen in %s: %d', (out, id, exchange, exitCode) => {
    const cause = { kind: 'not-selected', by: 'only' };
    const ids = ['4.1/a', '4.1/b', '4.1/c'];
    const outcomes = Object.fromEntries(
      ids.map((one) => [one, one === out ? 'untested' : 'passed']),
    );
    const part = results(outcomes as Record<string, Outcome>, {
      settings: only(id),
      profile: 'smoke',
    });
    const was = results({
      '4.1/a': 'passed',
      '4.1/b': 'passed',
      '4.1/c': 'passed',
      [id]: 'failed',
    });
    // The check of 4.1/b sent the request.
    const before = was.requirements.map((one) => ({
      ...one,
      ...(one.id === id && { findings: [{ exchange }] }),
      checks: one.checks.map((check) => ({
        ...check,
        exchanges: one.id === '4.1/b' ? ['x1'] : [],
      })),
    }));
    const after = part.requirements.map((one) => (one.id === out ? { ...one, cause } : one));
    const told = gateByBaseline(
      { ...part, requirements: after } as unknown as Results,
      { ...was, requirements: before } as unknown as Results,
      ['must'],
    );
    expect(told).toMatchObject({ exitCode, gate: { stale: exitCode === 0 ? [] : [id] } });
  });

  it('reaches no verdict when a must could not be judged, and leaves a run without one alone', () => {
    const open = results({ '4.1/a': 'failed', '4.1/b': 'inconclusive' });
    expect(gateByBaseline(open, known, ['must'])).toMatchObject({
      exitCode: 3,
      failing: [{ id: '4.1/b', why: 'inconclusive' }],
    });
    const cut = results({ '4.1/a': 'failed' }, { verdict: 'interrupted', exitCode: 130 });
    expect(gateByBaseline(cut, known, ['must'])).toBe(cut);
  });

  it('shows known violations as skipped, and fixed ones as what they are, to other tools', () => {
    const stateIn = (run: Results): string => {
      const [first] = run.requirements;
      return first === undefined ? '' : statusOf(first, run).state;
    };
    expect(stateIn(gateByBaseline(known, known, ['must']))).toBe('skipped');
    expect(stateIn(known)).toBe('failed');
    const better = gateByBaseline(results({ '4.1/a': 'passed' }), known, ['must']);
    expect(stateIn(better)).toBe('passed');
    expect(better.sentence).toContain('1 fixed (4.1/a)');
  });
});
