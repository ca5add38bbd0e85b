import { describe, expect, it } from 'vitest';
import type { SeenRow } from '../run/history.ts';
import { deadlineOf, dueRows, lookAt, settle, type PendingRow } from './settlement.ts';

const at = (text: string): number => Date.parse(text);
const seen = (ticker: string, date: string, settled: boolean, when: string): SeenRow => ({
  ticker,
  date,
  settled,
  seenAt: at(when),
  run: when,
});
const run = (now: string, ticker: string | null = null) => ({ folder: 'f', now: at(now), ticker });

/** A Monday. */
const MONDAY = '2026-11-16';
const first = settle(
  [],
  [seen('A', MONDAY, false, `${MONDAY}T15:00:00Z`)],
  run(`${MONDAY}T15:00:00Z`),
);
const [row] = first.pending as [PendingRow];

describe('a row that was seen unsettled', () => {
  it('is pending until it is complete', () => {
    expect(first.pending).toMatchObject([{ ticker: 'A', date: MONDAY, folder: 'f' }]);
    const later = settle(
      first.pending,
      [seen('A', MONDAY, true, '2026-11-17T12:00:00Z')],
      run('2026-11-17T12:00:00Z'),
    );
    expect(later).toMatchObject({ pending: [], news: [['complete', { ticker: 'A' }]] });
  });

  it('is requested on the next trading day, at its end, after the deadline, and then daily', () => {
    expect(lookAt(row)).toBe(at('2026-11-17T12:00:00Z'));
    expect(dueRows([row], at('2026-11-17T11:59:59Z'))).toEqual([]);
    expect(dueRows([row], at('2026-11-17T12:00:00Z'))).toEqual([row]);
    const looks = ['2026-11-17T12:10:00Z', '2026-11-18T00:10:00Z', '2026-11-18T12:10:00Z'];
    const next = looks.map((moment) => lookAt({ ...row, lookedAt: at(moment) }));
    expect(next).toEqual([at('2026-11-18T00:00:00Z'), deadlineOf(row), at('2026-11-19T12:10:00Z')]);
  });

  it('waits over a weekend, and over a holiday of either country', () => {
    const date = (day: string): PendingRow => ({ ...row, date: day });
    // A Friday, and the day before Thanksgiving.
    expect(lookAt(date('2026-11-20'))).toBe(at('2026-11-23T12:00:00Z'));
    expect(lookAt(date('2026-11-25'))).toBe(at('2026-11-27T12:00:00Z'));
  });

  it('is overdue once, if incomplete after its deadline', () => {
    const late = new Date(deadlineOf(row) + 1000).toISOString();
    const again = [seen('A', MONDAY, false, late)];
    const one = settle(first.pending, again, run(late, 'A'));
    expect(one).toMatchObject({
      news: [['overdue', { ticker: 'A' }]],
      pending: [{ overdue: true }],
    });
    const two = settle(one.pending, again, run(late, 'A'));
    expect(two.news).toEqual([]);
    expect(two.pending).toHaveLength(1);
  });

  it('is not overdue before', () => {
    const early = new Date(deadlineOf(row) - 1000).toISOString();
    const one = settle(first.pending, [seen('A', MONDAY, false, early)], run(early, 'A'));
    expect(one).toMatchObject({ news: [], pending: [{ overdue: false }] });
  });

  it('is not overdue without answers', () => {
    const late = new Date(deadlineOf(row) + 1000).toISOString();
    const one = settle(first.pending, [], run(late, 'A'));
    expect(one).toMatchObject({ news: [], pending: [{ lookedAt: at(late), overdue: false }] });
  });

  it('is dropped when it is too old', () => {
    const one = settle(first.pending, [], run('2026-12-01T00:00:00Z'));
    expect(one).toMatchObject({ pending: [], news: [['lost', { ticker: 'A' }]] });
  });

  it('has the state of the last answer of a run', () => {
    const rows = [
      seen('A', MONDAY, false, '2026-11-17T12:00:00Z'),
      seen('A', MONDAY, true, '2026-11-17T12:00:01Z'),
    ];
    expect(settle(first.pending, rows, run('2026-11-17T12:01:00Z')).news).toHaveLength(1);
    expect(settle([], rows, run('2026-11-17T12:01:00Z')).pending).toEqual([]);
  });

  it('is one of two per day', () => {
    const rows = ['A', 'B', 'C', 'D', 'E', 'F'].map((ticker) =>
      seen(ticker, MONDAY, false, `${MONDAY}T15:00:00Z`),
    );
    expect(settle([], rows, run(`${MONDAY}T15:00:00Z`)).pending).toHaveLength(2);
  });

  it('is not followed if it was overdue from the start', () => {
    const rows = [seen('A', MONDAY, false, '2026-11-20T15:00:00Z')];
    expect(settle([], rows, run('2026-11-20T15:00:00Z')).pending).toEqual([]);
  });
});
