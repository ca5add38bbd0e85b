import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Results } from '../../src/report/model/results.ts';
import { validate } from '../../src/judge/schema/schemas.ts';
import { assay, scratch } from '../cli/assay.ts';
import { BASE, entry, fixture, har, scratchFile } from './harness.ts';

const CHART = {
  chart_name: 'a',
  title: 'A',
  description: 'x',
  time_field: 't',
  fields: [{ name: 't', type: 'long' }],
};

const resultsIn = (folder: string): Results =>
  JSON.parse(readFileSync(path.join(scratch, folder, 'results.json'), 'utf8')) as Results;

describe('assay check', () => {
  it('needs no key, reports what it read and ignored, and writes every report', async () => {
    const { code, stdout, stderr } = await assay([
      'check',
      fixture('chrome.har'),
      '-o',
      'chrome',
      '--format',
      'html,html-dir,json,junit,ctrf,md,har,sarif',
    ]);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toContain('base URL https://api.fixture.example/openapi/v1, guessed');
    expect(stdout).toContain('Judged 3 of 10 recorded entries');
    expect(stdout).toContain("Ignored 1: answered from the browser's cache (first: entry 6 of");
    expect(stdout).toContain('NO VIOLATION FOUND');
    const written = readdirSync(path.join(scratch, 'chrome'), { recursive: true }).map(String);
    for (const name of [
      'report.html',
      'junit.xml',
      'ctrf.json',
      'summary.md',
      'exchanges.har',
      'results.sarif',
    ]) {
      expect(written).toContain(name);
    }
    const results = resultsIn('chrome');
    expect(validate('results', results)).toEqual([]);
    expect(results.profile).toBe('recorded');
    for (const name of written.filter((file) => /\.\w+$/.test(file))) {
      const text = readFileSync(path.join(scratch, 'chrome', name), 'utf8');
      expect(text, name).not.toContain('fixture-key-7c1d09e24b58aa31');
    }
  });

  it('gives a reason for everything it could not judge', async () => {
    await assay(['check', fixture('mitmproxy.har'), '-o', 'reasons', '--format', 'json']);
    const untested = resultsIn('reasons').requirements.filter(
      ({ outcome }) => outcome === 'untested',
    );
    expect(untested.length).toBeGreaterThan(100);
    for (const { id, reason } of untested) {
      expect(reason, id).toMatch(
        /needs |no recorded response|not judged: |cannot show|without a control/,
      );
    }
  });

  it('exits 1 on a violation, and 0 when it is waived or not selected', async () => {
    const file = scratchFile('wrong.har', har([entry({ body: [{ ...CHART, chart_name: 7 }] })]));
    const broken = await assay(['check', file, '-u', BASE, '-o', 'wrong', '--format', 'json']);
    expect(broken.code).toBe(1);
    expect(broken.stdout).toContain('VIOLATES');
    expect(broken.stdout).toContain('2.11/chart-name');
    const elsewhere = await assay([
      'check',
      file,
      '-u',
      BASE,
      '-o',
      'else',
      '--format',
      'json',
      '--only',
      '4',
    ]);
    expect(elsewhere.code).toBe(0);
    const strict = await assay([
      'check',
      file,
      '-u',
      BASE,
      '-o',
      'strict',
      '--format',
      'json',
      '--only',
      '4',
      '--fail-on',
      'untested',
    ]);
    expect(strict.code).toBe(1);
    const compared = await assay([
      'check',
      file,
      '-u',
      BASE,
      '-o',
      'next',
      '--format',
      'json',
      '--baseline',
      path.join(scratch, 'wrong/results.json'),
    ]);
    expect(compared.stderr).toBe('');
    expect(resultsIn('next').changes).toBeDefined();
  });

  it('exits 2 with position and hint for an invalid file, never with a stack', async () => {
    const cut = har([entry(), entry()]).slice(0, -120);
    for (const [name, content] of [
      ['cut.har', cut],
      ['empty.har', ''],
      ['page.har', '<html>'],
    ] as const) {
      const { code, stderr, stdout } = await assay(['check', scratchFile(name, content)]);
      expect(code, name).toBe(2);
      expect(stdout).toBe('');
      expect(stderr).toMatch(/^assay: .*\[ASSAY_RECORDING\]\n.+\n$/);
      expect(stderr).not.toMatch(/\n\s+at /);
    }
    const missing = await assay(['check', 'nothing.har']);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('file not found');
  });

  it('exits 3 when no must could be verified', async () => {
    const file = scratchFile(
      'nothing-verified.har',
      har([
        entry({
          status: 503,
          body: '<h1>Maintenance</h1>',
          headers: { 'content-type': 'text/html' },
        }),
      ]),
    );
    const { code, stdout } = await assay([
      'check',
      file,
      '-u',
      BASE,
      '-o',
      'none',
      '--format',
      'json',
    ]);
    expect(stdout).toContain('INCOMPLETE');
    expect(code).toBe(3);
  });

  it('reads roles of keys and fixtures from a target file without a valid key', async () => {
    const refusal = {
      code: 400102,
      message: 'API key expired',
      details: { header: 'X-API-KEY', solution: 'Renew' },
    };
    const file = scratchFile(
      'roles.har',
      har([
        entry({ body: [CHART] }),
        entry({
          key: 'the-expired-key-1',
          status: 401,
          body: refusal,
          at: Date.UTC(2026, 10, 18, 15, 0, 0, 5),
        }),
      ]),
    );
    const target = scratchFile(
      'target.json',
      JSON.stringify({ baseUrl: BASE, keys: { expired: 'the-expired-key-1' } }),
    );
    const { stdout } = await assay([
      'check',
      file,
      '-t',
      target,
      '-o',
      'roles',
      '--format',
      'json',
    ]);
    expect(stdout).toContain('Judged 2 of 2 recorded entries');
    expect(resultsIn('roles').requirements.find(({ id }) => id === '5/expired-key')?.outcome).toBe(
      'passed',
    );
    expect(JSON.stringify(resultsIn('roles'))).not.toContain('the-expired-key-1');
  });

  it('explains itself', async () => {
    const { code, stdout } = await assay(['check', '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('assay check browser.har');
    expect(stdout).toContain('without sending requests');
  });
});
