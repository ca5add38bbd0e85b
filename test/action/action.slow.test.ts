import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import type { Results } from '../../src/report/model/results.ts';
import { startEmbedded } from '../../src/run/embedded.ts';
import { ownHolder } from '../../src/run/journal/output-lock.ts';
import { served } from '../cli/served.ts';
import { WORLD } from '../kept/data.ts';

const root = path.join(import.meta.dirname, '../..');
const scratch = mkdtempSync(path.join(tmpdir(), 'assay action '));
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

const action = parse(readFileSync(path.join(root, 'action.yml'), 'utf8')) as {
  inputs: Record<string, { default: string }>;
  outputs: Record<string, { value: string }>;
  runs: { steps: { id?: string; env?: Record<string, string>; run?: string }[] };
};

interface StepEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
}

/** The command line in a kept process. */
const KEPT = {
  ASSAY_CLI: path.join(root, 'test/kept/client.mjs'),
  KEPT_PROGRAMS: inject('keptPrograms'),
};

/** Runs the script of the action as a runner would: inputs by environment, files for summary and outputs. */
async function step(name: string, inputs: Record<string, string>): Promise<StepEnd> {
  const summary = path.join(scratch, `${name} summary.md`);
  const outputs = path.join(scratch, `${name} outputs`);
  writeFileSync(summary, '');
  writeFileSync(outputs, '');
  const child = spawn(process.execPath, [path.join(root, 'action/run.mjs')], {
    cwd: scratch,
    env: {
      PATH: process.env['PATH'],
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_OUTPUT: outputs,
      INPUT_OUTPUT: `${name} report`,
      ...inputs,
    },
  });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const lines = readFileSync(outputs, 'utf8').trim().split('\n');
  return {
    code,
    stdout,
    summary: readFileSync(summary, 'utf8'),
    outputs: Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    ),
  };
}

