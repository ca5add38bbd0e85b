import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Results } from '../../src/report/model/results.ts';
import { createReference, movableClock } from '../../src/reference/reference.ts';
import { scratch, start, type Ended, type Running } from '../cli/assay.ts';
import { WORLD } from '../kept/data.ts';

/** `assay watch` in a process of its own. */
export interface Watching {
  readonly running: Running;
  /** Origin that clients use. */
  readonly listen: string;
  readonly page: string;
  readonly output: string;
  /** Ends it as Ctrl-C does. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
  results(): Results;
}

/** Starts a watch in front of a base URL, and waits until it listens. */
export async function startWatch(
  target: string,
  more: readonly string[] = [],
  output = mkdtempSync(path.join(scratch, 'watch ')),
): Promise<Watching> {
  const listen = more.includes('--listen') ? [] : ['--listen', '127.0.0.1:0'];
  const running = start(['watch', '-t', target, ...listen, '-o', output, ...more]);
  await Promise.race([running.until('"listen"'), running.ended]);
  const line = running
    .output()
    .split('\n')
    .find((one) => one.startsWith('{"listen"'));
  if (line === undefined) throw new Error(`It did not start: ${running.output()}`);
  const told = JSON.parse(line) as { listen: string; page: string };
  return {
    running,
    ...told,
    output,
    stop: (signal = 'SIGINT') => {
      running.child.kill(signal);
      return running.ended;
    },
    results: () => JSON.parse(readFileSync(path.join(output, 'results.json'), 'utf8')) as Results,
  };
}

/** The reference server on loopback, with its keys. */
export async function service(faults: readonly string[] = []) {
  const reference = createReference({ clock: movableClock(), world: WORLD, faults });
  let arrived = 0;
  const listening = await reference.listen({ onRequest: () => void (arrived += 1) });
  return { ...listening, reference, arrived: () => arrived };
}

/** Every file below a folder, as text. */
export function filesBelow(folder: string): readonly { name: string; text: string }[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => statSync(path.join(folder, name)).isFile())
    .map((name) => ({ name, text: readFileSync(path.join(folder, name), 'latin1') }));
}

/** Asks for each path with a key, a few at a time, and gives the statuses. */
export async function askAll(
  origin: string,
  paths: readonly string[],
  keys: readonly string[],
): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const [index, one] of paths.entries()) {
    const key = keys[index % keys.length] ?? '';
    const answer = await fetch(`${origin}/v1${one}`, { headers: { 'X-API-KEY': key } });
    await answer.arrayBuffer();
    statuses.push(answer.status);
  }
  return statuses;
}
