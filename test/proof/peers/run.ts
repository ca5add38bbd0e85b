import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServer } from './server.ts';
import type { CaseSettings } from './server.ts';
import type { CaseResult } from './report.ts';
import type { Tool, Verdict } from './tool.ts';

/** One run of one tool against one fresh server. */
export interface Job extends CaseSettings {
  readonly name: string;
  readonly tool: Tool;
  readonly seed: number;
}

export interface JobResult extends Verdict {
  readonly job: Job;
  readonly requests: number;
  readonly metered: number;
}

export interface RunJobsOptions {
  readonly workers: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onResult?: (result: JobResult, done: number) => void;
}

/**
 * Runs jobs side by side; results come in the order of the jobs.
 * @throws Error when `signal` aborts or a tool cannot be started; everything that was started is ended first
 */
export async function runJobs(
  jobs: readonly Job[],
  { workers, timeoutMs, signal, onResult }: RunJobsOptions,
): Promise<JobResult[]> {
  const results: JobResult[] = [];
  const failed = new AbortController();
  const ended = AbortSignal.any([signal, failed.signal]);
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < jobs.length; index = next++) {
      const job = jobs[index];
      if (job === undefined) return;
      ended.throwIfAborted();
      const result = await runJob(job, timeoutMs, ended);
      results[index] = result;
      onResult?.(result, (done += 1));
    }
  };
  const all = await Promise.allSettled(
    Array.from({ length: Math.min(workers, jobs.length) }, () =>
      work().catch((error: unknown) => {
        failed.abort(error);
        throw error;
      }),
    ),
  );
  const rejected = all.find((one) => one.status === 'rejected');
  if (rejected !== undefined) throw rejected.reason;
  return results;
}

async function runJob(job: Job, timeoutMs: number, signal: AbortSignal): Promise<JobResult> {
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-peers-'));
  try {
    const server = await startServer(job, job.tool.open);
    try {
      const verdict = await job.tool.run(server, { seed: job.seed, folder, signal, timeoutMs });
      return { ...verdict, job, requests: server.requests(), metered: server.metered() };
    } finally {
      await server.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const KEPT_FAILURES = 5;

/** Failures of a run that the same tool never raised on the clean server, with any seed. */
export function freshIn(clean: readonly JobResult[], result: JobResult): readonly string[] {
  const known = new Set(
    clean
      .filter(({ job }) => job.tool.id === result.job.tool.id)
      .flatMap(({ failures }) => failures),
  );
  return result.failures.filter((failure) => !known.has(failure));
}

/** What is new in a run against what the same tool said about the clean server with any seed. */
export function against(clean: readonly JobResult[], result: JobResult): CaseResult {
  const fresh = freshIn(clean, result);
  return {
    requests: result.requests,
    metered: result.metered,
    fresh: fresh.slice(0, KEPT_FAILURES),
    freshCount: fresh.length,
    ...(result.trouble === undefined ? {} : { trouble: result.trouble }),
  };
}
