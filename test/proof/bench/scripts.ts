import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { quietEnv } from '#src/load/find-k6.ts';
import type { K6 } from '#src/load/find-k6.ts';
import { setUp } from '#src/load/load.ts';
import type { LoadSetup } from '#src/load/load.ts';
import { packageFile } from '#src/load/package-root.ts';
import type { ScenarioName } from '#src/spec/scenarios.ts';
import type { LoadSettings } from '#src/load/scenarios.ts';
import { k6Arguments, secretsText } from '#src/load/run-scenario.ts';
import type { ReferenceOptions } from '#src/reference/reference.ts';
import { resolveTarget } from '#src/target/file/resolve-target.ts';
import { compare, figure, further } from './figures.ts';
import type { Comparison, Measured } from './figures.ts';
import { startServer, timedRun } from './processes.ts';

/** A scenario that is held against the lean script. */
interface Case {
  readonly scenario: ScenarioName;
  readonly rate: number;
  readonly durationMs: number;
  /** Limit of the server; the flood is refused, the others are not. */
  readonly limit: number;
}

/** The lean script, from the root of the package. */
export const LEAN = 'test/proof/bench/k6/lean.ts';

/** A limit that is counted and never reached. */
export const NO_LIMIT = 1_000_000_000;

const CASES: readonly Case[] = [
  { scenario: 'mix', rate: 2500, durationMs: 12_000, limit: NO_LIMIT },
  { scenario: 'capacity', rate: 4500, durationMs: 12_000, limit: NO_LIMIT },
  { scenario: 'rl-flood', rate: 3500, durationMs: 12_000, limit: 20 },
];

/**
 * Least shares of the lean script's requests per processor second: of what follows the start, and of a whole short run.
 * `docs/bench.md` says where they come from.
 */
const GOAL = 0.85;
const GOAL_WITH_START = 0.8;
const WINDOW_MS = 1000;
/** Long enough for all users to have started. */
const START_MS = 2000;

/**
 * Holds our scripts against the leanest script that sends the same: whole runs, and what a longer run has beyond a short
 * one, in which what is spent once is taken out.
 */
export async function compareScripts(
  k6: K6,
  rounds: number,
  say: (line: string) => void,
): Promise<Comparison[]> {
  const done: Comparison[] = [];
  for (const one of CASES) done.push(...(await compareScript(one, k6, rounds, say)));
  return done;
}

type Pair = readonly [ours: Measured, lean: Measured];

async function compareScript(
  { scenario, rate, durationMs, limit }: Case,
  k6: K6,
  rounds: number,
  say: (line: string) => void,
): Promise<Comparison[]> {
  const server = await startServer({ kind: 'reference', options: serverOptions(limit), paths: [] });
  try {
    const setUpOf = (ms: number): Promise<LoadSetup> => {
      const length = scenario === 'rl-flood' ? { windows: ms / WINDOW_MS } : { durationMs: ms };
      return setUpFor(server.origin, scenario, { rate, ...length }, limit);
    };
    const [short, long] = [await setUpOf(START_MS), await setUpOf(durationMs)];
    const ours = packageFile('load', 'scenarios', `${scenario}.ts`);
    const lean = packageFile(LEAN);
    const whole: Pair[] = [];
    const beyond: Pair[] = [];
    for (let round = 0; round < rounds; round += 1) {
      // Each is the first one in half of the rounds: what the machine does besides comes and goes slowly.
      const both = async (setup: LoadSetup): Promise<Pair> => {
        if (round % 2 === 0)
          return [await measure(ours, setup, k6), await measure(lean, setup, k6)];
        const bare = await measure(lean, setup, k6);
        return [await measure(ours, setup, k6), bare];
      };
      const starts = await both(short);
      const pair = await both(long);
      whole.push(pair);
      beyond.push([further(pair[0], starts[0]), further(pair[1], starts[1])]);
      say(`${scenario} ${round + 1}/${rounds}: ${pair.map(figure).join(' against ')}`);
    }
    const commands = [`k6 run load/scenarios/${scenario}.ts`, `k6 run ${LEAN}`];
    const title = `k6 script ${scenario}, up to ${rate} requests/s`;
    const [seconds, startSeconds] = [durationMs / 1000, START_MS / 1000];
    return [
      compare(
        {
          id: `script-${scenario}`,
          title: `${title}: seconds ${startSeconds} to ${seconds}`,
          goal: GOAL,
          commands,
        },
        beyond,
      ),
      compare(
        {
          id: `script-${scenario}-with-start`,
          title: `${title}: all ${seconds} s`,
          goal: GOAL_WITH_START,
          commands,
        },
        whole,
      ),
    ];
  } finally {
    await server.close();
  }
}

/** A server of its own windows, keys and quota, so that only `limit` decides. */
export function serverOptions(limit: number): ReferenceOptions {
  return { limit, windowMs: WINDOW_MS, quota: Number.MAX_SAFE_INTEGER, keys: { valid: 8 } };
}

/** The plan of a scenario for a server of `serverOptions`. */
export function setUpFor(
  origin: string,
  scenario: ScenarioName,
  settings: LoadSettings,
  limit: number,
): Promise<LoadSetup> {
  const target = resolveTarget({
    env: {},
    file: {
      baseUrl: `${origin}/v1`,
      keys: { valid: ['reference-key-valid-0001'] },
      limits: { requests: limit, windowMs: WINDOW_MS, monthlyQuota: Number.MAX_SAFE_INTEGER },
    },
  });
  return setUp({ scenario, settings, target, allowRemote: false });
}

/** Runs a script in k6 and counts what it sent. */
export async function measure(
  script: string,
  { plan, keys }: LoadSetup,
  k6: K6,
): Promise<Measured> {
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-bench-'));
  const file = (name: string): string => path.join(folder, name);
  try {
    await writeFile(file('plan.json'), JSON.stringify(plan));
    await writeFile(file('secrets'), secretsText(keys), { mode: 0o600 });
    const files = { console: file('rows.ndjson'), secrets: file('secrets'), script };
    const { cpuSeconds } = await timedRun(k6.path, k6Arguments(files), {
      env: { ...quietEnv(), ASSAY_PLAN: file('plan.json'), ASSAY_SUMMARY: file('summary.json') },
      timeoutMs: plan.shape.durationMs + 60_000,
    });
    const summary = JSON.parse(await readFile(file('summary.json'), 'utf8')) as { sent: number };
    const due = (plan.shape.rate * plan.shape.durationMs) / 1000;
    if (summary.sent < due / 4) {
      throw new Error(
        `Only ${summary.sent} of up to ${due} requests were sent: this machine has no time for a measurement.`,
      );
    }
    return { requests: summary.sent, cpuSeconds };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
