import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listFaults, listVariants } from '#src/reference/catalog.ts';
import { toolVersion } from '#src/run/version.ts';
import { packageRoot } from '#src/run/vitest-runner.ts';
import { assayTool } from './assay.ts';
import { classOf } from './classes.ts';
import { collectionTool } from './collection.ts';
import { peersDoc } from './doc.ts';
import { SCHEMATHESIS_CONFIG, tunedDocument } from './tuned-document.ts';
import { readPeersReport } from './report.ts';
import type { PeersReport } from './report.ts';
import { against, runJobs } from './run.ts';
import type { Job, JobResult } from './run.ts';
import { classSizes, sampleFaults, sampleVariants } from './sample.ts';
import { findSchemathesis, SCHEMATHESIS_VERSION, schemathesisTool } from './schemathesis.ts';
import type { Tool } from './tool.ts';
import { jsonRecords } from '#src/text/json-records.ts';

const HELP = `npm run bench:peers -- [options]
  --date YYYY-MM-DD  day that is written into the result (default today)
  --faults N         size of the sample of faults (default 48)
  --variants N       size of the sample of variants (default 20)
  --seeds N          seeds that the clean server is shown with (default 5)
  --seed N           seed of the samples and of the runs (default 1)
  --workers N        runs at the same time (default 2)
  --out FOLDER       where reports/peers.json and docs/peers.md go (default the package)
  --render           write docs/peers.md from reports/peers.json again, run nothing
`;

/** Longest time of one run, ms: several times what it takes on a machine with two busy cores. */
const RUN_TIMEOUT_MS = 300_000;

interface Options {
  readonly date: string;
  readonly faults: number;
  readonly variants: number;
  readonly seeds: number;
  readonly seed: number;
  readonly workers: number;
  readonly out: string;
}

/** @throws RangeError with the way out when an option makes no sense */
function optionsOf(args: readonly string[]): Options {
  const value = (flag: string): string | undefined =>
    args.includes(flag) ? (args[args.indexOf(flag) + 1] ?? '') : undefined;
  const number = (flag: string, fallback: number, least = 1): number => {
    const given = Number(value(flag) ?? fallback);
    if (Number.isSafeInteger(given) && given >= least) return given;
    throw new RangeError(`${flag} takes a whole number of at least ${least}.`);
  };
  const date = value('--date') ?? new Date().toISOString().slice(0, 10);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw new RangeError('--date takes YYYY-MM-DD.');
  return {
    date,
    faults: number('--faults', 48),
    variants: number('--variants', 20, 0),
    seeds: number('--seeds', 5),
    seed: number('--seed', 1, 0),
    workers: number('--workers', 2),
    out: path.resolve(value('--out') ?? packageRoot),
  };
}

interface Toolbox {
  readonly compared: readonly Tool[];
  /** Run against the clean server only: the document and the settings as they come. */
  readonly cleanOnly: readonly Tool[];
}

async function toolbox(program: string, folder: string): Promise<Toolbox> {
  const document = path.join(folder, 'openapi.json');
  const config = path.join(folder, 'schemathesis.toml');
  await writeFile(document, JSON.stringify(tunedDocument()));
  await writeFile(config, SCHEMATHESIS_CONFIG);
  const tuned = { program, document, documentTitle: 'tuned-openapi.json', config };
  return {
    compared: [
      assayTool('standard', 1),
      assayTool('full', 2),
      schemathesisTool({
        ...tuned,
        id: 'schemathesis-small',
        title: 'Schemathesis, small budget',
        budget: ['--phases', 'examples,fuzzing', '--max-examples', '3'],
      }),
      schemathesisTool({
        ...tuned,
        id: 'schemathesis-defaults',
        title: 'Schemathesis, defaults',
        budget: [],
      }),
      collectionTool(document, 'tuned-openapi.json'),
    ],
    cleanOnly: [
      schemathesisTool({
        id: 'schemathesis-untuned',
        title: 'Schemathesis, untuned document and settings',
        program,
        document: path.join(packageRoot, 'schemas', 'openapi.json'),
        documentTitle: 'schemas/openapi.json',
        budget: [],
      }),
    ],
  };
}

function cleanJobs({ compared, cleanOnly }: Toolbox, { seeds, seed }: Options): Job[] {
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

async function measure(options: Options, box: Toolbox, signal: AbortSignal): Promise<PeersReport> {
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

async function writeDoc(out: string, report: PeersReport): Promise<void> {
  const file = path.join(out, 'docs', 'peers.md');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, peersDoc(report));
  process.stdout.write(`written ${path.relative('', file)}\n`);
}

async function bench(options: Options, signal: AbortSignal): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-peers-'));
  try {
    const program = await findSchemathesis((line) => process.stdout.write(`${line}\n`), signal);
    const report = readPeersReport(await measure(options, await toolbox(program, folder), signal));
    const file = path.join(options.out, 'reports', 'peers.json');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, jsonRecords(report));
    process.stdout.write(`written ${path.relative('', file)}\n`);
    await writeDoc(options.out, report);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(HELP);
    return 0;
  }
  const interrupted = new AbortController();
  const stop = (): void => interrupted.abort(new Error('interrupted'));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    const options = optionsOf(args);
    if (args.includes('--render')) {
      const text = await readFile(path.join(options.out, 'reports', 'peers.json'), 'utf8');
      await writeDoc(options.out, readPeersReport(JSON.parse(text)));
    } else await bench(options, interrupted.signal);
    return 0;
  } catch (error) {
    if (interrupted.signal.aborted) {
      process.stderr.write('Interrupted: nothing was written.\n');
      return 130;
    }
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof RangeError ? 2 : 4;
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

process.exitCode = await main(process.argv.slice(2));
