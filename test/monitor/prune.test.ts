import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { prune } from '../../src/monitor/history.ts';
import { newState, storeOf, type MonitorState, type RunEntry } from '../../src/monitor/state.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-30T00:00:00Z');

const entry = (folder: string, daysAgo: number): RunEntry => ({
  kind: folder.startsWith('looks') ? 'settlement' : 'scheduled',
  folder,
  startedAt: new Date(NOW - daysAgo * DAY).toISOString(),
  endedAt: new Date(NOW - daysAgo * DAY).toISOString(),
  profile: 'smoke',
  seed: 1,
  verdict: 'no-violation',
  sentence: '',
  requests: { valid: 1, restricted: 0 },
  violated: [],
  verified: 1,
});

let parent: string;
let output: string;
beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'assay prune '));
  output = path.join(parent, 'monitor');
});

async function pruned(
  runs: readonly RunEntry[],
  more: Partial<MonitorState> = {},
): Promise<{ readonly there: readonly string[]; readonly state: MonitorState }> {
  for (const { folder } of runs) mkdirSync(path.join(output, folder), { recursive: true });
  const store = storeOf(output, { ...newState('http://127.0.0.1:1', 0), runs, ...more });
  await prune(store, { output, keepMs: 7 * DAY }, NOW);
  const there = runs.flatMap(({ folder }) =>
    existsSync(path.join(output, folder)) ? [folder] : [],
  );
  return { there, state: store.state };
}

describe('what is kept', () => {
  it('is what is recent enough, and the last run', async () => {
    const { there, state } = await pruned([
      entry('runs/1', 20),
      entry('looks/2', 19),
      entry('runs/3', 6),
      entry('runs/4', 1),
    ]);
    expect(there).toEqual(['runs/3', 'runs/4']);
    expect(state.runs.map(({ folder }) => folder)).toEqual(there);
    expect((await pruned([entry('runs/1', 90)])).there).toEqual(['runs/1']);
  });

  it('includes runs of open violations, pending rows and the last verdict change', async () => {
    const runs = ['1', '2', '3', '4', '5'].map((name) => entry(`runs/${name}`, 20));
    const { there } = await pruned([...runs, entry('runs/6', 0)], {
      standing: {
        verdict: 'violates',
        since: null,
        open: [{ id: '4.3/order', title: '', seed: 1, since: '', folder: 'runs/2' }],
        unclear: 0,
        mended: [],
      },
      pending: [
        {
          ticker: 'A',
          date: '2026-11-10',
          seenAt: 0,
          run: '',
          folder: 'runs/3',
          lookedAt: null,
          overdue: false,
        },
      ],
      turns: [
        {
          id: 'x',
          at: '2026-11-10',
          from: null,
          to: 'violates',
          folder: 'runs/4',
          violated: [],
          mended: [],
        },
      ],
    });
    expect(there).toEqual(['runs/2', 'runs/3', 'runs/4', 'runs/6']);
  });

  it('drops days that are too old', async () => {
    const days = ['2026-11-01', '2026-11-29'];
    const { state } = await pruned([], {
      verified: { '4.3/order': { last: '', days } },
    });
    expect(state.verified['4.3/order']?.days).toEqual(['2026-11-29']);
  });
});

describe('an edited state', () => {
  it.each(['..', '../other', 'runs/../../other', '/tmp', 'state', ''])(
    'removes nothing of others: %j',
    async (folder) => {
      mkdirSync(path.join(parent, 'other'), { recursive: true });
      mkdirSync(path.join(output, 'state'), { recursive: true });
      writeFileSync(path.join(parent, 'other', 'file'), 'mine');
      await pruned([entry(folder, 20), entry('runs/9', 0)]);
      expect(existsSync(path.join(parent, 'other', 'file'))).toBe(true);
      expect(existsSync(path.join(output, 'state'))).toBe(true);
      expect(existsSync(output)).toBe(true);
    },
  );
});
