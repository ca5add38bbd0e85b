import { describe, expect, it } from 'vitest';
import type { Outcome, Verdict } from '../report/model/results.ts';
import {
  asksAll,
  judged,
  NOTHING_KNOWN,
  T1_REQUIREMENT,
  undecided,
  type Judged,
  type Status,
  type VerdictChange,
} from './status.ts';

interface Run {
  readonly outcomes?: Readonly<Record<string, Outcome>>;
  readonly verdict?: Verdict;
  readonly seed?: number;
  readonly kind?: Judged['kind'];
}

const A = '4.3/order';
const B = '4.3/symbol-enum';

function runOf({ outcomes = {}, verdict, seed = 1, kind = 'scheduled' }: Run): Judged {
  const failed = Object.values(outcomes).includes('failed');
  return {
    kind,
    seed,
    folder: 'f',
    at: '2026-11-23T06:00:00.000Z',
    verdict: verdict ?? (failed ? 'violates' : 'no-violation'),
    requirements: Object.entries(outcomes).map(([id, outcome]) => ({
      id,
      title: id,
      level: id.startsWith('s') ? ('should' as const) : ('must' as const),
      outcome,
    })),
  };
}

/** The status after some runs, and the verdict changes on the way. */
function after(runs: readonly (Run & { readonly overdue?: boolean })[]) {
  let status: Status = NOTHING_KNOWN;
  const changes: VerdictChange[] = [];
  for (const { overdue = false, ...run } of runs) {
    const next = judged(status, runOf(run), overdue);
    status = next.status;
    if (next.change !== null) changes.push(next.change);
  }
  return { status, changes: changes.map(({ from, to }) => `${from ?? '-'}>${to}`), all: changes };
}

const good: Run = { outcomes: { [A]: 'passed', [B]: 'passed' } };
const bad: Run = { outcomes: { [A]: 'failed', [B]: 'passed' } };
const down: Run = { verdict: 'incomplete', outcomes: { [A]: 'inconclusive' } };

describe('the verdict of a monitor', () => {
  it('is not reported first if nothing is violated', () => {
    expect(after([good, good])).toMatchObject({ changes: [], status: { verdict: 'holds' } });
  });

  it('is reported first if something is violated', () => {
    expect(after([bad]).changes).toEqual(['->violates']);
    expect(after([down]).changes).toEqual([]);
    expect(after([down, down]).changes).toEqual(['->incomplete']);
  });

  it('changes once, however long it stays', () => {
    const { changes, all } = after([good, bad, bad, bad, good, good]);
    expect(changes).toEqual(['holds>violates', 'violates>holds']);
    expect(all[0]?.violated.map(({ id }) => id)).toEqual([A]);
    expect(all[1]?.mended).toEqual([A]);
  });

  it('does not change for another violation, and names everything fixed', () => {
    const both: Run = { outcomes: { [A]: 'failed', [B]: 'failed' } };
    const other: Run = { outcomes: { [A]: 'passed', [B]: 'failed' } };
    const { changes, all } = after([good, bad, both, other, good]);
    expect(changes).toEqual(['holds>violates', 'violates>holds']);
    expect(all[1]?.mended.toSorted()).toEqual([A, B]);
  });

  it('lists what is open with the worst first', () => {
    const worse: Run = { outcomes: { [B]: 'failed', [A]: 'failed' } };
    expect(after([bad, worse]).status.open.map(({ id }) => id)).toEqual([B, A]);
  });

  it('is not fixed by a run with another seed', () => {
    expect(after([bad, { ...good, seed: 2 }])).toMatchObject({
      changes: ['->violates'],
      status: { verdict: 'violates', open: [{ id: A, seed: 1 }] },
    });
    expect(after([bad, { ...good, seed: 2 }, { ...good, kind: 'confirmation' }]).changes).toEqual([
      '->violates',
      'violates>holds',
    ]);
  });

  it('is fixed with the seed that last found it', () => {
    const { status } = after([bad, { ...bad, seed: 2 }, good]);
    expect(status.open).toMatchObject([{ id: A, seed: 2 }]);
  });

  it.each(['untested', 'inconclusive', 'error'] as const)('is not mended by %s', (outcome) => {
    const { status } = after([bad, { outcomes: { [A]: outcome } }]);
    expect(status.verdict).toBe('violates');
  });

  it('is closed by a waiver', () => {
    expect(after([bad, { outcomes: { [A]: 'waived' } }]).changes).toEqual([
      '->violates',
      'violates>holds',
    ]);
  });

  it('ignores a should', () => {
    expect(
      after([good, { outcomes: { 's/x': 'failed' }, verdict: 'no-violation' }]).changes,
    ).toEqual([]);
  });
});

