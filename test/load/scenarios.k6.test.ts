import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findK6 } from '../../src/load/find-k6.ts';
import { SCENARIO_NAMES } from '../../src/spec/scenarios.ts';
import type { ScenarioName } from '../../src/spec/scenarios.ts';
import { Slots } from '../proof/limiters/slots.ts';
import type { Results } from '../../src/report/model/results.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cli = path.join(root, 'dist', 'src', 'cli', 'main.js');
const KEY = 'reference-key-valid-0001';

const QUOTA = 25;

/** Open scenarios take as long as they are told, and send as much; these are shapes, not measurements. */
const SHORTER: Readonly<Partial<Record<ScenarioName, readonly string[]>>> = {
  mix: ['--duration', '3', '--rate', '20'],
  quota: ['--quota', String(QUOTA)],
  capacity: ['--duration', '3', '--rate', '1000'],
  spike: ['--duration', '4', '--rate', '100'],
  soak: ['--duration', '4'],
  'rl-isolation': ['--rate', '100'],
  'rl-flood': ['--rate', '500'],
};

/** What each takes of the machine, in slots; one unless stated. */
const SLOTS = 4;
const WEIGHTS: Readonly<Partial<Record<ScenarioName, number>>> = {
  spike: 2,
  'rl-isolation': 2,
  'rl-flood': SLOTS,
  capacity: SLOTS,
};

const weightOf = (scenario: ScenarioName): number => WEIGHTS[scenario] ?? 1;

/** Why these tests cannot run; null when they can. */
const missing = await findK6({ install: process.env['CI'] !== undefined }).then(
  () => (existsSync(cli) ? null : `${cli} is missing: run \`npm run build\``),
  (error: unknown) => (error instanceof Error ? error.message : String(error)),
);

if (missing !== null && process.env['CI'] === undefined) {
  console.warn(`\nSKIPPED: the load scenarios were not run on real k6. ${missing}\n`);
}

it('has k6 in CI', () => {
  if (process.env['CI'] === undefined) return;
  expect(missing).toBeNull();
});

describe.skipIf(missing !== null)('load scenarios on real k6', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'assay-k6-test-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs `assay load` and reads what it wrote. */
  async function load(
    ...args: readonly string[]
  ): Promise<{ code: number; output: string; results: Results; files: string }> {
    const out = path.join(folder, args.join('-').replaceAll(/[^\w-]/g, ''));
    const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
      const env = { ...process.env, K6_VUS: '1', K6_ITERATIONS: '1', NO_COLOR: '1' };
      execFile(
        process.execPath,
        [cli, 'load', ...args, '--window-ms', '2500', '--format', 'json,junit', '-o', out],
        { env, timeout: 120_000 },
        (error, stdout, stderr) =>
          resolve({
            code: typeof error?.code === 'number' ? error.code : 0,
            output: stdout + stderr,
          }),
      );
    });
    const text = await readFile(path.join(out, 'results.json'), 'utf8');
    const junit = await readFile(path.join(out, 'junit.xml'), 'utf8');
    return { code, output, results: JSON.parse(text) as Results, files: text + junit };
  }

  type Ended = Awaited<ReturnType<typeof load>>;
  const ended = new Map<ScenarioName, Ended>();
  beforeAll(async () => {
    // Most of them wait most of the time; those that flood get the machine for themselves, at the end.
    const slots = new Slots(SLOTS);
    await Promise.all(
      SCENARIO_NAMES.toSorted((a, b) => weightOf(a) - weightOf(b)).map((scenario) =>
        slots.use(weightOf(scenario), async () => {
          ended.set(scenario, await load(scenario, ...(SHORTER[scenario] ?? [])));
        }),
      ),
    );
  }, 300_000);

  it('each exit with 0 on the embedded server', () => {
    expect(ended.size).toBe(15);
    const failed = [...ended].filter(([, { code }]) => code !== 0);
    expect(failed.map(([name, { results }]) => [name, results.load[0]?.reason])).toEqual([]);
  });

  it('pass on a correct limiter in any environment of k6', () => {
    const { output = '', files = '', results } = ended.get('rl-headers') ?? {};
    expect(output).toContain('rl-headers passed');
    const [result] = results?.load ?? [];
    expect(result?.requests).toMatchObject({ admitted: 20, refused: 2, failed: 0 });
    expect(result?.windows[0]?.remaining).toEqual(
      Array.from({ length: 20 }, (_, index) => 19 - index),
    );
    expect(output + files).not.toContain(KEY);
  });

  it('use a quota up to the last request', () => {
    expect(ended.get('quota')?.results.load[0]?.requests.admitted).toBe(QUOTA);
  });

  it('send realistic traffic and judge it by the rules', () => {
    const [mix] = ended.get('mix')?.results.load ?? [];
    expect(mix?.requests.refused).toBe(0);
    expect(mix?.notes.join(' ')).toContain("judged by the suites' rules");
  });

  it('exit with 5 and name the requirement if the limiter is racy', async () => {
    const { code, output, results } = await load(
      'rl-exact',
      '--windows',
      '1',
      '--fault',
      'load-check-then-count',
    );
    expect(code).toBe(5);
    expect(output).toContain('8/limit-enforced');
    expect(results).toMatchObject({ verdict: 'violates', exitCode: 5 });
  });

  it('record every refusal of the key that stays within its limit, and fail if keys share one', async () => {
    const { code, results } = await load('rl-isolation', '--fault', 'limit-shared');
    expect(code).toBe(5);
    const [result] = results.load;
    const perKey = result?.requirements.find(({ id }) => id === '8/per-key');
    expect(perKey?.outcome).toBe('failed');
    expect(perKey?.findings[0]?.actual).toMatch(/^\d\d of \d\d refused$/);
    expect(result?.course?.every.refused).toBe(15);
  });
});
