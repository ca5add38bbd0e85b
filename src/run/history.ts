import { lstat, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Exchange } from '../spec/exchange.ts';
import { DAY } from '../spec/time.ts';
import { T1_FIELDS } from '../spec/resources.ts';
import { readExchange } from '../har/own-exchange.ts';
import { HISTORY, isoDate } from '../judge/etf-rows.ts';
import { DEFAULT_FACTS, type EarlierRow } from '../judge/facts.ts';
import { isObject, viewOf } from '../judge/view.ts';

/** Folders beside the output that are looked at, newest first. */
const MOST_FOLDERS = 200;
/** Runs of the same target that are read. */
const MOST_RUNS = 8;
/** Larger files are passed over, bytes. */
const MOST_BYTES = 64 * 1024 * 1024;
/** The target stands among the first members of results.json. */
const HEAD_BYTES = 4096;
/** A row that was unsettled longer ago has left the window of most ranges, ms. */
export const MOST_AGE_MS = 14 * DAY;
/** Time that the search may take, ms. */
const MOST_MS = 3000;

export interface HistoryOptions {
  /** Folder of the present run; those beside it are looked at. */
  readonly output: string;
  readonly baseUrl: string;
  /** Results of an earlier run given by name. */
  readonly baseline?: { readonly target: { readonly baseUrl: string } } | undefined;
  readonly now: number;
}

/**
 * Rows of ETF histories that earlier runs of the same target saw unsettled (§4.4 rule 1, ruling 17), from the
 * results.json files beside the output and from the baseline. What cannot be read is passed over: an old report must not
 * keep a run from starting. Links are not followed.
 */
export async function earlierRows(options: HistoryOptions): Promise<readonly EarlierRow[]> {
  const { output, baseUrl, baseline, now } = options;
  const rows = new Map<string, EarlierRow>();
  const add = (results: unknown): void => {
    for (const row of rowsIn(results, now)) {
      const key = JSON.stringify([row.ticker, row.date]);
      const known = rows.get(key);
      if (known === undefined || row.seenAt > known.seenAt) rows.set(key, row);
    }
  };
  if (baseline !== undefined && baseline.target.baseUrl === baseUrl) add(baseline);
  for await (const results of earlierRuns(output, baseUrl)) add(results);
  return [...rows.values()].toSorted((a, b) => (a.date < b.date ? -1 : 1));
}

/**
 * Contents of the results.json files beside the output of runs of the same target, the newest first: at most eight, and as
 * many as can be read in three seconds. Replays are none. They come from the disk and are not checked further.
 */
export async function* earlierRuns(
  output: string,
  baseUrl: string,
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const until = Date.now() + MOST_MS;
  let runs = 0;
  for (const folder of await foldersBeside(output)) {
    if (runs >= MOST_RUNS || Date.now() > until) return;
    const results = await resultsOf(path.join(folder, 'results.json'), baseUrl);
    if (results === undefined) continue;
    runs += 1;
    yield results;
  }
}

/** Folders of other runs, the newest names first: they begin with the time as a rule. */
async function foldersBeside(output: string): Promise<string[]> {
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

/** The content of the results.json of a run of the target; undefined for anything else. */
async function resultsOf(
  file: string,
  baseUrl: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    // Before it is opened: a pipe would keep the run waiting.
    const info = await lstat(file);
    if (!info.isFile() || info.size > MOST_BYTES) return undefined;
    const handle = await open(file, 'r');
    try {
      const head = Buffer.alloc(HEAD_BYTES);
      const { bytesRead } = await handle.read(head, 0, HEAD_BYTES, 0);
      // Most files beside this run may be about other targets: they are not worth parsing.
      if (!head.toString('utf8', 0, bytesRead).includes(JSON.stringify(baseUrl))) return undefined;
      const value: unknown = JSON.parse(await handle.readFile('utf8'));
      if (!isObject(value) || !isObject(value['target'])) return undefined;
      // A replay sent nothing: it says again what its recording says, and the run that was recorded may lie here, too.
      if (value['replayed'] !== undefined) return undefined;
      return value['target']['baseUrl'] === baseUrl ? value : undefined;
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

/** A row of an ETF history as an answer of a run showed it. */
export interface SeenRow extends EarlierRow {
  /** True when none of its settlement figures was null. */
  readonly settled: boolean;
}

/** Rows of ETF histories in the content of a results.json, in the order seen. What cannot be read is passed over. */
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

function rowsIn(results: unknown, now: number): EarlierRow[] {
  const oldest = isoDate(now - MOST_AGE_MS);
  return historyRowsIn(results).flatMap(({ settled, ...row }) =>
    settled || row.date < oldest ? [] : [row],
  );
}

function rowsOf(exchange: Exchange, envelope: string | null, run: string): SeenRow[] {
  const view = viewOf(exchange, { ...DEFAULT_FACTS, envelope });
  const ticker = exchange.pathParameters['ticker'];
  if (view === undefined || !view.ok || ticker === undefined) return [];
  return view.records.flatMap(({ value }) => {
    if (!isObject(value)) return [];
    const { date } = value;
    if (typeof date !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(date)) return [];
    if (Number.isNaN(Date.parse(date))) return [];
    const settled = T1_FIELDS.every((field) => value[field] !== null);
    return [{ ticker, date, seenAt: view.now, run, settled }];
  });
}
