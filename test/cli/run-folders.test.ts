import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Results } from '../../src/report/model/results.ts';
import { makeRequirement, makeResults } from '../report/fixture.ts';
import { assay, scratch } from './assay.ts';

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const ids = Array.from({ length: 60 }, (_, index) => `4.3/r${index}`);
const run = (name: string, outcome: 'passed' | 'inconclusive'): void => {
  const requirements = ids.map((id) =>
    makeRequirement(id, outcome, outcome === 'passed' ? {} : { reason: 'no answer' }),
  );
  const results: Results = { ...makeResults(), requirements };
  mkdirSync(path.join(scratch, name), { recursive: true });
  writeFileSync(path.join(scratch, name, 'results.json'), JSON.stringify(results));
};
beforeAll(() => {
  run('before', 'passed');
  run('dark', 'inconclusive');
});

describe('a run can be given by its folder', () => {
  it('to diff, which fails with --fail-on unverified when the target stopped answering, and warns otherwise', async () => {
    const told = await assay(['diff', 'before', 'dark']);
    expect(told.code, told.text).toBe(0);
    expect(told.stdout).toContain('? 60 for the same reason');
    expect(told.stderr).toContain('60 musts are no longer verified');
    expect((await assay(['diff', 'before/results.json', 'dark/results.json'])).stdout).toBe(
      told.stdout,
    );
    const failed = await assay(['diff', 'before', 'dark', '--fail-on', 'must,unverified']);
    expect(failed.code, failed.text).toBe(1);
    for (const id of ids) expect(failed.stdout).toContain(id);
    const json = await assay([
      'diff',
      'before',
      'dark',
      '--fail-on',
      'unverified',
      '--format',
      'json',
    ]);
    expect(JSON.parse(json.stdout)).toMatchObject({ failing: [{ why: 'unverified', ids }] });
    expect((await assay(['diff', 'dark', 'before', '--fail-on', 'unverified'])).code).toBe(0);
    const wrong = await assay(['diff', 'before', 'dark', '--fail-on', 'untested']);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('must, should, unverified');
  });

  it('to report, which writes next to the results, and to --baseline', async () => {
    const ended = await assay(['report', 'dark', '--format', 'md', '--baseline', 'before']);
    expect(ended.code, ended.text).toBe(0);
    const summary = path.join(scratch, 'dark', 'summary.md');
    expect(existsSync(summary)).toBe(true);
    expect(readFileSync(summary, 'utf8')).toContain('60');
  });

  it('to check', async () => {
    const [file, folder] = [
      await assay(['check', 'before/results.json', '-o', 'of file', '--format', 'json']),
      await assay(['check', 'before', '-o', 'of folder', '--format', 'json']),
    ];
    expect(folder.code, folder.text).toBe(file.code);
    const outcomes = (name: string) =>
      (
        JSON.parse(readFileSync(path.join(scratch, name, 'results.json'), 'utf8')) as Results
      ).requirements.map(({ id, outcome }) => [id, outcome]);
    expect(outcomes('of folder')).toEqual(outcomes('of file'));
  });

  it('and a folder without a run is reported as such', async () => {
    mkdirSync(path.join(scratch, 'empty'));
    const ended = await assay(['diff', 'before', 'empty']);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(path.join('empty', 'results.json'));
    expect(ended.stderr).toContain('Pass the folder of an earlier run');
  });
});
