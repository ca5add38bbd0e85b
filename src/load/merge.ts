import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../fs/make-folder.ts';
import type { LoadResult } from '../report/model/load-results.ts';
import { DEFAULT_FACTS } from '../judge/facts.ts';
import type { Target } from '../target/target.ts';
import { parsedJson } from '../text/json-value.ts';
import { runFailed, usage } from './errors.ts';
import { judgeScenario, type JudgeInput } from './judge/judge.ts';
import { linesOf, parseSummary, readRows } from './observations.ts';
import { SUMMARY_MARK, type RunSummary } from './plan.ts';
import type { Recording } from './run-scenario.ts';

export const CONTEXT_FILE = 'context.json';

/** Input of a merge, except the logs. Contains no key. */
export interface MergeContext
  extends
    Pick<JudgeInput, 'plan' | 'skewMs' | 'toleranceMs' | 'command' | 'k6'>,
    Pick<Target, 'limits' | 'envelope'> {
  /** Fingerprints of the keys by index. */
  readonly fingerprints: readonly string[];
  /** Number of instances. */
  readonly instances: number;
}

/** The log of one instance, as from `kubectl logs`: rows and the summary, one per line. */
export function logText({ rows, summary }: Recording): string {
  const lines = rows.map((row) => JSON.stringify(row));
  return `${[...lines, `${SUMMARY_MARK}${JSON.stringify(summary)}`].join('\n')}\n`;
}

/**
 * Reads the log of one instance; other lines are from k6.
 * @throws LoadError if the summary is missing or anything is from another run
 */
export async function parseLog(
  lines: Iterable<string> | AsyncIterable<string>,
  runId: string,
): Promise<Recording> {
  const rows: string[] = [];
  let summary: RunSummary | undefined;
  for await (const line of lines) {
    const mark = line.indexOf(SUMMARY_MARK);
    if (mark !== -1) {
      summary = parseSummary(line.slice(mark + SUMMARY_MARK.length), runId);
    } else if (line.startsWith('{"run":')) rows.push(line);
  }
  if (summary === undefined) {
    throw runFailed(
      'A log has no summary: its instance did not finish.',
      'See the end of the log, and run the scenario again.',
    );
  }
  const parsed = await readRows(rows, runId);
  return {
    rows: parsed,
    summary,
    startedAt: parsed[0]?.t0 ?? Date.now(),
    endedAt: parsed.reduce((most, { t1 }) => Math.max(most, t1), 0),
    interrupted: false,
  };
}

/** Adds recordings: counts are exact, and percentiles come from all rows. */
export function mergeRecordings(recordings: readonly Recording[]): Recording {
  const [first] = recordings;
  if (first === undefined) throw new RangeError('No recordings to merge.');
  if (recordings.length === 1) return first;
  const sum = (of: (summary: RunSummary) => number): number =>
    recordings.reduce((total, { summary }) => total + of(summary), 0);
  const statuses = new Set(recordings.flatMap(({ summary }) => Object.keys(summary.byStatus)));
  return {
    rows: recordings.flatMap(({ rows }) => rows).toSorted((a, b) => a.t0 - b.t0),
    startedAt: Math.min(...recordings.map(({ startedAt }) => startedAt)),
    endedAt: Math.max(...recordings.map(({ endedAt }) => endedAt)),
    interrupted: recordings.some(({ interrupted }) => interrupted),
    summary: {
      ...first.summary,
      sent: sum(({ sent }) => sent),
      byStatus: Object.fromEntries(
        [...statuses].map((status) => [status, sum(({ byStatus }) => byStatus[status] ?? 0)]),
      ),
      iterations: sum(({ iterations }) => iterations),
      dropped: sum(({ dropped }) => dropped),
      harnessErrors: sum(({ harnessErrors }) => harnessErrors),
      latency: [],
    },
  };
}

export async function writeContext(folder: string, context: MergeContext): Promise<void> {
  makeFolder(folder);
  await writeFile(path.join(folder, CONTEXT_FILE), `${JSON.stringify(context, null, 2)}\n`);
}

/** Saves the recordings of a run, to be judged again, with those of other machines. */
export async function saveRecordings(
  folder: string,
  context: MergeContext,
  recordings: readonly Recording[],
): Promise<void> {
  await writeContext(folder, context);
  for (const [index, recording] of recordings.entries()) {
    // Sequentially, so that a full disk leaves complete files.
    await writeFile(path.join(folder, `instance-${index + 1}.log`), logText(recording));
  }
}

/**
 * The context that a run or a rendering wrote to a folder.
 * @throws LoadError if there is none
 */
export async function readContext(folder: string): Promise<MergeContext> {
  const file = path.join(folder, CONTEXT_FILE);
  const text = await readFile(file, 'utf8').catch(() => {
    throw usage(
      `${folder} has no ${CONTEXT_FILE}.`,
      'Pass the folder that `assay load --save` or `--render k8s` wrote, with the log of each instance in it as *.log.',
    );
  });
  const context = parsedJson(text) as Partial<MergeContext> | undefined | null;
  if (typeof context?.plan?.runId === 'string') return context as MergeContext;
  throw usage(
    `${file} was not written by Assay.`,
    'Use the unmodified file that `assay load --save` or `--render k8s` wrote.',
  );
}

/**
 * Judges the logs of a folder as one run.
 * @throws LoadError if the context or the log of an instance is missing or invalid
 */
export async function mergeFolder(folder: string): Promise<LoadResult> {
  const context = await readContext(folder);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.log')).toSorted();
  if (names.length !== context.instances) {
    throw usage(
      `${folder} must contain one log per instance (${context.instances}), but contains ${names.length}.`,
      'Save the log of every instance in that folder as a separate file.',
    );
  }
  const recordings = await Promise.all(
    names.map((name) => parseLog(linesOf(path.join(folder, name)), context.plan.runId)),
  );
  const errors = recordings.reduce((sum, { summary }) => sum + summary.harnessErrors, 0);
  if (errors > 0) {
    throw runFailed(`${errors} script iterations ended in an exception.`, 'See the instance logs.');
  }
  return judgeRecordings(context, recordings);
}

/**
 * Judges the recordings of all instances as one run.
 * @param run what only the machine of the run knows; recordings read from logs are redacted
 */
export function judgeRecordings(
  context: MergeContext,
  recordings: readonly Recording[],
  run: Partial<Pick<JudgeInput, 'notes' | 'redact'>> = {},
): LoadResult {
  const { fingerprints, limits, envelope, instances } = context;
  const { notes = [], redact = (text) => text } = run;
  return judgeScenario({
    ...context,
    recording: mergeRecordings(recordings),
    facts: { ...DEFAULT_FACTS, limits, envelope },
    fingerprint: (index) => fingerprints[index] ?? `key ${index + 1}`,
    redact,
    notes: instances > 1 ? [...notes, `Merged from ${instances} k6 instances.`] : notes,
  });
}
