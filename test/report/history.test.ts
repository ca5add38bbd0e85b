import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { diffResults } from '../../src/report/model/diff.ts';
import { diffOutline } from '../../src/report/analysis/diff-outline.ts';
import { toMarkdown } from '../../src/report/formats/markdown.ts';
import { toTerminal } from '../../src/report/terminal/terminal.ts';
import {
  earlierRun,
  historyOf,
  historyWords,
  wordsById,
} from '../../src/report/analysis/history.ts';
import { renderHtml } from '../../src/report/page/page.tsx';
import type { Outcome, Results } from '../../src/report/model/results.ts';
import { validate } from '../../src/judge/schema/schemas.ts';
import { withHistory } from '../../src/run/history.ts';
import { makeRequirement, makeResults } from './fixture.ts';

const run = (day: number, outcome: Outcome): Results => ({
  ...makeResults(),
  startedAt: `2026-11-${String(day).padStart(2, '0')}T09:00:00.000Z`,
  requirements: [
    makeRequirement('4.3/unlisted', outcome),
    makeRequirement('4.3/order', 'passed'),
    makeRequirement('4.3/holidays', day % 2 === 0 ? 'untested' : 'passed'),
  ],
});

describe('historyWords', () => {
  it.each([
    ['ffp', 'f', 'failed in 3 of 4 runs, intermittently'],
    ['pppppff', 'f', 'failed in the last 3 of 8 runs'],
    ['fff', 'p', 'failed in 3 of 4 runs, not in the last'],
    ['fppp', 'p', 'failed in 1 of 5 runs, not in the last 4'],
    ['ppp', 'f', 'failed for the first time in 4 runs'],
    ['f', 'f', 'failed in each of 2 runs'],
    ['www', 'w', 'warned in each of 4 runs'],
    ['u-u', 'f', null],
    ['ppp', 'p', null],
    ['p-u', 'f', 'failed for the first time in 2 runs that judged it'],
    // This run, or one before it, could not judge it.
    ['ff', 'u', 'failed in each of 2 runs that judged it'],
    ['fff', 'i', 'failed in each of 3 runs that judged it'],
    ['fp', 'i', 'failed in 1 of 2 runs that judged it, not in the last'],
    ['fpp', 'u', 'failed in 1 of 3 runs that judged it, not in the last 2'],
    ['pf', 'u', 'failed for the first time in 2 runs that judged it'],
    ['pff', 'u', 'failed in the last 2 of 3 runs that judged it'],
    ['fi', 'f', 'failed in each of 2 runs that judged it'],
    ['f', 'u', null],
  ])('%s then %s: %s', (before, now, words) => {
    const names: Record<string, Outcome> = {
      p: 'passed',
      f: 'failed',
      w: 'warned',
      u: 'untested',
      i: 'inconclusive',
    };
    const then = before.split('').map((one) => names[one] ?? null);
    expect(historyWords(then, names[now] ?? 'passed')).toBe(words);
  });
});

describe('historyOf', () => {
  const now = run(20, 'failed');
  const earlier = [run(19, 'failed'), run(17, 'passed'), run(21, 'passed')].flatMap(
    (one) => earlierRun(one) ?? [],
  );
  const history = historyOf(now, earlier);

  it('puts earlier runs in order, and leaves later ones out and what passed in all', () => {
    expect(history?.runs.map(({ startedAt }) => startedAt.slice(8, 10))).toEqual(['17', '19']);
    expect(history?.outcomes).toEqual({
      '4.3/unlisted': ['passed', 'failed'],
      // Verified in the last run, and not in this one.
      '4.3/holidays': ['passed', 'passed'],
    });
    expect(historyOf(now, [])).toBeNull();
  });

  it('is told in the terminal, in Markdown, in the page, and fits the schema', () => {
    const told: Results = { ...now, ...(history === null ? {} : { history }) };
    const words = wordsById(told);
    expect(words.get('4.3/unlisted')).toBe('failed in the last 2 of 3 runs');
    const diff = diffResults(run(19, 'failed'), told);
    const outline = diffOutline(diff, told);
    expect(toTerminal(outline, { color: false, width: 100 })).toMatch(
      /History +failed in the last 2 of 3 runs/,
    );
    expect(toMarkdown(outline)).toContain('failed in the last 2 of 3 runs');
    const page = renderHtml(told);
    expect(page).toContain('History over 3 runs');
    expect(page).toContain('<td>failed in the last 2 of 3 runs</td>');
    expect(validate('results', JSON.parse(JSON.stringify(told)))).toEqual([]);
  });

  it('takes no history of another form', () => {
    for (const bad of [
      {},
      { runs: 1 },
      { runs: [{ startedAt: 'x' }], outcomes: { a: ['evil'] } },
    ]) {
      expect(validate('results', { ...now, history: bad })).not.toEqual([]);
    }
    for (const profile of ['load', 'recorded'])
      expect(earlierRun({ ...run(19, 'failed'), profile })).toBeUndefined();
    for (const bad of [null, 7, {}, { startedAt: 'x', verdict: 'y', requirements: [] }]) {
      expect(earlierRun(bad)).toBeUndefined();
    }
  });
});

describe('withHistory', () => {
  const parent = mkdtempSync(path.join(tmpdir(), 'assay-history-'));
  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  it('counts no replay among the runs: it says again what its recording says', async () => {
    const replayed = { file: 'results.json', recordedAt: run(18, 'failed').startedAt, unasked: 0 };
    for (const [name, content] of [
      ['2026-11-17', run(17, 'passed')],
      ['2026-11-18', run(18, 'failed')],
      ['2026-11-19', { ...run(18, 'failed'), replayed }],
    ] as const) {
      mkdirSync(path.join(parent, name), { recursive: true });
      writeFileSync(path.join(parent, name, 'results.json'), JSON.stringify(content));
    }
    const { history } = await withHistory(run(20, 'failed'), path.join(parent, '2026-11-20'));
    expect(history?.outcomes).toEqual({ '4.3/unlisted': ['passed', 'failed'] });
  });

  it('reads the runs of the same target that lie beside the output', async () => {
    const write = (name: string, content: unknown): void => {
      mkdirSync(path.join(parent, name), { recursive: true });
      writeFileSync(path.join(parent, name, 'results.json'), JSON.stringify(content));
    };
    write('2026-11-17', run(17, 'passed'));
    write('2026-11-18', run(18, 'failed'));
    const other = run(19, 'failed');
    write('2026-11-19', {
      ...other,
      target: { ...other.target, baseUrl: 'https://other.example' },
    });
    mkdirSync(path.join(parent, '2026-11-16'));
    writeFileSync(path.join(parent, '2026-11-16', 'results.json'), '{"target":');
    const now = run(20, 'failed');
    const told = await withHistory(now, path.join(parent, '2026-11-20'));
    expect(told.history?.outcomes).toEqual({ '4.3/unlisted': ['passed', 'failed'] });
    const embedded = { ...now, target: { ...now.target, reference: true } };
    expect(await withHistory(embedded, path.join(parent, '2026-11-20'))).toBe(embedded);
  });
});