describe('runs without a verdict', () => {
  it('change it after two in a row', () => {
    expect(after([good, down, good, down, good]).changes).toEqual([]);
    expect(after([good, down, down, down]).changes).toEqual(['holds>incomplete']);
    expect(after([good, down, { verdict: 'error' }]).changes).toEqual(['holds>incomplete']);
  });

  it('change it back with the first that has one', () => {
    expect(after([good, down, down, good]).changes).toEqual([
      'holds>incomplete',
      'incomplete>holds',
    ]);
    expect(after([good, down, down, bad]).changes).toEqual([
      'holds>incomplete',
      'incomplete>violates',
    ]);
  });

  it('do not count if they had nothing to judge', () => {
    const holiday: Run = { verdict: 'incomplete', outcomes: { [A]: 'untested' } };
    expect(after([good, holiday, holiday, holiday]).changes).toEqual([]);
    expect(after([holiday, holiday]).status.verdict).toBeNull();
    expect(after([good, down, holiday, down]).changes).toEqual(['holds>incomplete']);
  });

  it('leave violations open', () => {
    const { changes } = after([bad, down, down, { outcomes: { [B]: 'passed' } }]);
    expect(changes).toEqual(['->violates', 'violates>incomplete', 'incomplete>violates']);
  });

  it('count only if they are scheduled', () => {
    const look: Run = { verdict: 'incomplete', kind: 'settlement' };
    expect(after([good, look, look, look])).toMatchObject({
      changes: [],
      status: { verdict: 'holds', unclear: 0 },
    });
  });

  it('do not count when they were interrupted', () => {
    const cut: Run = { verdict: 'interrupted', outcomes: { [A]: 'failed' } };
    expect(after([good, cut, cut]).changes).toEqual([]);
  });
});

describe('the requirement about rows that settle later', () => {
  const late: Run = { outcomes: { [T1_REQUIREMENT]: 'failed' }, kind: 'settlement', seed: 5 };
  const other: Run = { outcomes: { [T1_REQUIREMENT]: 'passed' }, seed: 6 };

  it('is violated until its row is complete, whatever other rows do', () => {
    const runs = [good, { ...late, overdue: true }, { ...other, overdue: true }];
    expect(after(runs).changes).toEqual(['holds>violates']);
    expect(after([...runs, other]).changes).toEqual(['holds>violates', 'violates>holds']);
  });

  it('is not in follow-ups of the others', () => {
    const { status } = after([good, late]);
    expect(undecided(status, runOf(good))).toEqual([]);
  });
});

describe('an open violation', () => {
  it('says when it was last judged, which later runs that leave it out do not change', () => {
    const at = (day: number, run: Run) => ({ ...runOf(run), at: `2026-11-${day}T06:00:00.000Z` });
    let { status } = judged(NOTHING_KNOWN, at(20, { outcomes: { [A]: 'failed', [B]: 'failed' } }));
    status = judged(status, at(21, { outcomes: { [A]: 'untested', [B]: 'failed' } })).status;
    const { open, mended } = judged(
      status,
      at(22, { outcomes: { [A]: 'untested', [B]: 'passed' } }),
    ).status;
    expect(open).toMatchObject([{ id: A, judgedAt: '2026-11-20T06:00:00.000Z' }]);
    expect(mended).toEqual([B]);
    const elsewhere = at(23, { outcomes: { [A]: 'passed' }, seed: 2 });
    expect(judged(status, elsewhere).status.open[0]?.judgedAt).toBe('2026-11-23T06:00:00.000Z');
  });
});

describe('violations that a run did not decide', () => {
  it('of the limiter need all requests: they are asked again once they passed, but not while they are untested', () => {
    const EARLY = '8/limit-not-early';
    const { status } = after([{ outcomes: { [EARLY]: 'failed' } }]);
    for (const outcome of ['untested', 'inconclusive'] as const)
      expect(undecided(status, runOf({ outcomes: { [EARLY]: outcome }, seed: 2 }))).toEqual([]);
    const passed = undecided(status, runOf({ outcomes: { [EARLY]: 'passed' }, seed: 2 }));
    expect(passed.map(({ id }) => asksAll(id))).toEqual([true]);
    expect(asksAll(A)).toBe(false);
  });

  it('are those it did not judge, and those that passed with another seed', () => {
    const { status } = after([{ outcomes: { [A]: 'failed', [B]: 'failed' } }]);
    const ids = (run: Run): string[] => undecided(status, runOf(run)).map(({ id }) => id);
    expect(ids({ outcomes: { [A]: 'untested', [B]: 'failed' } })).toEqual([A]);
    expect(ids({ outcomes: { [A]: 'passed', [B]: 'passed' }, seed: 2 })).toEqual([A, B]);
    expect(ids({ outcomes: { [A]: 'passed', [B]: 'failed' }, seed: 1 })).toEqual([]);
  });
});
