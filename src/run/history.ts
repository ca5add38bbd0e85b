import { createReadStream } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Exchange } from '../spec/exchange.ts';
import { DAY, isoDay } from '../spec/time.ts';
import { T1_FIELDS } from '../spec/resources.ts';
import { readExchange } from '../har/own-exchange.ts';
import { earlierRun, historyOf } from '../report/analysis/history.ts';
import { readCoverage } from '../report/analysis/variety.ts';
import type { Results } from '../report/model/results.ts';
import { HISTORY } from '../judge/etf-rows.ts';
import { DEFAULT_FACTS, type EarlierRow } from '../judge/facts.ts';
import { isObject, viewOf } from '../judge/view.ts';

const MOST_FOLDERS = 200;
const MOST_RUNS = 8;
/** Larger files are ignored, bytes. */
const MOST_BYTES = 64 * 1024 * 1024;
/** The target is near the start of results.json, bytes. */
const HEAD = 4096;
/** Older unsettled rows are outside the window of most ranges, ms. */
export const MOST_AGE_MS = 14 * DAY;
const MOST_MS = 3000;

/**
 * Rows of ETF histories that earlier runs of the same target saw unsettled (§4.4 rule 1, ruling 17), from results.json
 * files in sibling folders and from the baseline. Unreadable files are ignored: an old report must not prevent a run.
 * Links are not followed.
 * @param output folder of the current run; its siblings are searched
 */
export async function earlierRows(
  output: string,
  baseUrl: string,
  baseline?: Pick<Results, 'target'>,
  now = Date.now(),
): Promise<readonly EarlierRow[]> {
  const seen = baseline?.target.baseUrl === baseUrl ? historyRowsIn(baseline) : [];
  for await (const { rows } of earlierRuns(output, baseUrl)) seen.push(...rows);
  const oldest = isoDay(now - MOST_AGE_MS);
  const rows = new Map<string, EarlierRow>();
  for (const { settled, ...row } of seen) {
    if (settled || row.date < oldest) continue;
    const key = JSON.stringify([row.ticker, row.date]);
    const known = rows.get(key);
    if (known === undefined || row.seenAt > known.seenAt) rows.set(key, row);
  }
  return [...rows.values()].toSorted((a, b) => (a.date < b.date ? -1 : 1));
}

/** What is kept of the results.json of an earlier run, which is large. */
type SeenRun = NonNullable<ReturnType<typeof runIn>>;

/**
 * Runs of the same target in sibling folders, newest first: at most eight, and as many as can be read in three seconds,
 * without replays. Their results are not validated.
 */
export async function* earlierRuns(output: string, baseUrl: string): AsyncGenerator<SeenRun> {
  const until = Date.now() + MOST_MS;
  let runs = 0;
  for (const folder of await siblingFolders(output)) {
    if (runs >= MOST_RUNS || Date.now() > until) return;
    const run = await seenRun(path.join(folder, 'results.json'), baseUrl);
    if (run === undefined) continue;
    runs += 1;
    yield run;
  }
}

/** Folders of other runs in descending order of names, which usually start with the time. */
async function siblingFolders(output: string): Promise<string[]> {
  const own = path.resolve(output);
  const parent = path.dirname(own);
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && entry.name !== path.basename(own))
    .map(({ name }) => name)
    .toSorted()
    .toReversed()
    .slice(0, MOST_FOLDERS)
    .map((name) => path.join(parent, name));
}

/** The run of a results.json of the target; undefined for anything else. */
async function seenRun(file: string, baseUrl: string): Promise<SeenRun | undefined> {
  try {
    // Before opening: a named pipe would block the run.
    const info = await lstat(file);
    if (!info.isFile() || info.size > MOST_BYTES || !(await isOf(file, baseUrl))) return undefined;
    return runIn(await readFile(file, 'utf8'), baseUrl);
  } catch {
    return undefined;
  }
}

/** Whether a results.json seems to be of a target, by its beginning: those of other targets are not read. */
async function isOf(file: string, baseUrl: string): Promise<boolean> {
  const [head = ''] = await createReadStream(file, { end: HEAD, encoding: 'utf8' }).toArray();
  return String(head).includes(JSON.stringify(baseUrl));
}

function runIn(text: string, baseUrl: string) {
  const value: unknown = JSON.parse(text);
  if (!isObject(value) || !isObject(value['target'])) return undefined;
  // A replay only repeats its recording, which may be here, too.
  if (value['replayed'] !== undefined || value['target']['baseUrl'] !== baseUrl) return undefined;
  return { rows: historyRowsIn(value), coverage: readCoverage(value), run: earlierRun(value) };
}

/** A row of an ETF history in a response. */
export interface SeenRow extends EarlierRow {
  /** True when none of its settlement figures was null. */
  readonly settled: boolean;
}

/** Rows of ETF histories in a results.json, in the order seen. Invalid parts are ignored. */
export function historyRowsIn(results: unknown): SeenRow[] {
  if (!isObject(results)) return [];
  const { exchanges, startedAt, target } = results;
  if (!Array.isArray(exchanges) || typeof startedAt !== 'string') return [];
  const wrapped = isObject(target) ? target['envelope'] : null;
  const envelope = typeof wrapped === 'string' ? wrapped : null;
  return exchanges.flatMap((value: unknown) => {
    if (!isObject(value) || value['endpoint'] !== HISTORY) return [];
    const exchange = readExchange(value);
    return exchange === undefined ? [] : rowsOf(exchange, envelope, startedAt);
  });
}

function rowsOf(exchange: Exchange, envelope: string | null, run: string): SeenRow[] {
  const view = viewOf(exchange, { ...DEFAULT_FACTS, envelope });
  const ticker = exchange.pathParameters['ticker'];
  if (view === undefined || !view.ok || ticker === undefined) return [];
  return view.records.flatMap(({ value }) => {
    if (!isObject(value)) return [];
    const { date } = value;
    const isDay = typeof date === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(date);
    if (!isDay || Number.isNaN(Date.parse(date))) return [];
    const settled = T1_FIELDS.every((field) => value[field] !== null);
    return [{ ticker, date, seenAt: view.now, run, settled }];
  });
}

/**
 * Adds the history of requirements from earlier runs of the same target in sibling folders of `output`. Unreadable
 * files are ignored.
 */
export async function withHistory(results: Results, output: string): Promise<Results> {
  // The embedded server is a new one each time.
  if (results.target.reference) return results;
  const earlier = [];
  for await (const { run } of earlierRuns(output, results.target.baseUrl)) {
    if (run !== undefined) earlier.push(run);
  }
  const history = historyOf(results, earlier);
  return history === null ? results : { ...results, history };
}
