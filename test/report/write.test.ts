import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FORMATS } from '../../src/report/formats.ts';
import { ReportWriteError, writeReports } from '../../src/report/write.ts';
import { makeResults } from './fixture.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'assay-write-'));
});
afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

describe('writeReports', () => {
  it('writes every format under its fixed name and leaves nothing else', async () => {
    const goal = join(dir, 'new', 'folder');
    const paths = await writeReports(makeResults(), goal, FORMATS);
    const names = [
      'ctrf.json',
      'exchanges.har',
      'junit.xml',
      'report',
      'report.html',
      'results.json',
      'results.sarif',
      'summary.md',
    ];
    expect((await readdir(goal)).toSorted()).toEqual(names);
    expect((await readdir(join(goal, 'report'))).toSorted()).toEqual([
      'index.html',
      'report.css',
      'report.js',
    ]);
    expect(paths.map((path) => relative(goal, path)).toSorted()).toEqual(
      names.map((name) => (name === 'report' ? join('report', 'index.html') : name)).toSorted(),
    );
    expect(basename(paths[0] ?? '')).toBe('results.json');
  });

  it('always writes results.json, and it holds the results', async () => {
    const [path = ''] = await writeReports(makeResults(), dir, []);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(makeResults());
  });

  it('writes the same bytes for the same results, over what was there', async () => {
    const first = await writeReports(makeResults(), dir, FORMATS);
    const before = await Promise.all(first.map((path) => readFile(path)));
    await writeFile(join(dir, 'junit.xml'), 'old');
    const second = await writeReports(makeResults(), dir, FORMATS);
    const after = await Promise.all(second.map((path) => readFile(path)));
    expect(after).toEqual(before);
  });

  it('passes on what counts as a failure', async () => {
    await writeReports(
      { ...makeResults(), failing: [{ id: '4.2/title-language', why: 'warned' }] },
      dir,
      ['junit', 'ctrf'],
    );
    expect(await readFile(join(dir, 'junit.xml'), 'utf8')).toContain('<failure type="warned"');
  });

  it('says where it could not write and what to do', async () => {
    const file = join(dir, 'file');
    await writeFile(file, '');
    const attempt = writeReports(makeResults(), join(file, 'below'), ['html']);
    await expect(attempt).rejects.toThrow(ReportWriteError);
    await expect(attempt).rejects.toThrow(/--output/);
  });
});
