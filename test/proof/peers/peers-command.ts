import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listFaults, listVariants } from '#src/reference/catalog.ts';
import { toolVersion } from '#src/run/version.ts';
import { jsonRecords } from '#src/text/json-records.ts';
import { classOf } from './classes.ts';
import { interruptible } from './interrupt.ts';
import { writePeersPage } from './page.ts';
import { readPeersReport } from './report.ts';
import type { PeersReport } from './report.ts';
import { against, runJobs } from './run.ts';
import type { Job, JobResult } from './run.ts';
import { classSizes, sampleFaults, sampleVariants } from './sample.ts';
import { findSchemathesis, SCHEMATHESIS_VERSION } from './schemathesis.ts';
import { toolbox, type Toolbox } from './toolbox.ts';

/** Longest time of one run, ms: several times what it takes on a machine with two busy cores. */
const RUN_TIMEOUT_MS = 300_000;

/** What is measured, and where it goes. */
export interface PeersOptions {
  readonly date: string;
  readonly faults: number;
  readonly variants: number;
  readonly seeds: number;
  readonly seed: number;
  readonly workers: number;
  /** Folder of `reports` and `docs`. */
  readonly out: string;
}

function cleanJobs({ compared, cleanOnly }: Toolbox, { seeds, seed }: PeersOptions): Job[] {
  return [...compared, ...cleanOnly].flatMap((tool) =>
    Array.from({ length: tool.random ? seeds : 1 }, (_, index) => ({
      name: `clean server, ${tool.title}`,
      tool,
      seed: seed + index,
      faults: [],
      variants: [],
    })),
  );
}

async function measure(
  options: PeersOptions,
  box: Toolbox,
  signal: AbortSignal,
): Promise<PeersReport> {
  const { seed } = options;
  const faults = sampleFaults(listFaults(), options.faults, seed);
  const variants = sampleVariants(listVariants(), options.variants, seed);
  const jobsOf = (kind: 'faults' | 'variants', ids: readonly string[]): Job[] =>
    ids.flatMap((id) =>
      box.compared.map((tool) => ({
        name: `${id}, ${tool.title}`,
        tool,
        seed,
        faults: [],
        variants: [],
        [kind]: [id],
      })),
    );
  const jobs = [
    ...cleanJobs(box, options),
    ...jobsOf(
      'faults',
      faults.map(({ id }) => id),
    ),
    ...jobsOf(
      'variants',
      variants.map(({ id }) => id),
    ),
  ];
  const results = await runJobs(jobs, {
    workers: options.workers,
    timeoutMs: RUN_TIMEOUT_MS,
    signal,
    onResult: progress(jobs.length),
  });
  const clean = results.filter(({ job }) => job.faults.length + job.variants.length === 0);
  const resultsOf = (id: string): PeersReport['faults'][number]['results'] =>
    Object.fromEntries(
      results
        .filter(({ job }) => job.faults.includes(id) || job.variants.includes(id))
        .map((result) => [result.job.tool.id, against(clean, result)]),
    );
  return {
    schemaVersion: 1,
    date: options.date,
    seed,
    versions: { assay: toolVersion(), Schemathesis: SCHEMATHESIS_VERSION, Node: process.version },
    tools: [...box.compared, ...box.cleanOnly].map((tool) => ({
      id: tool.id,
      title: tool.title,
      version: tool.version,
      command: tool.command,
      open: tool.open,
      cleanOnly: box.cleanOnly.includes(tool),
    })),
    catalogue: classSizes(listFaults()),
    clean: clean.map(({ job, requests, failures, trouble }) => ({
      tool: job.tool.id,
      seed: job.seed,
      requests,
      failures,
      ...(trouble === undefined ? {} : { trouble }),
    })),
    faults: faults.map((fault) => ({
      id: fault.id,
      title: fault.title,
      section: fault.section,
      class: classOf(fault),
      subtle: fault.subtle,
      results: resultsOf(fault.id),
    })),
    variants: variants.map(({ id, title, section }) => ({
      id,
      title,
      section,
      results: resultsOf(id),
    })),
  };
}

/** Shows how far it is, and about how long it still takes. */
function progress(total: number): (result: JobResult, done: number) => void {
  const started = Date.now();
  return ({ job, trouble }, done) => {
    const left = Math.round(((Date.now() - started) / done / 1000) * (total - done));
    const line = `${done}/${total} runs, about ${left} s left`;
    if (process.stdout.isTTY) process.stdout.write(`\r\u001B[2K${line}: ${job.name}`);
    else if (done % 25 === 0) process.stdout.write(`${line}\n`);
    if (trouble !== undefined) process.stderr.write(`\n${job.name}: ${trouble}\n`);
    if (done === total && process.stdout.isTTY) process.stdout.write('\r\u001B[2K');
  };
}

/** Shows a sample of faults made by hand to all tools; writes `reports/peers.json` and `docs/peers.md`. */
export async function mainPeers(options: PeersOptions): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-peers-'));
  try {
    const report = await interruptible(async (signal) => {
      const program = await findSchemathesis((line) => process.stdout.write(`${line}\n`), signal);
      return readPeersReport(await measure(options, await toolbox(program, folder), signal));
    });
    const file = path.join(options.out, 'reports', 'peers.json');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, jsonRecords(report));
    process.stdout.write(`written ${file} and ${await writePeersPage(options.out)}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
