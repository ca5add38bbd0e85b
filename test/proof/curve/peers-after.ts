import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { interruptible } from '../peers/interrupt.ts';
import { freshIn, runJobs, type Job, type JobResult } from '../peers/run.ts';
import { findSchemathesis } from '../peers/schemathesis.ts';
import type { Tool } from '../peers/tool.ts';
import { schemathesisTools } from '../peers/toolbox.ts';

/** Longest time of one run, ms: several times what it takes on a machine with two busy cores. */
const RUN_TIMEOUT_MS = 300_000;

/** Seeds that the clean server is shown with, so that what a peer reports there is no find. */
const CLEAN_SEEDS = 3;

/** What one peer came to on some faults. */
export interface PeerAfter {
  readonly tool: string;
  /** In the order of the faults: after how many requests it showed each of them; null when it never did. */
  readonly after: readonly (number | null)[];
  /** Most requests with a valid key that it sent in a run. */
  readonly requests: number;
  /** Runs that did not end as they should, with the reason. */
  readonly troubles: readonly string[];
}

/**
 * Shows faults to the peers that tell when they raised a failure.
 * @throws Interrupted on Ctrl-C
 */
export async function peersAfter(
  faults: readonly string[],
  { seed, workers }: { readonly seed: number; readonly workers: number },
  onProgress: (done: number, of: number) => void,
): Promise<readonly PeerAfter[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-curve-'));
  try {
    const results = await interruptible(async (signal) => {
      const program = await findSchemathesis((line) => process.stdout.write(`${line}\n`), signal);
      const tools = await schemathesisTools(program, folder, { recorded: true });
      const jobs = tools.flatMap((tool) => jobsOf(tool, faults, seed));
      return runJobs(jobs, {
        workers,
        timeoutMs: RUN_TIMEOUT_MS,
        signal,
        onResult: (_, done) => onProgress(done, jobs.length),
      });
    });
    const tools = new Set(results.map(({ job }) => job.tool));
    return [...tools].map((tool) => {
      const own = results.filter(({ job }) => job.tool === tool);
      const clean = own.filter(({ job }) => job.faults.length === 0);
      const faulty = own.filter(({ job }) => job.faults.length > 0);
      return {
        tool: tool.title,
        after: faulty.map((result) => shownAfter(clean, result)),
        requests: Math.max(...faulty.map(({ metered }) => metered)),
        troubles: own.flatMap(({ job, trouble }) =>
          trouble === undefined ? [] : [`${job.name}: ${trouble}`],
        ),
      };
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The clean server with a few seeds, and each fault with one. */
function jobsOf(tool: Tool, faults: readonly string[], seed: number): Job[] {
  return [
    ...Array.from({ length: CLEAN_SEEDS }, (_, index) => ({
      name: `clean server, ${tool.title}`,
      tool,
      seed: seed + index,
      faults: [],
      variants: [],
    })),
    ...faults.map((fault) => ({
      name: `${fault}, ${tool.title}`,
      tool,
      seed,
      faults: [fault],
      variants: [],
    })),
  ];
}

/** Requests after which a run first says what it never says about the clean server; null when it says nothing new. */
export function shownAfter(clean: readonly JobResult[], result: JobResult): number | null {
  const fresh = freshIn(clean, result);
  if (fresh.length === 0) return null;
  const first = result.raised?.find(({ failure }) =>
    fresh.some((one) => one === failure || one.startsWith(`${failure} `)),
  );
  // A failure that is not placed was known when the run was over at the latest.
  return first?.after ?? result.metered;
}
