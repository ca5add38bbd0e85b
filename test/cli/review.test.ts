import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Results } from '../../src/report/model/results.ts';
import { assay, scratch } from './assay.ts';
import { served, type Served } from './served.ts';

const ONLY = ['--only', '4.3/order,4.3/symbol-enum', '--format', 'json'];

describe('from a finding to a waiver to a gate', () => {
  let server: Served;
  let results: Results;
  beforeAll(async () => {
    server = await served({ faults: ['etf-summary-oldest-first'] });
    await assay(['run', '-t', server.target, '-o', 'first', ...ONLY]);
    results = JSON.parse(
      readFileSync(path.join(scratch, 'first', 'results.json'), 'utf8'),
    ) as Results;
  });
  afterAll(async () => {
    await server.stop();
  });

  function waivers(part: object = {}): string {
    const requirement = results.requirements.find(({ id }) => id === '4.3/order');
    if (requirement === undefined) throw new Error('no such requirement');
    const evidence = requirement.fingerprint;
    const waiver = {
      id: '4.3/order',
      owner: 'Ada',
      reason: 'r',
      expires: '2099-01-01',
      evidence,
      ...part,
    };
    const file = path.join(scratch, 'waivers.json');
    writeFileSync(file, JSON.stringify({ version: 1, waivers: [waiver] }));
    return file;
  }

  it('fails without a waiver and passes with one', async () => {
    expect(results.exitCode).toBe(1);
    const ended = await assay([
      'run',
      '-t',
      server.target,
      '-o',
      'waived',
      '--waivers',
      waivers(),
      ...ONLY,
    ]);
    expect(ended.text).toContain('1 violated and waived');
    expect(ended.code).toBe(0);
  });

  it.each([
    [{ expires: '2026-01-01' }, 1],
    [{ evidence: 'e-0000000000000000' }, 1],
    [{ id: '4.3/symbol-enum' }, 1],
    [{ owner: '' }, 2],
  ])('does not pass with %j', async (part, code) => {
    const ended = await assay([
      'run',
      '-t',
      server.target,
      '-o',
      'broken',
      '--waivers',
      waivers(part),
      ...ONLY,
    ]);
    expect(ended.code).toBe(code);
    if (code === 2) expect(ended.stderr).toContain('[ASSAY_WAIVERS]');
  });

  it('compares two runs in the terminal, as Markdown, as JSON and in the report', async () => {
    const clean = await assay(['run', '-o', 'clean', ...ONLY]);
    expect(clean.code).toBe(0);
    const [before, after] = ['clean/results.json', 'first/results.json'];
    const text = await assay(['diff', before, after]);
    expect(text.code).toBe(1);
    expect(text.stdout).toContain('1 new violation');
    expect(text.stdout).toContain('4.3/order');
    expect((await assay(['diff', after, before])).code).toBe(0);
    expect((await assay(['diff', before, after, '--format', 'md'])).stdout).toContain(
      '# Assay: changes',
    );
    const json = await assay(['diff', before, after, '--format', 'json']);
    expect(JSON.parse(json.stdout)).toHaveProperty('changes');
    const report = await assay([
      'report',
      after,
      '--baseline',
      before,
      '-o',
      'compared',
      '--format',
      'html-dir,sarif',
    ]);
    expect(report.code).toBe(0);
    expect(readFileSync(path.join(scratch, 'compared', 'report', 'index.html'), 'utf8')).toContain(
      '+ 1 new violation',
    );
  });

  it('says of the baseline that report is given, not of an earlier one', async () => {
    const told = async (run: string, baseline: string, output: string): Promise<Results> => {
      const args = ['report', run, '--baseline', baseline, '-o', output, '--format', 'json'];
      const ended = await assay(args);
      expect(ended.code, ended.text).toBe(0);
      return JSON.parse(
        readFileSync(path.join(scratch, output, 'results.json'), 'utf8'),
      ) as Results;
    };
    const one = await told('first', 'clean', 'against-clean');
    expect(one.sentence).toContain('Against the baseline: 1 new (4.3/order).');
    expect(one).toMatchObject({ exitCode: 1, gate: { regressions: ['4.3/order'] } });
    const two = await told('against-clean', 'first', 'against-first');
    expect(two.sentence).toMatch(/verified[^.]*\. Against the baseline: 1 known\.$/);
    expect(two).toMatchObject({ exitCode: 0, failing: [], gate: { known: ['4.3/order'] } });
  });

  it('says what is wrong with a file that is not a results file', async () => {
    const file = path.join(scratch, 'none.json');
    writeFileSync(file, '{"schemaVersion":1}');
    const ended = await assay(['diff', file, file]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('is not a results file that this version can read');
  });
});
