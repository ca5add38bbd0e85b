import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { startReferenceProcess } from '#src/load/embedded.ts';
import { findK6, quietEnv, type K6 } from '#src/load/find-k6.ts';
import { setUp, type LoadSetup } from '#src/load/load.ts';
import { packageFile } from '#src/load/package-root.ts';
import { k6Arguments, secretsText } from '#src/load/run-scenario.ts';
import { scriptOf } from '#src/load/scenarios.ts';
import type { ScenarioName } from '#src/spec/scenarios.ts';
import {
  childrenSeconds,
  compare,
  further,
  rowOf,
  type Comparison,
  type Measured,
} from './figures.ts';

/**
 * What our k6 scripts cost, held against the leanest script that sends the same, in turn on the same machine: whole runs, and
 * what a longer run has beyond a short one, which leaves out what is spent once. Ends with 1 when a goal is missed.
 */

const HELP = `npm run bench -- [options]
  --rounds N     pairs of measurements (default 6, with fewer there is no interval)
  --k6 PATH      k6 to use
`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** A limit that is counted and never reached. */
const NO_LIMIT = 1_000_000_000;

/** Scenarios with their rate and the limit of the server; the flood is refused, the others are not. */
const CASES: readonly (readonly [scenario: ScenarioName, rate: number, limit: number])[] = [
  ['mix', 2500, NO_LIMIT],
  ['capacity', 4500, NO_LIMIT],
  ['rl-flood', 3500, 20],
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
const WHOLE_MS = 12_000;

const LEAN = 'test/proof/bench/k6/lean.ts';

async function compareScript(
  [scenario, rate, limit]: (typeof CASES)[number],
  k6: K6,
  rounds: number,
): Promise<readonly Comparison[]> {
  const server = await startReferenceProcess({
    limit,
    windowMs: WINDOW_MS,
    quota: Number.MAX_SAFE_INTEGER,
    keys: { valid: 8 },
  });
  try {
    const setUpFor = (ms: number): Promise<LoadSetup> => {
      const length = scenario === 'rl-flood' ? { windows: ms / WINDOW_MS } : { durationMs: ms };
      const { target } = server;
      return setUp({ scenario, settings: { rate, ...length }, target, allowRemote: false });
    };
    const [short, long] = [await setUpFor(START_MS), await setUpFor(WHOLE_MS)];
    const scripts = [scriptOf(scenario), packageFile(LEAN)] as const;
    type Pair = readonly [ours: Measured, lean: Measured];
    const whole: Pair[] = [];
    const beyond: Pair[] = [];
    for (let round = 0; round < rounds; round += 1) {
      // Each is the first one in half of the rounds: whatever else the machine does comes and goes slowly.
      const both = async (setup: LoadSetup): Promise<Pair> => {
        const [ours, lean] = scripts;
        if (round % 2 === 0)
          return [await measure(ours, setup, k6), await measure(lean, setup, k6)];
        const bare = await measure(lean, setup, k6);
        return [await measure(ours, setup, k6), bare];
      };
      const starts = await both(short);
      const pair = await both(long);
      whole.push(pair);
      beyond.push([further(pair[0], starts[0]), further(pair[1], starts[1])]);
      say(`${scenario} ${round + 1}/${rounds}`);
    }
    const title = `${scenario}, up to ${rate} requests/s`;
    return [
      compare(`${title}: seconds ${START_MS / 1000} to ${WHOLE_MS / 1000}`, GOAL, beyond),
      compare(`${title}: all ${WHOLE_MS / 1000} s`, GOAL_WITH_START, whole),
    ];
  } finally {
    await server.close();
  }
}

/** The shell tells what its children used: Node knows that of itself only. */
const TIMED = '"$0" "$@" >/dev/null; code=$?; times; exit $code';

/** Runs a script in k6 and counts what it sent. @throws Error when k6 fails, or when the machine has no time for it */
async function measure(script: string, { plan, keys }: LoadSetup, k6: K6): Promise<Measured> {
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-bench-'));
  const file = (name: string): string => path.join(folder, name);
  try {
    await writeFile(file('plan.json'), JSON.stringify(plan));
    await writeFile(file('secrets'), secretsText(keys), { mode: 0o600 });
    const files = { console: file('rows.ndjson'), secrets: file('secrets'), script };
    const { stdout } = await promisify(execFile)(
      '/bin/sh',
      ['-c', TIMED, k6.path, ...k6Arguments(files)],
      {
        env: { ...quietEnv(), ASSAY_PLAN: file('plan.json'), ASSAY_SUMMARY: file('summary.json') },
        timeout: plan.shape.durationMs + 60_000,
      },
    );
    const { sent } = JSON.parse(await readFile(file('summary.json'), 'utf8')) as { sent: number };
    const due = (plan.shape.rate * plan.shape.durationMs) / 1000;
    if (sent < due / 4) {
      throw new Error(
        `Only ${sent} of up to ${due} requests were sent: this machine is too busy for a measurement.`,
      );
    }
    return { requests: sent, cpuSeconds: childrenSeconds(stdout) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '6' },
      k6: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const rounds = Number(values.rounds);
  if (values.help || !Number.isInteger(rounds) || rounds < 1) {
    process.stdout.write(HELP);
    return values.help ? 0 : 2;
  }
  const k6 = await findK6({ k6: values.k6, install: true, say });
  const comparisons: Comparison[] = [];
  for (const one of CASES) comparisons.push(...(await compareScript(one, k6, rounds)));
  const machine = `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores`;
  say(`\nNode ${process.version}, k6 ${k6.version}, ${machine}\n`);
  say(
    '| scenario | ours | lean | ratio | 95% interval | goal |\n| --- | --- | --- | --- | --- | --- |',
  );
  for (const one of comparisons) say(rowOf(one));
  return comparisons.every(({ ratio, goal }) => ratio >= goal) ? 0 : 1;
}

process.exitCode = await main().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error));
  return 1;
});
