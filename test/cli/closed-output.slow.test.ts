// When output is closed or cannot be written, the work continues and the exit code still reflects the verdict.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { cleanEnvironment } from '../kept/environment.ts';
import { assay, scratch } from './assay.ts';
import { served } from './served.ts';

const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

/** Runs `assay` in a shell; `"$@"` in the script is the command line, and the last line it prints is the exit code. */
async function shell(
  script: string,
  args: readonly string[],
): Promise<{ code: number; stderr: string }> {
  const { stdout, stderr } = await promisify(execFile)(
    'bash',
    ['-c', script, 'bash', process.execPath, main, ...args],
    { cwd: scratch, env: cleanEnvironment(), timeout: 60_000 },
  );
  return { code: Number(stdout.trim().split('\n').at(-1)), stderr };
}

/** A run of a moment. */
const SMALL = ['run', '--only', '4.6/analyses'];

const CLOSED = '"$@" 2>&1 | head -1; echo "${PIPESTATUS[0]}"';
const FULL = '"$@" > /dev/full; echo $?';

describe.skipIf(process.platform === 'win32')('a reader who closes the pipe', () => {
  it('leaves a failing verdict and its reports unchanged, also with standard error closed', async () => {
    const faulty = await served({ faults: ['etf-summary-oldest-first'] });
    const red = await shell(CLOSED, [
      'run',
      '-t',
      faulty.target,
      '--only',
      '4.3/order',
      '-o',
      'red',
      '--format',
      'html',
    ]);
    await faulty.stop();
    expect(red.code, red.stderr).toBe(1);
    expect(existsSync(path.join(scratch, 'red', 'report.html'))).toBe(true);
  });

  it.each([
    [['requirements', '--format', 'json'], 0],
    [['doctor'], 2],
  ])('%j ends as it does otherwise', async (args, code) => {
    expect((await shell(CLOSED, args)).code).toBe(code);
  });
});

describe.skipIf(!existsSync('/dev/full'))('standard output on a full disk', () => {
  it('is reported with exit code 3 and no stack trace, and the reports are written', async () => {
    const { code, stderr } = await shell(FULL, [
      ...SMALL,
      '-q',
      '-o',
      'full output',
      '--format',
      'html',
    ]);
    expect(code).toBe(3);
    expect(stderr.trim().split('\n')).toEqual([
      'assay: Cannot write to standard output: ENOSPC: no space left on device. [ASSAY_OUTPUT]',
      'Free up disk space. The reports in the output folder of a run are not affected.',
    ]);
    expect(existsSync(path.join(scratch, 'full output', 'report.html'))).toBe(true);
  });

  it('keeps the exit code of a failing verdict', async () => {
    const faulty = await served({ faults: ['etf-summary-oldest-first'] });
    const red = await shell(FULL, [
      'run',
      '-q',
      '-t',
      faulty.target,
      '--only',
      '4.3/order',
      '--format',
      'json',
    ]);
    await faulty.stop();
    expect(red.code).toBe(1);
    expect(red.stderr).not.toMatch(/\n\s+at .+:\d+:\d+/);
  });

  it('is reported for --help', async () => {
    const { code, stderr } = await shell(FULL, ['--help']);
    expect(code).toBe(3);
    expect(stderr).toContain('[ASSAY_OUTPUT]');
    expect(stderr).not.toMatch(/\n\s+at .+:\d+:\d+/);
  });
});

describe.skipIf(!existsSync('/proc'))('a folder that nobody can make', () => {
  it.each([
    [[...SMALL, '-q', '-o', '/proc/x/y']],
    [['watch', '-t', 'http://127.0.0.1:9', '-o', '/proc/x']],
    [['monitor', '-u', 'http://127.0.0.1:9', '-k', 'abcdefgh12', '--once', '-o', '/proc/x']],
  ])('ends %j with 2, and does not spin', async (args) => {
    const { code, stderr } = await assay(args);
    expect(code).toBe(2);
    expect(stderr).toContain('/proc/x');
  });
});
