import { open } from 'node:fs/promises';
import { isObject, parsedJson } from '../text/json-value.ts';
import { runFailed, type LoadError } from './errors.ts';
import type { Row, RunSummary } from './plan.ts';

/** The lines of a file, read as a stream: recordings of long runs exceed the maximum length of a string. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  yield* (await open(file)).readLines();
}

/**
 * Reads the recorded answers line by line, and sorts them in the order sent.
 * @throws LoadError if a line is not from this run: a partial recording must not be judged
 */
export async function readRows(
  lines: Iterable<string> | AsyncIterable<string>,
  runId: string,
): Promise<Row[]> {
  const rows: Row[] = [];
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line === '') continue;
    const what = `Line ${number} of the observations`;
    const row = parsed(line, what);
    if (!has(row, ROW)) throw broken(`${what} is not an observation.`);
    if (row['run'] !== runId) throw broken(`${what} is from a different run.`);
    rows.push(row as unknown as Row);
  }
  return rows.toSorted((a, b) => a.t0 - b.t0);
}

/**
 * Reads the summary of a run.
 * @throws LoadError if it is missing, invalid or from another run
 */
export function parseSummary(text: string, runId: string): RunSummary {
  const summary = parsed(text, 'The k6 summary');
  if (!has(summary, SUMMARY) || !Array.isArray(summary['latency']))
    throw broken('The k6 summary is not in the format that the scripts write.');
  if (summary['runId'] !== runId) throw broken('The k6 summary is from a different run.');
  return summary as unknown as RunSummary;
}

/** Types of members that distinguish our lines from others in a log. */
const ROW = { run: 'string', status: 'number', t0: 'number', t1: 'number' };
const SUMMARY = { runId: 'string', sent: 'number', byStatus: 'object', harnessErrors: 'number' };

const has = (value: unknown, types: Readonly<Record<string, string>>): value is Json =>
  isObject(value) && Object.entries(types).every(([name, type]) => typeof value[name] === type);

type Json = Record<string, unknown>;

function parsed(text: string, what: string): unknown {
  const value = parsedJson(text);
  if (value === undefined) throw broken(`${what} is not JSON: ${text.slice(0, 200)}`);
  return value;
}

const broken = (message: string): LoadError =>
  runFailed(
    message,
    'The recording was not judged. Run the scenario again; if it fails again, set ASSAY_DEBUG=1.',
  );
