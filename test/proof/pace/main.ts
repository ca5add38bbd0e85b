import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { packageFile } from '#src/load/package-root.ts';
import { createReference, systemClock } from '#src/reference/reference.ts';
import type { Modification } from '#src/reference/hooks.ts';
import type { Results } from '#src/report/model/results.ts';

/**
 * How near a run comes to the least time that the rate limit leaves room for, on a target that takes its time. Windows are
 * those of the specification, and nobody moves the clock: the longest case lasts five minutes. Ends with 1 when a case takes
 * longer than the goal.
 */

const HELP = `npm run bench:pace -- [options]
  --latency MS       time that an answer takes (repeatable; default 0, 150 and 800)
  --keys N           valid keys (repeatable; default 1, 3 and 8)
`;

/** Paced time at most, as a share of the windows that the requests fill. */
const GOAL = 1.05;
const WINDOW_MS = 60_000;
const LIMIT = 20;
/** Cases at a time: they mostly wait. */
const AT_ONCE = 3;

interface Case {
  readonly latencyMs: number;
  readonly keys: number;
}

const late = (delayMs: number): Modification => ({
  hooks: { answer: (answer) => ({ ...answer, delayMs }) },
});

/** Runs the command line against a server of its own, and reads what it sent when. */
async function measure(one: Case): Promise<Results> {
  const reference = createReference({
    clock: systemClock,
    windowMs: WINDOW_MS,
    modifications: [late(one.latencyMs)],
  });
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-pace-'));
  const server = await reference.listen();
  try {
    const file = reference.targetFile(server.baseUrl);
    const { valid, disabled, expired } = file.keys;
    const keys = { valid: valid.slice(0, one.keys), disabled, expired };
    const target = path.join(folder, 'target.json');
    await writeFile(target, JSON.stringify({ ...file, keys }));
    const args = ['run', '-t', target, '--format', 'json', '--output', folder];
    const child = spawn(process.execPath, [packageFile('dist/src/cli/main.js'), ...args], {
      stdio: 'ignore',
    });
    await new Promise((resolve) => child.once('exit', resolve));
    return JSON.parse(await readFile(path.join(folder, 'results.json'), 'utf8')) as Results;
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The line of a case, and whether it reached the goal. */
function lineOf({ latencyMs, keys }: Case, results: Results): readonly [string, boolean] {
  const { valid = 0, restricted = 0 } = results.requests.byRole;
  const windows = Math.max(Math.ceil(valid / (LIMIT * keys)), Math.ceil(restricted / LIMIT));
  const from = Math.min(...results.exchanges.map(({ sentAt }) => sentAt));
  const to = Math.max(...results.exchanges.map(({ receivedAt }) => receivedAt));
  const ratio = (to - from) / (windows * WINDOW_MS);
  const isGood = ratio <= GOAL && results.exitCode === 0;
  const line = [
    isGood ? 'reached' : 'MISSED ',
    `${latencyMs} ms`.padStart(6),
    `${keys} valid key${keys === 1 ? ' ' : 's'}`,
    `${valid} + ${restricted} requests`,
    `${windows} window${windows === 1 ? ' ' : 's'}`,
    `${((to - from) / 1000).toFixed(1)} s`.padStart(7),
    `${ratio.toFixed(2)} of the floor`,
    results.verdict,
  ];
  return [line.join('  '), isGood];
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      latency: { type: 'string', multiple: true, default: ['0', '150', '800'] },
      keys: { type: 'string', multiple: true, default: ['1', '3', '8'] },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const cases = values.keys.flatMap((keys) =>
    values.latency.map((latency): Case => ({ latencyMs: Number(latency), keys: Number(keys) })),
  );
  let [next, missed] = [0, 0];
  const work = async (): Promise<void> => {
    for (let one = cases[next++]; one !== undefined; one = cases[next++]) {
      const [line, isGood] = lineOf(one, await measure(one));
      if (!isGood) missed += 1;
      process.stdout.write(`${line}\n`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return missed === 0 ? 0 : 1;
}

process.exitCode = await main();
