import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findK6 } from '../../src/load/find-k6.ts';
import type { Results } from '../../src/report/model/results.ts';
import { validate } from '../../src/judge/schema/schemas.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cli = path.join(root, 'dist', 'src', 'cli', 'main.js');
const k6 = await findK6({ install: process.env['CI'] !== undefined }).catch(() => undefined);
// The children of a process are looked up in /proc.
const possible = k6 !== undefined && existsSync(cli) && existsSync('/proc/self/task');

if (!possible && process.env['CI'] === undefined) {
  console.warn(
    '\nSKIPPED: interrupting a load run was not tried. It needs k6, Linux and `npm run build`.\n',
  );
}

/** Processes that a process started, and theirs. */
async function descendants(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const own = text.split(' ').filter(Boolean).map(Number);
  return [...own, ...(await Promise.all(own.map(descendants))).flat()];
}

const nameOf = (pid: number): Promise<string> =>
  readFile(`/proc/${pid}/comm`, 'utf8').then(
    (name) => name.trim(),
    () => '',
  );

/** True while the process runs; one that only waits to be collected is over. */
async function alive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !/\) Z/.test(stat);
}

describe.skipIf(!possible)('a load run that is interrupted', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'assay-interrupt-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  /** Starts a run in a process group of its own, as a terminal does, and presses Ctrl-C some time after k6 is there. */
  async function interrupted(
    presses: number,
    after: number,
  ): Promise<{ code: number | null; output: string; left: number[] }> {
    const args = ['load', 'rl-exact', '--windows', '8', '--window-ms', '2000', '-o', folder];
    const child = spawn(process.execPath, [cli, ...args, '--format', 'json,html,junit'], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const pid = child.pid ?? 0;
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
    }
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    let all: number[] = [];
    const deadline = Date.now() + 30_000;
    for (;;) {
      all = await descendants(pid);
      if ((await Promise.all(all.map(nameOf))).includes('k6')) break;
      if (Date.now() > deadline) throw new Error(`k6 never came: ${output}`);
      await wait(50);
    }
    await wait(after);
    for (let press = 0; press < presses; press += 1) {
      process.kill(-pid, 'SIGINT');
      await wait(100);
    }
    const code = await ended;
    await wait(300);
    const left: number[] = [];
    for (const one of all) if (await alive(one)) left.push(one);
    return { code, output, left };
  }

  it('stops k6, writes what there is, and ends with 130', async () => {
    const { code, output, left } = await interrupted(1, 6000);
    expect(output).toContain('INTERRUPTED');
    expect(code).toBe(130);
    expect(left).toEqual([]);
    const results = JSON.parse(
      await readFile(path.join(folder, 'results.json'), 'utf8'),
    ) as Results;
    expect(validate('results', results)).toEqual([]);
    expect(results).toMatchObject({ verdict: 'interrupted', exitCode: 130 });
    const [load] = results.load;
    expect(load).toMatchObject({ outcome: 'inconclusive' });
    expect(load?.reason).toContain('interrupted');
    expect(load?.requests.admitted).toBeGreaterThanOrEqual(20);
    expect(existsSync(path.join(folder, 'report.html'))).toBe(true);
  });

  it('also writes a report if k6 had not sent anything', async () => {
    const { code, left } = await interrupted(1, 0);
    expect(code).toBe(130);
    expect(left).toEqual([]);
    const text = await readFile(path.join(folder, 'results.json'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ verdict: 'interrupted', exitCode: 130 });
  });

  it('leaves no process behind when it is pressed twice', async () => {
    const { code, left } = await interrupted(2, 2000);
    expect(code).toBe(130);
    expect(left).toEqual([]);
  });
});
