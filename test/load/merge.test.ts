import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  logText,
  mergeFolder,
  mergeRecordings,
  parseLog,
  saveRecordings,
} from '../../src/load/merge.ts';
import type { MergeContext } from '../../src/load/merge.ts';
import type { Recording } from '../../src/load/run-scenario.ts';
import { burst, EDGE, summaryOf, WINDOW } from './rows.ts';

const rows = burst(400);
const part = (of: number, parts: number): Recording => {
  const own = rows.filter((_row, index) => index % parts === of);
  return {
    rows: own,
    summary: summaryOf(own),
    startedAt: EDGE,
    endedAt: EDGE + 1000,
    interrupted: false,
  };
};
const context: MergeContext = {
  plan: {
    runId: 'run',
    scenario: 'rl-exact',
    baseUrl: 'http://127.0.0.1:1/v1',
    keyHeader: 'X-API-KEY',
    headers: {},
    timeoutMs: 1000,
    insecure: false,
    limit: 20,
    windowMs: WINDOW,
    keys: 1,
    freshAt: EDGE,
    notBefore: EDGE,
    startAt: EDGE,
    recordEvery: 1,
    sampleEvery: 0,
    recordAdmitted: true,
    requests: [],
    shape: { vus: 60, windows: 1, rate: 0, durationMs: 0, quotaLeft: 0 },
  },
  fingerprints: ['k:1'],
  skewMs: 0,
  toleranceMs: 15,
  limits: { requests: 20, windowMs: WINDOW, monthlyQuota: 100_000 },
  envelope: null,
  command: 'assay load rl-exact',
  k6: { version: 'v2.2.0', source: 'cache' },
  instances: 3,
};

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'assay-merge-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('merging', () => {
  it('adds exactly, whatever the share of each instance', () => {
    const merged = mergeRecordings([part(0, 3), part(1, 3), part(2, 3)]);
    expect(merged.summary).toMatchObject({ sent: 60, byStatus: { 200: 20, 429: 40 } });
    expect(merged.rows).toHaveLength(60);
  });

  it('judges the logs of a folder as one run', async () => {
    await saveRecordings(folder, context, [part(0, 3), part(1, 3), part(2, 3)]);
    const result = await mergeFolder(folder);
    expect(result).toMatchObject({
      outcome: 'passed',
      requests: { sent: 60, admitted: 20, refused: 40 },
    });
    expect(result.latency[0]).toMatchObject({ status: '429', count: 40, p50: 2 });
  });

  it('refuses a verdict when the log of an instance is missing', async () => {
    await saveRecordings(folder, context, [part(0, 3), part(1, 3)]);
    await expect(mergeFolder(folder)).rejects.toThrow('one log per instance (3), but contains 2.');
  });

  it('rejects an incomplete log, and one of another run', async () => {
    const text = logText(part(0, 3));
    const parse = (log: string, runId = 'run'): Promise<Recording> =>
      parseLog(log.split('\n'), runId);
    await expect(parse(text.slice(0, -20))).rejects.toThrow('The k6 summary is not JSON');
    await expect(parse(text.slice(0, text.indexOf('@@')))).rejects.toThrow('has no summary');
    await expect(parse(text, 'other')).rejects.toThrow('from a different run');
    expect((await parse(`level=info hello\n${text}`)).rows).toHaveLength(20);
  });

  it.each(['{', '{}', '{"plan":null}', 'null'])('refuses %s as context', async (text) => {
    await writeFile(path.join(folder, 'context.json'), text);
    await expect(mergeFolder(folder)).rejects.toThrow('was not written by Assay');
  });

  it('says which folder it needs', async () => {
    await writeFile(path.join(folder, 'a.log'), '');
    await expect(mergeFolder(folder)).rejects.toThrow('has no context.json');
  });
});
