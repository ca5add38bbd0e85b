import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Results } from '../../src/report/model/results.ts';
import { holderFrom, ownHolder, type Holder } from '../../src/run/journal/output-lock.ts';
import { disturbed } from '../trust/servers.ts';
import { assay, scratch, start, type Running } from './assay.ts';

const LOCK = 'assay.lock';
/** A run of a moment: how much it sends does not matter to who may. It waits for an answer for as long as the others take. */
const SMALL = ['--only', '4.6', '--format', 'json', '--timeout-ms', '900000'];

/** A server that answers only when the test allows it, to keep clients in the middle of a run. */
let server: Awaited<ReturnType<typeof disturbed>>;
let held: (() => void)[] | null = null;
/** Stops answering. */
const hold = (): void => {
  held = [];
};
const letGo = (): void => {
  const waiting = held ?? [];
  held = null;
  for (const answer of waiting) answer();
};
beforeAll(async () => {
  server = await disturbed((_request, _response, answer) => {
    if (held === null) answer();
    else held.push(answer);
  });
});
afterAll(async () => {
  await server.close();
  rmSync(scratch, { recursive: true, force: true });
});

const run = (folder: string, ...args: string[]): Running =>
  start(['run', '-t', server.target, ...SMALL, '--output', folder, ...args]);
const inFolder = (folder: string, file: string): string => path.join(scratch, folder, file);
const textIn = (folder: string, file: string): string =>
  readFileSync(inFolder(folder, file), 'utf8');
const verdictIn = (folder: string): string =>
  (JSON.parse(textIn(folder, 'results.json')) as Results).verdict;

