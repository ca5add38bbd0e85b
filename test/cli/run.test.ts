import { readFileSync, existsSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Results } from '../../src/report/model/results.ts';
import { validate } from '../../src/judge/schema/schemas.ts';
import { assay, assayAsIs, scratch, serve } from './assay.ts';
import { served, type Served } from './served.ts';

let stop: (() => Promise<unknown>) | undefined;
afterEach(async () => {
  await stop?.();
  stop = undefined;
});

async function serving(options?: Parameters<typeof served>[0]): Promise<Served> {
  const server = await served(options);
  stop = server.stop;
  return server;
}

function resultsIn(folder: string): Results {
  const file = path.join(scratch, folder, 'results.json');
  return JSON.parse(readFileSync(file, 'utf8')) as Results;
}

describe('assay run', () => {
  it('finds that the embedded reference server conforms, and leaves the reports', async () => {
    // With all keys, only requirements without suitable data or day are untested.
    const { code, stdout, text } = await assayAsIs(['run', '--fail-on', 'untested']);
    expect(stdout).toContain('CONFORMS');
    expect(code).toBe(0);
    const latest = path.join(scratch, 'reports', 'latest');
    expect(readlinkSync(latest)).toMatch(/^\d{4}-/);
    for (const name of [
      'results.json',
      'report.html',
      'junit.xml',
      'ctrf.json',
      'summary.md',
      'exchanges.har',
    ]) {
      expect(existsSync(path.join(latest, name)), name).toBe(true);
    }
    const results = resultsIn('reports/latest');
    expect(validate('results', results)).toEqual([]);
    expect(results.verdict).toBe('conforms');
    expect(results.summary.must.failed).toBe(0);
    expect(stdout).not.toContain('\u001b');
    // No request count is announced: for the whole of it on the embedded server, none was counted.
    expect(text).toMatch(/^\d+ requirements: no waiting: windows are skipped/m);
    expect(text).toMatch(/^sent \d+ requests with valid keys$/m);
    expect(text).not.toMatch(/waiting for the rate limit|(?:windows?| s) left/);
  });

  it('withholds nothing but what a budget of requests does not buy', async () => {
    const { code, stdout } = await assay(['run', '--max-requests', '30', '--output', 'budget']);
    expect(stdout).toContain('NO VIOLATION FOUND');
    expect(stdout).toMatch(
      /^Judged without requests for which the request limit left no room: \d+ musts \(/m,
    );
    expect(code).toBe(0);
    const { requests, requirements, verdict } = resultsIn('budget');
    expect(verdict).toBe('no-violation');
    expect(requests.byRole.valid).toBeLessThanOrEqual(30);
    expect(requirements.filter(({ outcome }) => outcome === 'inconclusive')).toEqual([]);
    expect(
      requirements.some(({ cause }) => cause?.kind === 'not-selected' && cause.by === 'budget'),
    ).toBe(true);
  });

  it('gives the same verdict for a served reference with its target file', async () => {
    const { target, stop: stopServing } = await serve();
    stop = stopServing;
    const { code, stdout } = await assay([
      'run',
      '--target',
      target,
      '--output',
      'by target',
      '--only',
      '5/unknown-key,5/expired-key,5/disabled-key',
    ]);
    expect(stdout).toContain('NO VIOLATION FOUND');
    expect(code).toBe(0);
    const { requirements, target: told } = resultsIn('by target');
    // As written on the command line, so that commands in the report can be pasted.
    expect(told.file).toBe(target);
    const untested = requirements.filter(
      ({ level, outcome }) => level === 'must' && outcome === 'untested',
    );
    expect(
      untested.map(({ id, reason }) => `${id}: ${reason}`).filter((line) => line.includes('keys.')),
    ).toEqual([]);
  });

  it('reports requirements that need other keys as untested, with the setting to add', async () => {
    const { baseUrl, validKeys } = await serving({ windowMs: 1000 });
    const run = [
      'run',
      '-u',
      baseUrl,
      '-o',
      'no keys',
      '--only',
      '5/unknown-key,5/expired-key',
      '--format',
      'html,junit,md',
    ];
    const { code, stdout } = await assay([...run, '--fail-on', 'untested'], {
      ASSAY_API_KEY: validKeys.join(','),
    });
    const { failing, requirements, verdict } = resultsIn('no keys');
    expect(verdict).toBe('no-violation');
    const byId = new Map(requirements.map((one) => [one.id, one]));
    expect(byId.get('5/expired-key')).toMatchObject({
      outcome: 'untested',
      reason: 'needs an expired key: set keys.expired',
      cause: { kind: 'setting', setting: 'keys.expired' },
    });
    expect(byId.get('5/unknown-key')?.outcome).toBe('passed');
    // Which --fail-on untested fails on, and names everywhere.
    expect(code).toBe(1);
    expect(failing).toContainEqual({ id: '5/expired-key', why: 'untested' });
    expect(stdout).toMatch(/Exit code 1: untested, with --fail-on untested:.*5\/expired-key/s);
    for (const name of ['summary.md', 'junit.xml', 'report.html']) {
      expect(readFileSync(path.join(scratch, 'no keys', name), 'utf8')).toContain('5/expired-key');
    }
  });

  it('exits 1 on a fault and names requirement, exchange, expected and actual', async () => {
    const { target } = await serving({ faults: ['etf-summary-oldest-first'] });
    const { code, stdout } = await assay([
      'run',
      '-t',
      target,
      '--only',
      '4.3/order',
      '--output',
      'fault',
      '--format',
      'junit',
    ]);
    expect(code).toBe(1);
    expect(stdout).toContain('VIOLATES');
    expect(stdout).toContain('4.3/order');
    const results = resultsIn('fault');
    const failed = results.requirements.find(({ id }) => id === '4.3/order');
    expect(failed?.outcome).toBe('failed');
    const finding = failed?.findings[0];
    expect(finding?.expected).toBeTruthy();
    expect(finding?.actual).toBeTruthy();
    expect(results.exchanges.some(({ id }) => id === finding?.exchange)).toBe(true);
    const junit = readFileSync(path.join(scratch, 'fault', 'junit.xml'), 'utf8');
    expect(junit).toContain('<failure');
  });

  it('never says CONFORMS for a selection, and --fail-on untested ignores requirements outside --only', async () => {
    const only = ['run', '--only', '4.3', '--output', 'only'];
    const { code, stdout } = await assay([...only, '--fail-on', 'must,untested']);
    expect(code).toBe(0);
    const { verdict, failing, summary } = resultsIn('only');
    expect(verdict).toBe('no-violation');
    expect(failing).toEqual([]);
    const musts = Object.values(summary.must).reduce((sum, count) => sum + count, 0);
    expect(stdout).toContain(`NO VIOLATION FOUND, ${summary.must.passed} of ${musts}`);
    expect(stdout).not.toContain('CONFORMS');
  });

  it('records the context of the run without keys, and renders its reports again', async () => {
    const { baseUrl, validKeys } = await serving({ windowMs: 1000 });
    const [key = ''] = validKeys;
    const labels = [`note=with ${key}`, 'commit=abc1234', 'environment=staging', 'api_token=any'];
    const run = [
      'run',
      '-u',
      baseUrl,
      '--only',
      '4.6/analyses',
      '-o',
      'labels',
      '--format',
      'html',
    ];
    const { code } = await assay([...run, ...labels.flatMap((label) => ['--label', label])], {
      ASSAY_API_KEY: key,
      GITLAB_CI: 'true',
      CI_COMMIT_SHA: 'ffff',
      CI_JOB_NAME: 'gate',
      // These tests also run in CI.
      GITHUB_ACTIONS: '',
      CI_COMMIT_REF_NAME: '',
      CI_JOB_URL: '',
      CI_PIPELINE_URL: '',
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: '',
    });
    expect(code).toBe(0);
    expect(resultsIn('labels').context).toEqual({
      ci: 'GitLab CI',
      commit: 'abc1234',
      job: 'gate',
      labels: { note: 'with [redacted]', environment: 'staging', api_token: '[redacted]' },
    });
    const page = readFileSync(path.join(scratch, 'labels', 'report.html'), 'utf8');
    expect(page).toContain('abc1234');
    expect(page).not.toContain(key);
    const file = path.join(scratch, 'labels', 'results.json');
    const again = ['report', file, '--output', 'rendered', '--format', 'junit,md'];
    const rendered = await assay(again);
    expect(rendered.code).toBe(0);
    expect(rendered.stdout).toContain('junit.xml');
    expect(existsSync(path.join(scratch, 'rendered', 'summary.md'))).toBe(true);
  });

  it('refuses an unknown --fail-on', async () => {
    const { code, text } = await assay(['run', '--fail-on', 'must,everything']);
    expect(code).toBe(2);
    expect(text).toContain('--fail-on takes must, should, untested, not "everything".');
  });

  // The first request of a run of 4.1/info alone is for the list of currencies.
  it.each([[], ['--only', '4.1/info']])(
    'exits 3 with one sentence when nothing listens',
    async (...only) => {
      const dead = ['run', '-u', 'http://127.0.0.1:9/v1', '-k', 'abcdefgh12'];
      const { code, text } = await assay([...dead, ...only]);
      expect(code).toBe(3);
      expect(text).toContain('http://127.0.0.1:9/v1 does not respond');
      expect(text).not.toMatch(/\n\s+at /);
      expect(text.split('\n').filter((line) => line.includes('does not respond'))).toHaveLength(1);
    },
  );

  it('exits 3 when the key is rejected', async () => {
    const { baseUrl } = await serving();
    const words = ['run', '-u', baseUrl, '-k', 'never-issued-key-1', '--only', '4.6/analyses'];
    const { code, text } = await assay(words);
    expect(code).toBe(3);
    expect(text).toContain('keys.valid');
  });
});
