import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { K6 } from '#src/load/find-k6.ts';
import type { LoadSetup } from '#src/load/load.ts';
import { packageFile } from '#src/load/package-root.ts';
import type { PlannedRequest } from '#src/load/plan.ts';
import { compare, figure } from './figures.ts';
import type { Comparison, Measured } from './figures.ts';
import { LEAN, measure, NO_LIMIT, serverOptions, setUpFor } from './scripts.ts';
import { startServer, timedRun } from './processes.ts';
import type { MeasuredServer } from './processes.ts';

/** Least share of the bare handler's answers per processor second. */
const GOAL = 0.6;
const SECONDS = 3;
const CONNECTIONS = 16;
const KEYS = 8;
/** Length of the list of requests that goes round: long enough for every weight. */
const ROUND = 200;

/** The paths of a mix in turn, each as often as its weight says. */
export function roundOf(requests: readonly PlannedRequest[]): string[] {
  const total = requests.reduce((sum, { weight }) => sum + weight, 0);
  const places: { url: string; at: number }[] = [];
  for (const { path: url, weight } of requests) {
    const times = Math.max(1, Math.round((weight / total) * ROUND));
    for (let index = 0; index < times; index += 1) {
      places.push({ url: `/v1${url}`, at: (index + 0.5) / times });
    }
  }
  return places.toSorted((a, b) => a.at - b.at).map(({ url }) => url);
}

/** wrk's own language: all requests are written once and sent in turn. */
function wrkScript(paths: readonly string[]): string {
  const text = (value: string): string => JSON.stringify(value);
  return `local paths = {${paths.map(text).join(', ')}}
local made, n = {}, 0
function init()
  for i, path in ipairs(paths) do
    wrk.headers["X-API-KEY"] = string.format("reference-key-valid-%04d", i % ${KEYS} + 1)
    made[i] = wrk.format("GET", path)
  end
end
function request()
  n = n % #made + 1
  return made[n]
end
`;
}

/** Sends requests to a server for some seconds. `perSecond`: what it reached, where the rate was not given. */
export interface Generator {
  readonly command: string;
  run(server: MeasuredServer, seconds: number): Promise<{ requests: number; perSecond?: number }>;
}

/** wrk: so cheap that it brings a server of Node to its ceiling. */
export function wrkGenerator(wrk: string, script: string): Generator {
  const args = ['-t1', `-c${CONNECTIONS}`];
  return {
    command: `wrk ${args.join(' ')} -d${SECONDS}s -s mix.lua`,
    async run(server, seconds) {
      const all = [...args, `-d${seconds}s`, '-s', script, server.origin];
      const { output } = await timedRun(wrk, all, { timeoutMs: seconds * 1000 + 30_000 });
      const requests = Number(/(\d+) requests in/.exec(output)?.[1]);
      const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
      const wrong = /Non-2xx or 3xx responses: \d+|Socket errors:[^\n]*/.exec(output);
      if (wrong !== null || !(requests > 0)) {
        throw new Error(`wrk did not measure what it was to: ${wrong?.[0] ?? output}`);
      }
      return { requests, perSecond };
    },
  };
}

/** k6, where there is no wrk: it gives a rate, and does not reach the ceiling. */
export function k6Generator(k6: K6, setup: LoadSetup): Generator {
  return {
    command: `k6 run ${LEAN}`,
    async run(server, seconds) {
      const shape = { ...setup.plan.shape, durationMs: seconds * 1000 };
      const plan = { ...setup.plan, baseUrl: `${server.origin}/v1`, shape };
      return measure(packageFile(LEAN), { ...setup, plan }, k6);
    },
  };
}

/** Holds the reference server, limiter and headers on, against a handler that only looks up the same bytes. */
export async function compareServers(
  wrk: string | undefined,
  k6: K6,
  rounds: number,
  say: (line: string) => void,
): Promise<Comparison> {
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-bench-'));
  const servers: MeasuredServer[] = [];
  const start = async (
    kind: 'reference' | 'bare',
    paths: readonly string[],
  ): Promise<MeasuredServer> => {
    const server = await startServer({ kind, options: serverOptions(NO_LIMIT), paths });
    servers.push(server);
    return server;
  };
  try {
    const reference = await start('reference', []);
    const setup = await setUpFor(reference.origin, 'mix', { rate: 3000 }, NO_LIMIT);
    const paths = roundOf(setup.plan.requests);
    const bare = await start('bare', [...new Set(paths)]);
    const script = path.join(folder, 'mix.lua');
    await writeFile(script, wrkScript(paths));
    const generator = wrk === undefined ? k6Generator(k6, setup) : wrkGenerator(wrk, script);
    // Both get warm before anything counts.
    for (const server of servers) await sample(generator, server, 1);
    const pairs: (readonly [Measured, Measured])[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const pair = [
        await sample(generator, reference, SECONDS),
        await sample(generator, bare, SECONDS),
      ] as const;
      pairs.push(pair);
      say(`server ${round + 1}/${rounds}: ${pair.map(figure).join(' against ')}`);
    }
    return compare(
      {
        id: 'reference-server',
        title: 'Reference server, limiter and headers on, against a bare node:http handler',
        goal: GOAL,
        commands: [generator.command],
      },
      pairs,
    );
  } finally {
    await Promise.all(servers.map((server) => server.close()));
    await rm(folder, { recursive: true, force: true });
  }
}

async function sample(
  generator: Generator,
  server: MeasuredServer,
  seconds: number,
): Promise<Measured> {
  const before = await server.cpuSeconds();
  const answered = await generator.run(server, seconds);
  return { ...answered, cpuSeconds: (await server.cpuSeconds()) - before };
}
