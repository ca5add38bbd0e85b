import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Results } from '../../src/report/model/results.ts';
import { scratch, start, type Ended } from '../cli/assay.ts';
import { disturbed } from '../trust/servers.ts';

/** A reference server in this process that counts requests. */
export interface Counting {
  readonly target: string;
  readonly origin: string;
  /** Method, URL and key of every request since the last `reset`, in the order of arrival. */
  readonly seen: readonly string[];
  close(): Promise<void>;
}

export async function counting(
  options: { faults?: string[]; validKeys?: number } = {},
): Promise<Counting> {
  const seen: string[] = [];
  const server = await disturbed((request, _response, answer) => {
    seen.push(
      `${request.method} ${request.url} ${String(request.headers['x-api-key'] ?? 'no key')}`,
    );
    answer();
  }, options);
  return {
    target: server.target,
    origin: server.origin,
    seen,
    close: () => server.close(),
  };
}

const KILL = new URL('kill-at.mjs', import.meta.url).href;

/** Runs `assay run` until answer number `at` has arrived, then kills it before the answer is recorded. */
export async function killedRun(
  server: Counting,
  args: readonly string[],
  at: number,
): Promise<Ended> {
  const env = { NODE_OPTIONS: `--import=${KILL}`, ASSAY_TEST_KILL_AT: String(at) };
  return start(['run', '-t', server.target, '--format', 'json', ...args], env).ended;
}

export function resultsIn(folder: string): Results {
  return JSON.parse(readFileSync(path.join(scratch, folder, 'results.json'), 'utf8')) as Results;
}

/** Outcomes by requirement. */
export function outcomesOf({ requirements }: Results): Record<string, string> {
  return Object.fromEntries(requirements.map(({ id, outcome }) => [id, outcome]));
}

/** Number of occurrences of each item. */
export function countsOf(things: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const thing of things) counts.set(thing, (counts.get(thing) ?? 0) + 1);
  return counts;
}

/** Numbers in a range, drawn from a seed (mulberry32). */
export function drawn(seed: number, count: number, most: number): number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return 1 + (((mixed ^ (mixed >>> 14)) >>> 0) % most);
  });
}
