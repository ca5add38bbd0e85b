// The share of a month: used up before its end, and whole again after it.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { assay, start } from '../cli/assay.ts';
import { accountIn, countedBy, eventsIn, service, told } from './service.ts';

describe("a month's turn", () => {
  it('skips runs when the share is used up, and continues in the next month', async () => {
    // 5 % are 30 requests: a short run, and a rest that is worth none.
    const live = await service({ start: '2026-11-30T20:10:00Z', monthlyQuota: 600 });
    const args = ['-t', live.target, '-o', 'months', '--events', 'months.ndjson', '--no-jitter'];
    try {
      const { code, text } = await assay(['monitor', ...args, '--every', '1h', '--for', '330m']);
      expect(code, text).toBe(0);
      const events = eventsIn('months.ndjson');
      const left = told(events, 'left-out');
      const used = left.filter(({ why, slot }) => why === 'used-up' && slot < '2026-12');
      expect(used.length).toBeGreaterThan(0);
      for (const { until, budget } of used) {
        expect(until).toBe('2026-12-01T00:00:00.000Z');
        expect(budget.month).toBe('2026-11');
      }
      const december = told(events, 'run').filter(({ startedAt }) => startedAt > '2026-12');
      expect(december.length).toBeGreaterThan(0);
      expect(december[0]?.startedAt).toMatch(/^2026-12-01T00:0/);
      const { valid, restricted } = live.keys;
      for (const key of [...valid, restricted]) {
        for (const count of Object.values(countedBy(live, (one) => one.key === key))) {
          expect(count).toBeLessThanOrEqual(30);
        }
      }
      expect(accountIn('months')).toEqual(countedBy(live));
      const november = countedBy(live, ({ key }) => key === valid[0])['2026-11'] ?? 0;
      expect(november).toBeGreaterThan(10);
    } finally {
      await live.close();
    }
  });
});

describe('a target without time control', () => {
  it('is monitored by the clock of the machine', async () => {
    const live = await service({ start: new Date().toISOString() });
    const { clock: _, ...target } = JSON.parse(readFileSync(live.target, 'utf8')) as {
      clock: unknown;
    };
    writeFileSync(live.target, JSON.stringify(target));
    const small = ['--only', '4.3/symbol-enum', '--max-requests', '20', '--no-jitter'];
    const args = ['monitor', '-t', live.target, '-o', 'real', '--every', '1m', ...small];
    const at = Date.now();
    try {
      const ended = await start([...args, '--for', '65s', '--events', 'real.ndjson']).ended;
      expect(ended.code, ended.text).toBe(0);
      expect(Date.now() - at).toBeGreaterThan(64_000);
      const events = eventsIn('real.ndjson');
      // At once, and at the next whole minute: a run, or the word that what is left has to last.
      const moments = events.filter(({ type }) => type === 'begin' || type === 'left-out');
      expect(moments.length, ended.text).toBeGreaterThanOrEqual(2);
      expect(Date.parse(moments[1]?.at ?? '') % 60_000).toBeLessThan(5000);
    } finally {
      await live.close();
    }
  });
});
