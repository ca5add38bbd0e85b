// An unset CI variable arrives as an empty string. It must not be treated as a missing option: a gate would pass
// against the embedded reference server, or without its waivers, baseline or selection.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { assay, scratch } from './assay.ts';

const URL = ['-u', 'http://127.0.0.1:9'];
const KEY = ['-k', 'customer-key-7788'];

async function refused(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  words: string,
): Promise<void> {
  const { code, text, stdout } = await assay(args, env);
  expect(text).toContain(words);
  expect(code, text).toBe(2);
  expect(stdout).not.toContain('verified');
}

describe('an empty option ends with 2 and is named', () => {
  it.each([
    [['run', '--base-url', ''], '--base-url is empty'],
    [['run', '--base-url', '', ...KEY, '--profile', 'smoke'], '--base-url is empty'],
    [['run', '--base-url='], '--base-url is empty'],
    [['run', '-u', ' '], '-u is empty'],
    [['run', '--target', ''], '--target is empty'],
    [['run', '-e', ''], '-e is empty'],
    [['run', ...URL, '--api-key', ''], '--api-key is empty'],
    [['run', ...URL, '--api-key', ','], '--api-key is empty'],
    [['run', ...URL, ...KEY, ''], '-k is empty'],
    [['run', ...URL, ...KEY, '--waivers', ''], '--waivers is empty'],
    [['run', ...URL, ...KEY, '--baseline', ''], '--baseline is empty'],
    [['run', ...URL, ...KEY, '--output', ''], '--output is empty'],
    [['run', ...URL, ...KEY, '--only', ''], '--only is empty'],
    [['run', ...URL, ...KEY, '--only', '4.3', '--skip', ' , '], '--skip is empty'],
    [['run', ...URL, ...KEY, '--fail-on', ''], '--fail-on is empty'],
    [['run', ...URL, ...KEY, '--format', ''], '--format is empty'],
    [['run', ...URL, ...KEY, '--seed', ''], '--seed is empty'],
    [['run', ...URL, ...KEY, '--max-requests='], '--max-requests is empty'],
    [['run', '--resume', ''], '--resume is empty'],
    [['plan', '--base-url', ''], '--base-url is empty'],
    [['plan', '--target', ''], '--target is empty'],
    [['doctor', '--base-url', ''], '--base-url is empty'],
    [['doctor', '--target', ''], '--target is empty'],
    [['init', '--base-url', '', '--yes'], '--base-url is empty'],
    [['init', ...URL, '--key-env', ''], '--key-env is empty'],
    [['load', 'rl-exact', '--base-url', ''], '--base-url is empty'],
    [['watch', '--target', ''], '--target is empty'],
    [['monitor', '--target', ''], '--target is empty'],
    [['check', 'a.har', '--base-url', ''], '--base-url is empty'],
    [['check', ''], 'An argument is empty'],
    [['serve', '--port', ''], '--port is empty'],
  ])('%j', async (args, words) => {
    await refused(args, {}, words);
  });
});

describe('an empty environment variable ends with 2 and is named', () => {
  it.each([
    [['run'], 'ASSAY_BASE_URL'],
    [['run', ...KEY], 'ASSAY_BASE_URL'],
    [['run'], 'ASSAY_TARGET'],
    [['run', ...URL], 'ASSAY_API_KEY'],
    [['run', ...URL], 'ASSAY_KEY_FILE'],
    [['run', ...URL, ...KEY], 'ASSAY_PROXY'],
    [['run', ...URL, ...KEY], 'ASSAY_CA_FILE'],
    [['plan'], 'ASSAY_BASE_URL'],
    [['doctor'], 'ASSAY_BASE_URL'],
    [['doctor', ...URL], 'ASSAY_API_KEY'],
    [['load', 'rl-exact'], 'ASSAY_BASE_URL'],
    [['monitor'], 'ASSAY_TARGET'],
    [['watch'], 'ASSAY_BASE_URL'],
    [['check', 'a.har'], 'ASSAY_BASE_URL'],
  ])('%j with %s', async (args, variable) => {
    await refused(args, { [variable]: '' }, `${variable} is empty`);
  });

  it('a list without an element also counts as empty', async () => {
    await refused(['run', ...URL], { ASSAY_API_KEY: ' , ' }, 'ASSAY_API_KEY is empty');
  });

  it('a variable overridden by an option is ignored', async () => {
    const env = { ASSAY_BASE_URL: '', ASSAY_API_KEY: '' };
    const { code, text } = await assay(['plan', ...URL, ...KEY], env);
    expect(code, text).toBe(0);
  });
});

describe('an empty value of a file ends with 2 and is named', () => {
  const file = (name: string, text: string): string => {
    const written = path.join(scratch, name);
    writeFileSync(written, text);
    return written;
  };

  it.each(['', ' '])('a variable in the target file that holds %j', async (value) => {
    const target = file(
      'empty url.yaml',
      'baseUrl: "${STAGING_URL}"\nkeys: { valid: [abcdefgh12] }\n',
    );
    for (const command of ['run', 'plan', 'doctor']) {
      const words = 'variable STAGING_URL is empty';
      await refused([command, '-t', target], { STAGING_URL: value }, words);
    }
  });

  it.each([
    ['baseUrl: ""\nkeys: { valid: [abcdefgh12] }\n', 'baseUrl'],
    ['baseUrl:\nkeys: { valid: [abcdefgh12] }\n', 'baseUrl'],
    ['baseUrl: http://127.0.0.1:9\nkeys: { valid: [] }\n', 'keys.valid'],
    ['baseUrl: http://127.0.0.1:9\nkeys: { valid: [""] }\n', 'keys.valid[0]'],
    ['', 'contains no settings'],
  ])('%j', async (text, words) => {
    await refused(['run', '-t', file('empty value.yaml', text)], {}, words);
  });
});

describe('options for a target that is not given end with 2', () => {
  beforeAll(() => {
    writeFileSync(path.join(scratch, 'assay.config.yaml'), 'staging: { profile: smoke }\n');
  });

  it.each([
    [['run', ...KEY], {}, '--api-key is set, but no target'],
    [['run'], { ASSAY_API_KEY: 'customer-key-7788' }, 'ASSAY_API_KEY is set, but no target'],
    [['run'], { ASSAY_KEY_FILE: 'keys.txt' }, 'ASSAY_KEY_FILE is set, but no target'],
    [['plan', '--key-file', 'keys.txt'], {}, '--key-file is set, but no target'],
    [['run', '--header', 'X-Team: data'], {}, '--header is set, but no target'],
    [['load', 'rl-exact', ...KEY], {}, '--api-key is set, but no target'],
    [['run', '-e', 'staging'], {}, 'Environment staging has no target'],
    [['run', '-e', 'staging'], { ASSAY_TARGET: '' }, 'ASSAY_TARGET is empty'],
  ] as const)('%j with %j', async (args, env, words) => {
    await refused(args, env, words);
  });
});

it('`assay run` without options judges the embedded server, and its verdict says so first', async () => {
  const { code, stdout } = await assay(['run', '-q', '--profile', 'smoke']);
  expect(code).toBe(0);
  const [verdict] = stdout.trimStart().split('\n');
  expect(verdict).toMatch(
    /^Embedded reference server: NO VIOLATION FOUND, \d+ of \d+ musts verified/,
  );
});
