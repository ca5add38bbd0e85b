import { open } from 'node:fs/promises';
import { LoadError } from './errors.ts';
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
    if (line !== '') rows.push(parseRow(line, number, runId));
  }
  return rows.toSorted((a, b) => a.t0 - b.t0);
}

function parseRow(line: string, number: number, runId: string): Row {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch {
    throw broken(`Line ${number} of the observations is not JSON: ${line.slice(0, 200)}`);
  }
  if (!isRow(row)) throw broken(`Line ${number} of the observations is not an observation.`);
  if (row.run !== runId)
    throw broken(`Line ${number} of the observations is from a different run.`);
  return row;
}

/**
 * Reads the summary of a run.
 * @throws LoadError if it is missing, invalid or from another run
 */
export function parseSummary(text: string, runId: string): RunSummary {
  let summary: unknown;
  try {
    summary = JSON.parse(text);
  } catch {
    throw broken('The k6 summary is not JSON.');
  }
  if (!isSummary(summary))
    throw broken('The k6 summary is not in the format that the scripts write.');
  if (summary.runId !== runId) throw broken('The k6 summary is from a different run.');
  return summary;
}

function broken(message: string): LoadError {
  return new LoadError(
    'ASSAY_LOAD_RUN',
    message,
    'The recording was not judged. Run the scenario again; if it fails again, set ASSAY_DEBUG=1.',
  );
}

function isRow(value: unknown): value is Row {
  return (
    typeof value === 'object' &&
    value !== null &&
    'run' in value &&
    'status' in value &&
    typeof value.status === 'number' &&
    't0' in value &&
    typeof value.t0 === 'number' &&
    't1' in value &&
    typeof value.t1 === 'number' &&
    'key' in value &&
    'reset' in value
  );
}

function isSummary(value: unknown): value is RunSummary {
  return (
    typeof value === 'object' &&
    value !== null &&
    'runId' in value &&
    typeof value.runId === 'string' &&
    'sent' in value &&
    typeof value.sent === 'number' &&
    'byStatus' in value &&
    'latency' in value &&
    Array.isArray(value.latency) &&
    'harnessErrors' in value &&
    typeof value.harnessErrors === 'number'
  );
}
