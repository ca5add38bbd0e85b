import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { XMLValidator } from 'fast-xml-parser';
import { SecretsGate } from '../../src/fs/secrets-gate.ts';
import { validate } from '../../src/judge/schema/schemas.ts';
import type { Behaviour } from './behaviour.ts';
import { hostileServer } from './server.ts';

const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
const preload = new URL('preload.mjs', import.meta.url).href;

/** Files that a run may leave in its folder, folders included. */
const EXPECTED = [
  'results.json',
  'report.html',
  'junit.xml',
  'ctrf.json',
  'summary.md',
  'exchanges.har',
  'results.sarif',
  'journal.ndjson',
  'report',
  'report/index.html',
  'report/report.css',
  'report/report.js',
];

/** Most memory of the whole process, all threads, KiB. */
export const MAX_MEMORY = 512 * 1024;
/** Time after which a run counts as endless, ms: many times its duration on a busy machine. */
export const MAX_MS = 180_000;

export interface Trial {
  readonly code: number | null;
  readonly ms: number;
  readonly memory: number;
  readonly requests: number;
  /** Broken promises; empty on success. */
  readonly broken: readonly string[];
  readonly folder: string;
}

/** Running and waiting runs: two at a time, since each uses a processor. */
const AT_ONCE = 2;
let running = 0;
const waiting: (() => void)[] = [];

async function turn(): Promise<() => void> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  return () => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
}

/** Runs the real command line against a hostile server and checks every promise. */
export async function tryBehaviour(behaviour: Behaviour, scratch: string): Promise<Trial> {
  const { id, act, on = () => true, onConnect, timeoutMs = 6000 } = behaviour;
  const cwd = path.join(scratch, id);
  mkdirSync(cwd, { recursive: true });
  const done = await turn();
  const server = await hostileServer(act, on, onConnect);
  try {
    const target = path.join(cwd, 'target.json');
    const memoryFile = path.join(cwd, 'memory');
    writeFileSync(target, JSON.stringify({ ...server.targetFile, http: { timeoutMs } }));
    const args = behaviour.args ?? ['--profile', 'smoke'];
    const format = 'html,html-dir,json,junit,ctrf,md,har,sarif';
    const words = ['run', '-t', target, '-o', 'out', '--verbose', '--format', format, ...args];
    const ended = await runAssay(words, cwd, { HOSTILE_MEMORY: memoryFile });
    const memory = Number(readFileSync(memoryFile, 'utf8'));
    const folder = path.join(cwd, 'out');
    const broken = [
      ...promises(behaviour, ended, folder, server.keys),
      ...(memory > MAX_MEMORY ? [`took ${Math.round(memory / 1024)} MB of memory`] : []),
    ];
    return { code: ended.code, ms: ended.ms, memory, requests: server.requests(), broken, folder };
  } finally {
    await server.close();
    done();
  }
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

/** Runs the command line without the environment variables of the test machine. */
function runAssay(
  args: readonly string[],
  cwd: string,
  extra: Readonly<Record<string, string>>,
): Promise<Ended> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(ASSAY_|VITEST|NODE_OPTIONS|.*_PROXY)/i.test(name),
    ),
  );
  const started = Date.now();
  const child = spawn(process.execPath, ['--import', preload, main, ...args], {
    cwd,
    env: { ...env, ...extra },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), MAX_MS + 10_000);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve) => {
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, stdout, stderr, ms: Date.now() - started });
    });
  });
}

function promises(
  { codes, says }: Behaviour,
  { code, stdout, stderr, ms }: Ended,
  folder: string,
  keys: readonly string[],
): string[] {
  const broken: string[] = [];
  const must = (kept: boolean, what: string): void => void (kept || broken.push(what));
  must(code !== null && codes.includes(code), `ended with ${code}:\n${stdout}\n${stderr}`);
  must(ms < MAX_MS, `took ${ms} ms`);
  const printedText = stdout + stderr;
  must(!/^\s+at .*[:(]\d+/m.test(printedText), `printed a stack trace:\n${printedText}`);
  must(!hasControls(printedText), `printed control characters: ${JSON.stringify(printedText)}`);
  must(!/^\s*(::|##\[|##vso)/m.test(printedText), `printed a workflow command:\n${printedText}`);
  const gate = new SecretsGate(keys.map((value, index) => ({ name: `key ${index}`, value })));
  const printed = gate.scan(printedText);
  must(printed === null, `printed ${printed?.secret} (${printed?.encoding})`);
  let files: string[];
  try {
    files = readdirSync(folder, { recursive: true }).map(String);
  } catch {
    return [...broken, 'left no reports'];
  }
  for (const file of files) must(EXPECTED.includes(file), `left a file ${JSON.stringify(file)}`);
  for (const file of files.filter((name) => path.extname(name) !== '')) {
    const text = readFileSync(path.join(folder, file), 'utf8');
    const leak = gate.scan(text);
    must(leak === null, `${file} holds ${leak?.secret} (${leak?.encoding})`);
    if (file === 'results.json') {
      must(says.test(text), `results.json does not say ${says}: ${gist(text)}`);
      const problems = validate('results', JSON.parse(text));
      must(
        problems.length === 0,
        `results.json is invalid: ${JSON.stringify(problems.slice(0, 3))}`,
      );
    }
    if (file === 'junit.xml') {
      const valid = XMLValidator.validate(text);
      must(valid === true, `junit.xml is not well-formed: ${JSON.stringify(valid)}`);
      must(!hasControls(text), 'junit.xml holds control characters');
    }
  }
  must(files.includes('results.json') && files.includes('report.html'), 'left no report');
  rmSync(path.join(folder, '..', 'memory'), { force: true });
  return broken;
}

/** Control characters but line feed and tab: C0, DEL and C1. */
function hasControls(text: string): boolean {
  return Array.from(text).some((character) => {
    const code = character.codePointAt(0) ?? 0;
    return (code < 0x20 && code !== 0x0a && code !== 0x09) || (code >= 0x7f && code <= 0x9f);
  });
}

function gist(text: string): string {
  const { sentence, notes, requirements } = JSON.parse(text) as {
    sentence: string;
    notes: string[];
    requirements: { id: string; outcome: string; reason: string | null }[];
  };
  const reasons = requirements
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'error')
    .map(({ id, outcome, reason }) => `${id} ${outcome} ${reason}`);
  return [sentence, ...notes, ...reasons.slice(0, 5)].join('\n  ');
}
