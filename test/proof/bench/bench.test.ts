import { describe, expect, it } from 'vitest';
import { benchDoc, withTable } from './doc.ts';
import type { BenchReport } from './doc.ts';
import { compare, further, medianWithin } from './figures.ts';
import { childrenSeconds, timedRun } from './processes.ts';
import { roundOf } from './servers.ts';

const measured = (
  requests: number,
  cpuSeconds: number,
): { requests: number; cpuSeconds: number } => ({
  requests,
  cpuSeconds,
});
const comparison = compare({ id: 'one', title: 'One', goal: 0.9, commands: ['k6 run one.ts'] }, [
  [measured(900, 1), measured(1000, 1)],
  [measured(400, 1), measured(500, 1)],
  [measured(2000, 2), measured(1000, 1)],
]);

describe('a comparison', () => {
  it('takes the median of the ratios of neighbours', () => {
    expect(comparison).toMatchObject({ ratio: 0.9, oursPerCpuSecond: 900, barePerCpuSecond: 1000 });
    expect(comparison.within).toBeNull();
  });

  it('leaves out what both runs spent at their start', () => {
    expect(further(measured(12_000, 3.5), measured(2000, 1))).toEqual(measured(10_000, 2.5));
  });

  it('says between which values the median lies', () => {
    const values = (count: number): number[] =>
      Array.from({ length: count }, (_, index) => count - index);
    expect(medianWithin(values(5))).toBeNull();
    expect(medianWithin(values(6))).toEqual([1, 6]);
    expect(medianWithin(values(9))).toEqual([2, 8]);
    expect(medianWithin(values(20))).toEqual([6, 15]);
  });
});

describe('the document', () => {
  const report: BenchReport = {
    schemaVersion: 1,
    date: '2026-01-01',
    tool: { name: 'assay', version: '0.1.0' },
    versions: { node: 'v20.0.0', k6: 'v2.2.0', wrk: null, cpu: 'one core' },
    seconds: 9,
    comparisons: [comparison],
  };

  it('gets the figures in place of those before, and keeps its other words', () => {
    const once = withTable(`${benchDoc()}\nMore words.\n`, report);
    expect(once).toContain('**0.90**');
    expect(once).toContain('More words.');
    expect(withTable(once, report)).toBe(once);
  });

  it('is not overwritten when its marks are gone', () => {
    expect(() => withTable('# Benchmarks\n', report)).toThrow('lost its marks');
  });
});

describe('the measuring of processor time', () => {
  it('reads what the shell says of its children', () => {
    expect(childrenSeconds('0m0.00s 0m0.00s\n1m2.50s 0m0.25s\n')).toBe(62.75);
    expect(() => childrenSeconds('nothing')).toThrow('measured nothing');
  });

  it('counts a program that works, and gives its words', async () => {
    const work =
      'const end = process.cpuUsage().user + 3e5; while (process.cpuUsage().user < end); console.log("done")';
    const { cpuSeconds, output } = await timedRun(process.execPath, ['-e', work], {
      timeoutMs: 30_000,
    });
    expect(output).toBe('done\n');
    expect(cpuSeconds).toBeGreaterThan(0.29);
  });

  it('fails with the last words of a program that failed', async () => {
    const args = ['-e', 'console.error("no luck"); process.exit(3)'];
    await expect(timedRun(process.execPath, args, { timeoutMs: 30_000 })).rejects.toThrow(
      /ended with 3: no luck/,
    );
  });
});

describe('the round of requests', () => {
  it('holds each as often as its weight says, spread out', () => {
    const round = roundOf([
      { endpoint: '/news', path: '/news', weight: 3 },
      { endpoint: '/etfs', path: '/etfs', weight: 1 },
    ]);
    expect(round).toHaveLength(200);
    expect(round.filter((url) => url === '/v1/news')).toHaveLength(150);
    expect(round.slice(0, 8).filter((url) => url === '/v1/etfs')).toHaveLength(2);
  });
});
