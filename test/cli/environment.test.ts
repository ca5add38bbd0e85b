// `-e NAME`: a section of assay.config.yaml provides options.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Results } from '../../src/report/model/results.ts';
import { FORMATS } from '../../src/report/formats.ts';
import { FAIL_ON } from '../../src/report/model/gate.ts';
import { schemaFile } from '../../src/judge/schema/schema-files.ts';
import { validate } from '../../src/judge/schema/schemas.ts';
import { cleanEnvironment } from '../kept/environment.ts';
import { runKept } from '../kept/run-kept.ts';
import { scratch } from './assay.ts';
import { served, type Served } from './served.ts';

const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
const repository = path.join(scratch, 'repository');
const inner = path.join(repository, 'services', 'prices');

let server: Served;
beforeAll(async () => {
  server = await served();
  mkdirSync(path.join(repository, '.git'), { recursive: true });
  mkdirSync(path.join(repository, 'targets'), { recursive: true });
  mkdirSync(inner, { recursive: true });
  writeFileSync(path.join(repository, 'targets', 'one.json'), readFileSync(server.target));
});
afterAll(() => server.stop());

const config = (text: string, folder = repository): void =>
  writeFileSync(path.join(folder, 'assay.config.yaml'), text);

const STAGING = `staging:
  target: targets/one.json
  profile: smoke
  fail-on: must,should
  output: reports/staging
  format: [json, md]
nightly:
  target: targets/one.json
  profile: full
`;
beforeEach(() => config(STAGING));

async function assay(args: readonly string[], env: Record<string, string> = {}, cwd = repository) {
  const ended = await runKept({ program: main, args, cwd, env: { ...cleanEnvironment(), ...env } });
  return { ...ended, text: ended.stdout + ended.stderr };
}

const results = (folder: string): Results =>
  JSON.parse(readFileSync(path.join(repository, folder, 'results.json'), 'utf8')) as Results;

