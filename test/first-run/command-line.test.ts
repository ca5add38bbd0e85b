import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { runCommandLine } from '../../src/cli/cli.ts';
import { scratch } from '../cli/assay.ts';

afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

describe('typing mistakes', () => {
  it.each([
    [['rnu'], 'Unknown command "rnu"', 'Did you mean run?'],
    [['docter'], 'Unknown command "docter"', 'Did you mean doctor?'],
    [['initt'], 'Unknown command "initt"', 'Did you mean init?'],
    [['run', '--profle', 'full'], 'Unknown argument: profle', 'Did you mean --profile?'],
    [['doctor', '--formt=json'], 'Unknown argument: formt', 'Did you mean --format?'],
    [['init', '--key-evn', 'K'], 'Unknown argument: key-evn', 'Did you mean --key-env?'],
    [['plan', '--jsn'], 'Unknown argument: jsn', 'Did you mean --json?'],
    [['serve', '--prot', '1'], 'Unknown argument: prot', 'Did you mean --port?'],
    [['load', '--lst'], 'Unknown argument: lst', 'Did you mean --list?'],
    [['report', 'x', '--fromat', 'md'], 'Unknown argument: fromat', 'Did you mean --format?'],
    [['diff', 'a', 'b', '--frmat', 'md'], 'Unknown argument: frmat', 'Did you mean --format?'],
    [['requirements', '--formta', 'md'], 'Unknown argument: formta', 'Did you mean --format?'],
    [
      ['run', '--profile', 'standrad'],
      '--profile takes smoke, standard, full',
      'Did you mean standard?',
    ],
    [['run', '--only'], '--only needs a value', 'assay run --help'],
  ])('%j', async (args, sentence, wayOut) => {
    const error: unknown = await runCommandLine(args).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({
      code: 'ASSAY_USAGE',
      message: expect.stringContaining(sentence) as string,
      hint: expect.stringContaining(wayOut) as string,
    });
  });

  it.each([
    'init',
    'doctor',
    'run',
    'plan',
    'serve',
    'load',
    'requirements',
    'report',
    'diff',
    'check',
    'waive',
  ])('the help of %s has an example', async (command) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    await runCommandLine([command, '--help']);
    expect(log.mock.calls.join('\n')).toMatch(/Examples:\n/);
    log.mockRestore();
  });
});

describe('completion', () => {
  // In a new process, because the parser prints completions after its promise resolves.
  const said = (...words: string[]): string =>
    execFileSync(process.execPath, [main, ...words], { encoding: 'utf8' });
  const complete = (...words: string[]): string[] =>
    said('--get-yargs-completions', 'assay', ...words).split('\n');

  it('knows commands, options and their choices', () => {
    expect(complete('d')).toContain('doctor');
    expect(complete('run', '--')).toContain('--profile');
    expect(complete('run', '--profile', '')).toEqual(expect.arrayContaining(['smoke', 'full']));
  });

  it('prints a script that calls the program', () => {
    expect(said('completion')).toContain('--get-yargs-completions');
  });
});

describe('starting', () => {
  it('loads neither the suites nor the runner to show the help', () => {
    const folder = path.join(scratch, 'loaded');
    const env = { ...process.env, NODE_V8_COVERAGE: folder };
    execFileSync(process.execPath, [main, '--help'], { stdio: 'ignore', env });
    const files = readdirSync(folder).flatMap((name) => {
      const { result } = JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as {
        result: readonly { readonly url: string }[];
      };
      return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
    });
    expect(files).toContain(pathToFileURL(main).href);
    expect(
      files.filter((url) => /vitest|\/dist\/(suite|ask|requirements|rules|reference)\//.test(url)),
    ).toEqual([]);
  });
});