/** A run that has sent its first request without an answer. */
async function living(folder: string): Promise<Running> {
  hold();
  const before = server.requests();
  const running = run(folder);
  for (let look = 0; server.requests() === before && look < 600; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(server.requests(), running.output()).toBeGreaterThan(before);
  return running;
}

/** A folder with the lock of this process, overridden by `part`. */
function locked(folder: string, part: Partial<Holder>): void {
  mkdirSync(path.join(scratch, folder), { recursive: true });
  writeFileSync(
    inFolder(folder, LOCK),
    JSON.stringify({ ...ownHolder('assay run'), since: '2026-01-31T09:00:00.000Z', ...part }),
  );
}

/** A pid that no process has. */
const deadPid = (): number => spawnSync(process.execPath, ['--version']).pid;

describe('two commands in one folder', () => {
  it('refuses other commands during a run, names the holder of the folder, and leaves the run alone', async () => {
    const folder = 'living';
    const first = await living(folder);
    const { pid } = first.child;
    const since = holderFrom(textIn(folder, LOCK))?.since.slice(0, 19).replace('T', ' ');
    const files = readdirSync(path.join(scratch, folder));
    const journal = textIn(folder, 'journal.ndjson');
    writeFileSync(path.join(scratch, 'some.har'), '{}');
    const sent = server.requests();
    for (const args of [
      ['run', '-t', server.target, '--output', folder],
      ['run', '-t', server.target, '--resume', folder],
      ['run', '-t', server.target, '--resume', `${folder}/journal.ndjson`, '--output', 'elsewhere'],
      ['run', '--replay', `${folder}/journal.ndjson`, '--output', folder],
      ['load', 'rl-exact', '-t', server.target, '--output', folder, '--no-install'],
      ['check', 'some.har', '--output', folder],
    ]) {
      const refused = await assay(args);
      expect(refused.code, refused.text).toBe(2);
      expect(refused.stderr).toContain(
        `\`assay run\` (pid ${pid} on ${hostname()}) has held the lock on ${folder} since ${since} UTC.`,
      );
      expect(refused.stderr).toContain('[ASSAY_FOLDER_IN_USE]');
      expect(refused.stderr).toContain(
        args.includes('--resume') ? `kill -INT ${pid}` : 'another folder with --output',
      );
      expect(readdirSync(path.join(scratch, folder))).toEqual(files);
      expect(textIn(folder, 'journal.ndjson')).toBe(journal);
    }
    expect(server.requests()).toBe(sent);
    expect(existsSync(path.join(scratch, 'elsewhere'))).toBe(false);
    letGo();
    const ended = await first.ended;
    expect(ended.code, ended.text).toBe(0);
    expect(readdirSync(path.join(scratch, folder))).toEqual(['results.json']);
  });

  it('lets exactly one of several simultaneous runs win', async () => {
    hold();
    const several = Array.from({ length: 4 }, () => run('same moment'));
    const ends = several.map(({ ended }) => ended);
    // The winner waits for answers, so it cannot finish before the others start.
    const losers: string[] = [];
    for (const ended of ends) void ended.then(({ text }) => losers.push(text));
    for (let look = 0; losers.length < 3 && look < 600; look += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(losers).toHaveLength(3);
    for (const text of losers) expect(text).toContain('[ASSAY_FOLDER_IN_USE]');
    letGo();
    const codes = (await Promise.all(ends)).map(({ code }) => code);
    expect(codes.toSorted((a, b) => Number(a) - Number(b))).toEqual([0, 2, 2, 2]);
    expect(readdirSync(path.join(scratch, 'same moment'))).toEqual(['results.json']);
  });

  it('lets exactly one of several simultaneous runs take over a stale lock', async () => {
    locked('stale, several', { pid: deadPid() });
    hold();
    const ends = Array.from({ length: 4 }, () => run('stale, several')).map(({ ended }) => ended);
    const over: string[] = [];
    for (const ended of ends) void ended.then(({ text }) => over.push(text));
    for (let look = 0; over.length < 3 && look < 600; look += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(over).toHaveLength(3);
    letGo();
    const all = await Promise.all(ends);
    expect(all.map(({ code }) => code).toSorted((a, b) => Number(a) - Number(b))).toEqual([
      0, 2, 2, 2,
    ]);
    expect(all.filter(({ text }) => text.includes('its lock was taken over'))).toHaveLength(1);
    expect(readdirSync(path.join(scratch, 'stale, several'))).toEqual(['results.json']);
  });
});

describe('two commands that resume one interrupted run at the same moment', () => {
  it('leave one: the other is refused, and no answer is lost', async () => {
    const folder = 'taken up';
    const killed = await living(folder);
    killed.child.kill('SIGKILL');
    await killed.ended;
    hold();
    const ends = Array.from({ length: 3 }, () =>
      start(['run', '-t', server.target, '--format', 'json', '--resume', folder]),
    ).map(({ ended }) => ended);
    const over: string[] = [];
    for (const ended of ends) void ended.then(({ text }) => over.push(text));
    for (let look = 0; over.length < 2 && look < 600; look += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    for (const text of over) expect(text).toContain('[ASSAY_FOLDER_IN_USE]');
    letGo();
    const codes = (await Promise.all(ends)).map(({ code }) => code);
    expect(codes.toSorted((a, b) => Number(a) - Number(b))).toEqual([0, 2, 2]);
    const { resumed } = JSON.parse(textIn(folder, 'results.json')) as Results;
    expect(resumed?.times).toBe(1);
  });
});

describe('a stale lock', () => {
  it('of a killed run is taken over with a message by the next run and by --resume', async () => {
    const folder = 'killed';
    for (const next of [
      ['run', '-t', server.target, '--format', 'json', '--resume', folder],
      ['run', '-t', server.target, ...SMALL, '--output', folder],
    ]) {
      const killed = await living(folder);
      killed.child.kill('SIGKILL');
      await killed.ended;
      letGo();
      expect(existsSync(inFolder(folder, LOCK))).toBe(true);
      const ended = await assay(next);
      expect(ended.code, ended.text).toBe(0);
      expect(ended.stderr).toContain(`\`assay run\` (pid ${killed.child.pid}, since `);
      expect(ended.stderr).toContain('its lock was taken over');
      expect(existsSync(inFolder(folder, LOCK))).toBe(false);
    }
  });

  it('is released when the run in its folder cannot be resumed', async () => {
    const killed = await living('too old');
    killed.child.kill('SIGKILL');
    await killed.ended;
    letGo();
    const journal = textIn('too old', 'journal.ndjson');
    const old = ['--resume', 'too old', '--resume-max-age', '0s'];
    const refused = await assay(['run', '-t', server.target, ...old]);
    expect(refused.code, refused.text).toBe(2);
    expect(refused.stderr).toContain('[ASSAY_RESUME]');
    expect(readdirSync(path.join(scratch, 'too old'))).toEqual(['journal.ndjson']);
    expect(textIn('too old', 'journal.ndjson')).toBe(journal);
    const nowhere = await assay(['run', '-t', server.target, '--resume', 'nowhere']);
    expect(nowhere.code, nowhere.text).toBe(2);
    expect(existsSync(path.join(scratch, 'nowhere'))).toBe(false);
  });

  it('is also taken over with a message by report and check', async () => {
    await recording();
    for (const args of [
      ['report', 'recorded', '--format', 'json', '-o'],
      ['check', 'recorded', '--format', 'json', '-o'],
    ]) {
      const folder = `left for ${args[0]}`;
      locked(folder, { pid: deadPid() });
      const ended = await assay([...args, folder]);
      expect(ended.stdout, ended.text).toContain('its lock was taken over');
      expect(readdirSync(path.join(scratch, folder))).toEqual(['results.json']);
    }
  });

  it('is not taken over while a process with its pid runs', async () => {
    locked('pid alive', { pid: process.pid });
    const refused = await assay(['run', '--replay', await recording(), '-o', 'pid alive']);
    expect(refused.code, refused.text).toBe(2);
    expect(refused.stderr).toContain(`pid ${process.pid}`);
  });

  it.each([['another host', { host: 'build-7' }]])(
    'is not guessed about when it is of %s: the file to remove is named',
    async (name, part) => {
      locked(name, { pid: deadPid(), ...part });
      const lock = textIn(name, LOCK);
      const refused = await assay(['run', '--replay', await recording(), '--output', name]);
      expect(refused.code, refused.text).toBe(2);
      expect(refused.stderr).toContain('Assay cannot see whether it is still running');
      expect(refused.stderr).toContain(`remove ${path.join(name, LOCK)}`);
      expect(textIn(name, LOCK)).toBe(lock);
      rmSync(inFolder(name, LOCK));
      expect((await assay(['run', '--replay', await recording(), '--output', name])).code).toBe(0);
    },
  );

  it('that is unreadable is refused, with the file to remove', async () => {
    locked('torn', {});
    writeFileSync(inFolder('torn', LOCK), '');
    const refused = await assay(['run', '--replay', await recording(), '--output', 'torn']);
    expect(refused.code, refused.text).toBe(2);
    expect(refused.stderr).toContain(`remove ${path.join('torn', LOCK)}`);
  });
});

describe('the lock is released', () => {
  it.skipIf(process.platform === 'win32')(
    'when a run is interrupted, once or twice, and when its reports cannot be written',
    async () => {
      const once = await living('interrupted');
      once.child.kill('SIGINT');
      letGo();
      expect((await once.ended).code).toBe(130);
      expect(verdictIn('interrupted')).toBe('interrupted');
      expect(existsSync(inFolder('interrupted', LOCK))).toBe(false);

      const twice = await living('interrupted twice');
      twice.child.kill('SIGINT');
      // Long enough to be a second signal, and too short for the command to have ended.
      await new Promise((resolve) => setTimeout(resolve, 10));
      twice.child.kill('SIGINT');
      expect((await twice.ended).code).toBe(130);
      expect(existsSync(inFolder('interrupted twice', LOCK))).toBe(false);
      letGo();

      // A folder in place of results.json makes the reports fail.
      mkdirSync(inFolder('broken', 'results.json'), { recursive: true });
      const broken = await assay(['run', '--replay', await recording(), '--output', 'broken']);
      expect(broken.code, broken.text).toBe(2);
      expect(readdirSync(path.join(scratch, 'broken'))).toEqual(['results.json']);
    },
  );

  it('when the run cannot start after taking the folder', async () => {
    const folder = 'no beginning';
    // A folder in place of the renamed journal, and of the journal, makes the start fail.
    mkdirSync(inFolder(folder, 'journal.previous.ndjson/x'), { recursive: true });
    mkdirSync(inFolder(folder, 'journal.ndjson'), { recursive: true });
    const ended = await assay(['run', '-t', server.target, ...SMALL, '--output', folder]);
    expect(ended.code, ended.text).toBe(2);
    expect(existsSync(inFolder(folder, LOCK))).toBe(false);
  });
});

describe('a folder that is not writable', () => {
  it.runIf(process.platform === 'linux')('is reported with the reason', async () => {
    const ended = await assay(['run', '-t', server.target, ...SMALL, '--output', '/sys/kernel']);
    expect(ended.code, ended.text).toBe(2);
    expect(ended.stderr).toMatch(
      /The folder \/sys\/kernel is not writable: .+ No requests were sent/,
    );
    expect(ended.stderr).toContain('--output');
  });
});

let recorded: Promise<string> | undefined;

/** A results.json to judge again, for a run that is instant and sends nothing. */
function recording(): Promise<string> {
  recorded ??= (async () => {
    const ended = await assay(['run', '-t', server.target, ...SMALL, '-o', 'recorded']);
    expect(ended.code, ended.text).toBe(0);
    return 'recorded/results.json';
  })();
  return recorded;
}