describe('assay -e NAME', () => {
  it('gives `load` the target and leaves its report folder unchanged', async () => {
    const { code, text } = await assay(['load', 'rl-headers', '-e', 'staging', '--plan']);
    expect(code, text).toBe(0);
    expect(text).toContain('with windows of 1 min 00 s');
    const wrong = await assay(['load', 'rl-headers', '-e', 'stagign', '--plan']);
    expect(wrong.code).toBe(2);
    expect(wrong.text).toContain('Did you mean staging?');
  });

  it('names a missing file of the section before anything is sent', async () => {
    config(`${STAGING}  waivers: not yet.yaml\n`);
    const { code, stderr } = await assay(['run', '-e', 'nightly', '-o', 'reports/none']);
    expect(code).toBe(2);
    expect(stderr).toContain('not yet.yaml: cannot be read');
    expect(existsSync(path.join(repository, 'reports', 'none'))).toBe(false);
  });

  it('skips what the section skips, also in the plan, and a flag wins over it', async () => {
    config(`${STAGING}  skip: 4,5,7,8,2.7\n`);
    const { code, text } = await assay([
      'run',
      '-e',
      'nightly',
      '--profile',
      'smoke',
      '-o',
      'reports/s',
    ]);
    expect(code, text).toBe(0);
    const left = results('reports/s').requirements.filter(
      ({ reason }) => reason === 'left out by --skip',
    );
    expect(new Set(left.map(({ section }) => section.split('.')[0]))).toEqual(
      new Set(['2', '4', '5', '7', '8']),
    );
    expect(
      left
        .filter(({ section }) => section.startsWith('2'))
        .every(({ section }) => section === '2.7'),
    ).toBe(true);
    const plan = await assay(['plan', '-e', 'nightly', '--only', '2,4.3', '--json']);
    const whole = await assay([
      'plan',
      '-e',
      'nightly',
      '--only',
      '2,4.3',
      '--skip',
      '2.7',
      '--json',
    ]);
    const checksOf = ({ stdout }: { readonly stdout: string }): number =>
      (JSON.parse(stdout) as { checks: number }).checks;
    expect(checksOf(plan)).toBeLessThan(checksOf(whole));
    config(`${STAGING}  skip: '9.9'\n`);
    const wrong = await assay(['run', '-e', 'nightly', '-o', 'reports/none']);
    expect([wrong.code, wrong.text]).toEqual([
      2,
      expect.stringContaining('9.9 selects no requirement'),
    ]);
  });

  it('takes target, profile, output and formats from the section, from any folder of the repository', async () => {
    const { code, text } = await assay(['run', '-e', 'staging', '--only', '2.1'], {}, inner);
    expect(text).toContain(`assay run: ${server.baseUrl}, profile smoke`);
    expect(code).toBe(0);
    expect(text).toContain(path.join('reports', 'staging', 'summary.md'));
    expect(text).not.toContain('report.html');
    expect(results('reports/staging').target.file).toBe(
      path.join('..', '..', 'targets', 'one.json'),
    );
  });

  it('ranks below flags and ASSAY_ variables', async () => {
    const run = ['run', '-e', 'staging', '--profile', 'standard', '-o', 'other', '--only', '2.1'];
    const { text } = await assay(run, { ASSAY_TARGET: 'no-such-file.yaml' });
    expect(text).toContain('no-such-file.yaml');
    const flagged = await assay(run);
    expect(flagged.text).toContain('profile standard');
    expect(results('other').profile).toBe('standard');
  });

  it('ranks above the target file', async () => {
    config('keyless:\n  target: targets/keyless.yaml\n');
    writeFileSync(path.join(repository, 'targets', 'keyless.yaml'), `baseUrl: ${server.baseUrl}\n`);
    const { code, text } = await assay(['plan', '-e', 'keyless', '--only', '2.1'], {
      ASSAY_API_KEY: server.validKeys[0] ?? '',
    });
    expect(text).toContain('with 1 valid key');
    expect(code).toBe(0);
  });

  it('uses fail-on of the section', async () => {
    config('strict:\n  target: targets/one.json\n  fail-on: [must, untested]\n');
    const run = ['run', '-e', 'strict', '--only', '2.1,4.3', '--max-requests', '2', '-q'];
    expect((await assay([...run, '-o', 'strict'])).code).toBe(1);
    expect((await assay([...run, '-o', 'flagged', '--fail-on', 'must'])).code).toBe(0);
  });

  it('applies to plan, doctor and check', async () => {
    await assay(['run', '-e', 'staging', '--only', '2.1', '-q']);
    expect((await assay(['plan', '-e', 'nightly', '--only', '2.1'])).text).toContain(
      'profile full',
    );
    expect((await assay(['doctor', '-e', 'staging'])).text).toContain(server.baseUrl);
    const recorded = 'reports/staging/results.json';
    const checked = await assay(['check', recorded, '-e', 'staging', '-o', 'checked']);
    expect(checked.text).toContain(path.join('checked', 'summary.md'));
    expect(checked.text).not.toContain('report.html');
  });

  it.each([
    ['stagin', STAGING, 'has no environment "stagin"', 'Did you mean staging?'],
    [
      'staging',
      'staging:\n  targt: x\n',
      'assay.config.yaml:2:3: staging.targt',
      'did you mean target?',
    ],
    [
      'staging',
      'staging:\n  profile: quick\n',
      'assay.config.yaml:2:3: staging.profile',
      '"standard"',
    ],
    [
      'staging',
      'staging:\n  fail-on: maybe\n',
      'assay.config.yaml:2:3: staging.fail-on',
      'expected',
    ],
    ['staging', 'staging: [\n', 'assay.config.yaml:', 'YAML'],
    ['staging', '', 'assay.config.yaml', 'an object'],
    ['constructor', STAGING, 'has no environment "constructor"', 'Environments: staging, nightly.'],
  ])('says what is wrong: -e %s, %j', async (name, text, what, wayOut) => {
    config(text);
    const { code, stderr } = await assay(['run', '-e', name]);
    expect(code).toBe(2);
    expect(stderr).toContain(what);
    expect(stderr).toContain(wayOut);
    expect(stderr).toContain('[ASSAY_CONFIG]');
  });

  it('stops looking at the root of the repository', async () => {
    config('outside:\n  target: x\n', scratch);
    writeFileSync(path.join(repository, 'assay.config.yaml'), 'inside:\n  target: x\n');
    expect((await assay(['plan', '-e', 'outside'], {}, inner)).stderr).toContain(
      'Environments: inside.',
    );
    const alone = path.join(scratch, 'alone');
    mkdirSync(alone, { recursive: true });
    const { stderr } = await assay(['plan', '-e', 'outside'], {}, alone);
    expect(stderr).toContain('No assay.config.yaml in this folder.');
  });

  it('reads the file of --config and requires an environment', async () => {
    const file = path.join(inner, 'mine.yaml');
    writeFileSync(file, 'mine:\n  target: ../../targets/one.json\n');
    const { text } = await assay(['plan', '--config', file, '-e', 'mine', '--only', '2.1']);
    expect(text).toContain('with 8 valid keys');
    const { code, stderr } = await assay(['plan', '--config', file]);
    expect(code).toBe(2);
    expect(stderr).toContain('--config needs --environment');
  });
});

describe('schemas/tool/config.json', () => {
  it('lists the formats and the values of fail-on', () => {
    const { $defs } = schemaFile('config') as {
      $defs: { environment: { properties: Record<string, { items?: { enum: unknown } }> } };
    };
    const { properties } = $defs.environment;
    expect(properties['format']?.items?.enum).toEqual(FORMATS);
    expect(properties['fail-on']?.items?.enum).toEqual(FAIL_ON);
  });

  it('accepts lists and strings, and nothing but environments', () => {
    expect(validate('config', { a: { 'fail-on': ['must'], format: 'html,json' } })).toEqual([]);
    expect(validate('config', { a: { 'fail-on': 'must, should' }, b: {} })).toEqual([]);
    expect(validate('config', { a: null })).not.toEqual([]);
    expect(validate('config', { a: { 'fail-on': [] } })).not.toEqual([]);
    expect(validate('config', {})).not.toEqual([]);
  });
});