describe('the action', () => {
  it('passes on a conforming target', async () => {
    const end = await step('stale', { INPUT_ONLY: '4.6/analyses' });
    expect(end.code).toBe(0);
    expect(end.outputs).toMatchObject({ verdict: 'no-violation', 'exit-code': '0' });
    expect(end.outputs['folder']).toBe('stale report');
    expect(end.summary).toContain('NO VIOLATION FOUND');
    expect(end.stdout).not.toContain('::error');
  });

  it('fails on a violation, with annotations, and passes when the baseline knows it', async () => {
    const embedded = await startEmbedded({ world: WORLD, faults: ['etf-summary-oldest-first'] });
    try {
      const inputs = {
        ...KEPT,
        INPUT_BASE_URL: embedded.target.baseUrl,
        ASSAY_API_KEY: embedded.target.keys.valid.join(','),
        INPUT_ONLY: '4.3/order',
      };
      const first = await step('faulty', inputs);
      expect(first.code).toBe(1);
      expect(first.outputs).toMatchObject({ verdict: 'violates', 'exit-code': '1' });
      expect(first.stdout).toMatch(/^::error title=4\.3\/[^:]+ \(must\)::.*%0AExpected: /m);
      const waivers = path.join(scratch, 'waivers.json');
      const waiver = {
        id: '4.3/order',
        owner: 'Ada',
        reason: 'the fix ships with release 12',
        expires: '2099-12-01',
        evidence: 'e-0123456789abcdef',
      };
      writeFileSync(waivers, JSON.stringify({ version: 1, waivers: [waiver] }));
      const drifted = await step('drifted', { ...inputs, INPUT_WAIVERS: waivers });
      expect(drifted.code).toBe(1);
      expect(drifted.stdout).toMatch(
        /^::error title=The waiver of 4\.3\/order \(drifted\)::The evidence is now e2-/m,
      );
      const known = await step('known', {
        ...inputs,
        INPUT_BASELINE: path.join(scratch, 'faulty report', 'results.json'),
      });
      expect(known.outputs['sentence']).toContain('known');
      expect(known.code).toBe(0);
      expect(known.stdout).not.toContain('::error');
    } finally {
      await embedded.close();
    }
  });

  it('takes settings from an environment, more arguments, and the key of the job', async () => {
    const server = await served({ faults: ['etf-summary-oldest-first'] });
    try {
      writeFileSync(
        path.join(scratch, 'assay.config.yaml'),
        'staging:\n  target: of environment.json\n  profile: smoke\n',
      );
      const { keys: _, ...keyless } = JSON.parse(readFileSync(server.target, 'utf8')) as {
        keys: unknown;
      };
      writeFileSync(path.join(scratch, 'of environment.json'), JSON.stringify(keyless));
      const inputs = {
        ...KEPT,
        INPUT_ENVIRONMENT: 'staging',
        INPUT_ONLY: '4.3/order',
        INPUT_ARGS: '--seed=7\n--label\nsays=a, b\n',
      };
      const [key = ''] = server.validKeys;
      const told = { ASSAY_API_KEY: 'a-key-that-is-not-one', INPUT_API_KEY: key };
      for (const given of [{ ASSAY_API_KEY: key }, told]) {
        const end = await step('environment', { ...inputs, ...given });
        expect(end.outputs['verdict'], end.stdout).toBe('violates');
        const file = path.join(scratch, 'environment report', 'results.json');
        const results = JSON.parse(readFileSync(file, 'utf8')) as Results;
        expect([results.profile, results.seed]).toEqual(['smoke', 7]);
        expect(JSON.stringify(results.context)).toContain('a, b');
      }
    } finally {
      await server.stop();
    }
  });

  it.each([
    ['alone', {}],
    ['beside a key', { INPUT_API_KEY: 'customer-key-7788' }],
    ['beside an empty target', { INPUT_TARGET: '', INPUT_ENVIRONMENT: '' }],
  ])('fails on an empty base-url, %s, and runs nothing instead', async (_, inputs) => {
    const end = await step('empty', { ...KEPT, INPUT_BASE_URL: '', ...inputs });
    expect(end.code).toBe(2);
    expect(end.outputs).toMatchObject({ verdict: 'error', 'exit-code': '2' });
    expect(end.outputs['sentence']).toContain('--base-url is empty');
  });

  it('takes the target from a variable of the job or from more arguments', async () => {
    const inputs = {
      ...KEPT,
      INPUT_BASE_URL: '',
      INPUT_TARGET: '',
      INPUT_API_KEY: 'customer-key-7788',
      INPUT_ONLY: '4.6/analyses',
    };
    for (const named of [
      { ASSAY_BASE_URL: 'http://127.0.0.1:9' },
      { INPUT_ARGS: '--base-url=http://127.0.0.1:9' },
    ]) {
      const end = await step('named elsewhere', { ...inputs, ...named });
      expect(end.code, end.stdout).toBe(3);
    }
    const empty = await step('empty variable', { ...inputs, ASSAY_BASE_URL: '' });
    expect(empty.outputs['sentence']).toContain('ASSAY_BASE_URL is empty');
  });

  describe('never reports an old verdict', () => {
    const files = (name: string): string[] => readdirSync(path.join(scratch, name)).toSorted();
    const resultsIn = (name: string): Results =>
      JSON.parse(readFileSync(path.join(scratch, name, 'results.json'), 'utf8')) as Results;

    it('when a run fails before it writes to the folder of an earlier passing one', async () => {
      // Of the conforming target above.
      const old = resultsIn('stale report');
      // What is not ours stays where it is.
      writeFileSync(path.join(scratch, 'stale report', 'notes.txt'), 'mine');
      const reports = files('stale report').filter((name) => name !== 'notes.txt');
      expect(reports).toContain('summary.md');

      const failed = await step('stale', { ...KEPT, INPUT_PROFILE: 'quick' });
      expect(failed.code).toBe(2);
      expect(failed.outputs).toMatchObject({ verdict: 'error', 'exit-code': '2', report: '' });
      expect(failed.outputs['sentence']).toMatch(
        /^No results: assay run exited with 2 before it wrote them\. .*\[ASSAY_USAGE\]$/,
      );
      expect(failed.stdout).toContain('::error title=Assay::No results');
      expect(failed.summary).toContain('# Assay: NO RESULTS');
      expect(failed.summary).toContain('exited with 2');
      expect(failed.summary).toContain('--profile takes smoke, standard, full');
      for (const text of [failed.summary, failed.stdout, JSON.stringify(failed.outputs)]) {
        expect(text).not.toContain('NO VIOLATION FOUND');
        expect(text).not.toContain(old.sentence);
      }
      expect(files('stale report')).toEqual(['notes.txt']);
      expect(files('stale report.previous')).toEqual(reports);

      // The next run that writes speaks for itself, and the one before it is neither mixed in nor lost.
      const again = await step('stale', { ...KEPT, INPUT_ONLY: '4.6/analyses' });
      expect(again.outputs).toMatchObject({ verdict: 'no-violation', 'exit-code': '0' });
      expect(resultsIn('stale report').startedAt > old.startedAt).toBe(true);
      expect(resultsIn('stale report.previous').startedAt).toBe(old.startedAt);
    });

    it('when another run writes to the folder: its files are not touched, shown or uploaded', async () => {
      const folder = path.join(scratch, 'held report');
      mkdirSync(folder);
      writeFileSync(path.join(folder, 'assay.lock'), JSON.stringify(ownHolder('assay run')));
      for (const name of ['results.json', 'summary.md']) {
        writeFileSync(
          path.join(folder, name),
          readFileSync(path.join(scratch, 'stale report', name)),
        );
      }
      const before = files('held report');
      const end = await step('held', { ...KEPT, INPUT_ONLY: '4.6/analyses' });
      expect(end.code).toBe(2);
      expect(end.outputs).toMatchObject({ verdict: 'error', report: '', folder: '' });
      expect(end.outputs['sentence']).toContain('[ASSAY_FOLDER_IN_USE]');
      expect(end.summary).not.toContain('NO VIOLATION FOUND');
      expect(files('held report')).toEqual(before);
    });

    it('and still finds a baseline in the cleared folder', async () => {
      const end = await step('stale', {
        ...KEPT,
        INPUT_ONLY: '4.6/analyses',
        INPUT_BASELINE: 'stale report/results.json',
      });
      expect(end.code, end.stdout).toBe(0);
      expect(end.outputs['sentence']).toContain('Against the baseline');
    });
  });

  it('shows the end of the log as text that cannot become markup', async () => {
    const end = await step('fence', { ...KEPT, INPUT_ONLY: '```\u0060 # VERDICT' });
    expect(end.code).toBe(2);
    const [, fence = ''] = /^(`+)text$/m.exec(end.summary) ?? [];
    expect(fence.length).toBeGreaterThan(4);
    expect(end.summary.trimEnd().endsWith(`\n${fence}`)).toBe(true);
  });

  it('passes every input to the script, and none to the shell', () => {
    const run = action.runs.steps.find(({ id }) => id === 'run');
    const handed = Object.values(run?.env ?? {}).flatMap(
      (value) => /inputs\.([a-z-]+)/.exec(value)?.[1] ?? [],
    );
    expect([...handed, 'artifact'].toSorted()).toEqual(Object.keys(action.inputs).toSorted());
    for (const { run: line } of action.runs.steps) expect(line ?? '').not.toContain('${{');
  });
});
