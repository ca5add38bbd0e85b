import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Results } from '../../src/report/model/results.ts';
import { validate } from '../../src/judge/schema/schemas.ts';
import { assay, scratch } from '../cli/assay.ts';
import { counting, countsOf, killedRun, outcomesOf, resultsIn } from './counting.ts';

/**
 * Requests of two windows, each with the refusal after it: the burst that was interrupted, and a window that was used up
 * before. A resumed run begins in new windows, so it may have to use up another one.
 */
const MOST_MORE = 42;

/** An uninterrupted run, and the requests at the server. */
export interface Whole {
  readonly results: Results;
  readonly seen: readonly string[];
}

export async function wholeRun(name: string, args: readonly string[] = []): Promise<Whole> {
  const server = await counting();
  try {
    const folder = `whole ${name}`;
    const { code, text } = await assay([
      'run',
      '-t',
      server.target,
      '--format',
      'json',
      '--output',
      folder,
      ...args,
    ]);
    expect(code, text).toBe(0);
    expect(existsSync(path.join(scratch, folder, 'journal.ndjson'))).toBe(false);
    return { results: resultsIn(folder), seen: [...server.seen] };
  } finally {
    await server.close();
  }
}

/**
 * Kills a run at request number `at`, optionally also the resumed run, and resumes it to the end: the verdict and all
 * outcomes equal those of the full run, and no request was sent twice except those in flight and those of an
 * interrupted sequence.
 */
export async function killAndResume(
  whole: Whole,
  at: number,
  options: { readonly args?: readonly string[]; readonly againAt?: number } = {},
): Promise<void> {
  const { args = [], againAt } = options;
  const label = `killed at ${at}${againAt === undefined ? '' : ` and ${againAt}`}`;
  const server = await counting();
  try {
    const folder = `${label} ${args.join(' ').replaceAll('-', '')}`;
    const killed = await killedRun(server, ['--output', folder, ...args], at);
    expect(killed.code, label).toBeNull();
    if (againAt !== undefined) {
      const again = await killedRun(server, ['--resume', folder, '--output', folder], againAt);
      expect(again.code, `${label}\n${again.text}`).toBeNull();
    }
    const { code, text } = await assay([
      'run',
      '-t',
      server.target,
      '--format',
      'json',
      '--resume',
      folder,
    ]);
    expect(code, `${label}\n${text}`).toBe(0);
    const results = resultsIn(folder);
    expect(validate('results', results), label).toEqual([]);
    expect(outcomesOf(results), label).toEqual(outcomesOf(whole.results));
    expect(results.verdict, label).toBe(whole.results.verdict);
    expect(results.resumed?.times, label).toBe(againAt === undefined ? 1 : 2);
    expect(existsSync(path.join(scratch, folder, 'journal.ndjson')), label).toBe(false);
    mustBeSentOnce(results, whole, server.seen, label);
  } finally {
    await server.close();
  }
}

function mustBeSentOnce(
  results: Results,
  whole: Whole,
  seen: readonly string[],
  label: string,
): void {
  const again = results.exchanges.filter(({ purpose }) => purpose === 'interrupted');
  const { requests, exchanges, resumed } = results;
  expect(requests.total, label).toBe(exchanges.length);
  expect(new Set(exchanges.map(({ id }) => id)).size, label).toBe(exchanges.length);
  expect(resumed?.again, label).toBe(again.length);
  // All requests at the server are recorded; of the recorded ones, only those in flight may not have arrived.
  const lost = again.filter(({ response }) => response === null).length;
  expect(seen.length, label).toBeLessThanOrEqual(exchanges.length);
  expect(seen.length, label).toBeGreaterThanOrEqual(exchanges.length - lost);
  // The pool key of a request and the requested times vary.
  const withoutTimes = (text: string): string => text.replaceAll(/\d{13}/g, 'T');
  const withoutKey = (line: string): string => withoutTimes(line.replace(/ \S*$/, ''));
  const before = countsOf(whole.seen.map(withoutKey));
  // An unexpected refusal is retried in any run.
  const retried = exchanges.filter(({ attempt }) => attempt > 1);
  const asked = countsOf(
    [...again, ...retried].map(
      ({ request }) => `GET ${withoutTimes(new URL(request.url).pathname)}`,
    ),
  );
  // Requests that the full run sent once are sent once, except the limiter probe: which request it repeats, and how
  // often, depends on the windows at the time of resuming.
  let more = 0;
  const twice: string[] = [];
  for (const [line, count] of countsOf(seen.map(withoutKey))) {
    const pathname = new URL(line.split(' ')[1] ?? '', 'http://host').pathname;
    const first = before.get(line) ?? 0;
    const excess = count - Math.max(1, first + (asked.get(`GET ${pathname}`) ?? 0));
    if (excess > 0 && first <= 1) twice.push(line);
    more += Math.max(0, excess);
  }
  expect(twice.length, `${label}: ${twice.join(', ')}`).toBeLessThanOrEqual(1);
  expect(more, label).toBeLessThanOrEqual(MOST_MORE);
}
