import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Results } from '../../src/report/model/results.ts';
import { assay, scratch, type Ended } from '../cli/assay.ts';
import { movableClock } from '../../src/reference/reference.ts';
import { planningTime } from '../../src/run/embedded.ts';
import { served } from '../cli/served.ts';

/** A run as a reader gets it: what the terminal said, and every file. */
export interface RealRun {
  readonly code: number | null;
  readonly results: Results;
  /** The results as a file, for `--baseline`. */
  readonly file: string;
  readonly terminal: string;
  readonly markdown: string;
  readonly junit: string;
  readonly ctrf: string;
  readonly sarif: string;
  readonly html: string;
  /** What the page says, without its markup. */
  readonly page: string;
}

const ENTITIES: readonly (readonly [RegExp, string])[] = [
  [/&lt;/g, '<'],
  [/&gt;/g, '>'],
  [/&quot;/g, '"'],
  [/&#39;|&apos;/g, "'"],
  [/&amp;/g, '&'],
];

/** Text of a page or an XML file: no elements, one space between words. */
export const textOf = (markup: string): string =>
  ENTITIES.reduce(
    (text, [entity, sign]) => text.replace(entity, sign),
    markup
      .replace(/<(?:style|script|template)[^>]*>[^]*?<\/(?:style|script|template)>/g, '')
      .replace(/<[^>]+>/g, ''),
  ).replace(/\s+/g, ' ');

let runs = 0;

/** Runs `assay` with these words and reads what it wrote. */
export async function runOf(words: readonly string[]): Promise<RealRun> {
  const folder = `real-${(runs += 1)}`;
  const ended = await assay(['run', ...words, '-o', folder, '--format', FORMATS]);
  return readRun(folder, ended);
}

/** The results of `runOf`, for what needs no report of them. */
export async function resultsOf(words: readonly string[]): Promise<Results> {
  const folder = `real-${(runs += 1)}`;
  await assay(['run', ...words, '-o', folder]);
  return JSON.parse(readFileSync(path.join(scratch, folder, 'results.json'), 'utf8')) as Results;
}

/** Faults of all kinds of harm, for a run with many causes. */
export const MANY = [
  'forbidden-admitted-charts',
  'expired-key-as-unknown-for-stocks',
  'limit-one-more',
  'error-status-422',
  'currency-klines-zero-crash',
  'etf-summary-two-swapped',
  'snapshot-high-below-low',
  'refusal-message',
  'news-matched-null',
  'op/missing/currencies-market-snapshot.price',
  'op/retyped/currencies-klines.high/last',
  'macro-default-limit',
  'unknown-currency-message',
  'validation-details-empty',
  'etf-summary-start-ignored',
  'candle-close-above-high',
];

/** The results of `runWith`, for what needs no report of them. */
export async function resultsWith(
  faults: readonly string[],
  words: readonly string[],
  start?: number,
): Promise<Results> {
  const server = await served({ faults, clock: movableClock(start ?? planningTime()) });
  try {
    return await resultsOf(['-t', server.target, ...words]);
  } finally {
    await server.stop();
  }
}

/** What runs are written as. */
export const FORMATS = 'html,junit,ctrf,md,sarif';

/** Reads what a run left in a folder. */
export function readRun(folder: string, { code, text }: Pick<Ended, 'code' | 'text'>): RealRun {
  const read = (name: string): string => readFileSync(path.join(scratch, folder, name), 'utf8');
  const html = read('report.html');
  return {
    code,
    results: JSON.parse(read('results.json')) as Results,
    file: path.join(scratch, folder, 'results.json'),
    terminal: text.replace(/\s+/g, ' '),
    markdown: read('summary.md'),
    junit: read('junit.xml'),
    ctrf: read('ctrf.json'),
    sarif: read('results.sarif'),
    html,
    page: textOf(html),
  };
}

/**
 * A run against a reference server with these faults, whose clock starts at a time: by default early in the present minute, so
 * that no window ends while it is filled.
 */
export async function runWith(
  faults: readonly string[],
  words: readonly string[] = [],
  start?: number,
): Promise<RealRun> {
  const server = await served({ faults, clock: movableClock(start ?? planningTime()) });
  try {
    return await runOf(['-t', server.target, ...words]);
  } finally {
    await server.stop();
  }
}

/** A waiver file for everything that a run found violated: by Ada, until 2099. */
export function waiverFileFor({ results }: Pick<RealRun, 'results'>): string {
  const waivers = results.requirements
    .filter(({ outcome }) => outcome === 'failed')
    .map((one) => ({
      id: one.id,
      owner: 'Ada',
      reason: 'the fix ships with release 12',
      expires: '2099-01-01',
      evidence: one.fingerprint,
    }));
  const file = path.join(scratch, `waivers-${(runs += 1)}.json`);
  writeFileSync(file, JSON.stringify({ version: 1, waivers }));
  return file;
}

/** Ids of the requirements that came out in a way. */
export const idsOf = ({ results }: RealRun, outcome: string): readonly string[] =>
  results.requirements.filter((one) => one.outcome === outcome).map(({ id }) => id);
