import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { check, run } from '../../src/index.ts';
import { LOCK_FILE, ownHolder, whileHolding } from '../../src/run/journal/output-lock.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'assay lock '));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const module = fileURLToPath(new URL('../../dist/src/run/journal/output-lock.js', import.meta.url));

interface Program {
  /** Ends its standard input. */
  letGo(): void;
  /** Resolves when it has printed something or ended. */
  readonly said: Promise<unknown>;
  readonly end: Promise<{ readonly code: number | null; readonly text: string }>;
}

/** Runs code with `holdFolder` in a new process. */
function start(body: string, ...args: string[]): Program {
  const text = `import(process.argv[1]).then(async ({ holdFolder }) => { ${body} })`;
  const child = spawn(process.execPath, ['-e', text, module, ...args], { cwd: scratch });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return {
    letGo: () => child.stdin.end(),
    said: Promise.race([once(child.stdout, 'data'), once(child, 'close')]),
    end: new Promise((resolve) => child.on('close', (code) => resolve({ code, text: said }))),
  };
}

const program = (body: string, ...args: string[]): Program['end'] => start(body, ...args).end;

const PROCESSES = 6;
/** Folders without a lock, and as many with a stale one. */
const ROUNDS = 20;
const ROUND_MS = 25;
/** How long before the start time a process busy-waits, ms, because timers may be late. */
const AWAKE_MS = 6;

/** Many processes try to lock one folder after another at the same moment. Returns the winners. */
async function race(folders: readonly string[]): Promise<number[][]> {
  const begin = String(Date.now() + 1200);
  const programs = Array.from({ length: PROCESSES }, () =>
    start(
      `const [, , begin, ...folders] = process.argv;
       const won = [];
       for (const [round, folder] of folders.entries()) {
         const at = Number(begin) + round * ${ROUND_MS};
         await new Promise((wake) => setTimeout(wake, at - Date.now() - ${AWAKE_MS}));
         while (Date.now() < at);
         await holdFolder(folder, 'test').then(() => won.push(round), (error) => {
           if (error.code !== 'ASSAY_FOLDER_IN_USE') throw error;
         });
       }
       console.log(JSON.stringify(won));
       process.stdin.resume();`,
      begin,
      ...folders,
    ),
  );
  // None releases before all have tried.
  await Promise.all(programs.map(({ said }) => said));
  for (const { letGo } of programs) letGo();
  const ends = await Promise.all(programs.map(({ end }) => end));
  for (const { code, text } of ends) expect(code, text).toBe(0);
  const winners = folders.map((): number[] => []);
  for (const [who, { text }] of ends.entries()) {
    for (const round of JSON.parse(text) as number[]) winners[round]?.push(who);
  }
  return winners;
}

describe('several runs that start in one folder at the same moment', () => {
  it('leave exactly one, every time, also after a stale lock', async () => {
    const gone = spawn(process.execPath, ['--version']);
    await new Promise((resolve) => gone.on('close', resolve));
    const { pid = 0 } = gone;
    const rounds = Array.from({ length: ROUNDS }, (_, round) => round);
    const stale = rounds.map((round) => `stale ${round}`);
    for (const folder of stale) {
      mkdirSync(path.join(scratch, folder));
      const lock = JSON.stringify({ ...ownHolder('old'), pid });
      writeFileSync(path.join(scratch, folder, LOCK_FILE), lock);
    }
    const winners = await race([...rounds.map((round) => `free ${round}`), ...stale]);
    expect(winners.map((who) => who.length)).toEqual(winners.map(() => 1));
    // The losers leave no files.
    expect(stale.flatMap((folder) => readdirSync(path.join(scratch, folder)))).toEqual([]);
  });
});

describe('the lock of a folder is released', () => {
  it('when the work fails', async () => {
    const folder = path.join(scratch, 'failed');
    const work = whileHolding(folder, 'test', () => {
      expect(existsSync(path.join(folder, LOCK_FILE))).toBe(true);
      return Promise.reject(new Error('a fault'));
    });
    await expect(work).rejects.toThrow('a fault');
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['an error that nobody catches', "setTimeout(() => { throw new Error('a fault') })", 1],
    ['process.exit', 'process.exit(130)', 130],
  ])('when the process ends by %s', async (name, body, code) => {
    const end = await program(`await holdFolder(${JSON.stringify(name)}, 'test'); ${body};`);
    expect(end.code).toBe(code);
    expect(readdirSync(path.join(scratch, name))).toEqual([]);
  });

  it('and a program with the same output is refused meanwhile, like a command', async () => {
    const folder = path.join(scratch, 'program');
    await whileHolding(folder, 'assay run', async () => {
      const refused = { code: 'ASSAY_FOLDER_IN_USE' };
      await expect(run({ output: folder, profile: 'smoke' })).rejects.toMatchObject(refused);
      await expect(check(['some.har'], { output: folder })).rejects.toMatchObject(refused);
      expect(readdirSync(folder)).toEqual([LOCK_FILE]);
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('but not when another process has taken the folder by hand', async () => {
    const folder = path.join(scratch, 'by hand');
    const other = JSON.stringify(ownHolder('another'));
    await whileHolding(folder, 'test', () => {
      writeFileSync(path.join(folder, LOCK_FILE), other);
      return Promise.resolve();
    });
    expect(readdirSync(folder)).toEqual([LOCK_FILE]);
  });
});
