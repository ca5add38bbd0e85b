import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { findK6 } from '#src/load/find-k6.ts';
import { packageFile } from '#src/load/package-root.ts';
import { toolVersion } from '#src/run/version.ts';
import { BENCH_DOC, benchDoc, withTable } from './doc.ts';
import type { BenchReport } from './doc.ts';
import { compareScripts } from './scripts.ts';
import { compareServers } from './servers.ts';

/**
 * Benchmarks of the load side, as ratios of things measured in turn on the same machine: our k6 scripts against the
 * leanest one, the reference server against a bare handler. Ends with 1 when a goal is missed.
 */

const HELP = `npm run bench -- [options]
  --rounds N     pairs of measurements (default 6, with fewer there is no interval)
  --only NAME    scripts or server
  --k6 PATH      k6 to use
  --out FOLDER   where reports/bench.json and docs/bench.md go (default the package)
`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** wrk of the PATH, with its version. */
async function findWrk(): Promise<{ path: string; version: string } | undefined> {
  // It prints its version together with its usage, and ends with 1.
  const text = await promisify(execFile)('wrk', ['-v']).then(
    ({ stdout }) => stdout,
    (error: { readonly stdout?: string }) => error.stdout ?? '',
  );
  const version = /^wrk (\S+)/m.exec(text)?.[1];
  return version === undefined ? undefined : { path: 'wrk', version };
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '6' },
      only: { type: 'string' },
      k6: { type: 'string' },
      out: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const rounds = Number(values.rounds);
  if (values.help || !Number.isInteger(rounds) || rounds < 1) {
    process.stdout.write(HELP);
    return values.help ? 0 : 2;
  }
  const k6 = await findK6({ k6: values.k6, install: true, say });
  const wrk = await findWrk();
  if (wrk === undefined)
    say('wrk is not found: k6 sends the requests to the servers in its place.');
  const started = Date.now();
  const comparisons = [
    ...(values.only === 'server' ? [] : await compareScripts(k6, rounds, say)),
    ...(values.only === 'scripts' ? [] : [await compareServers(wrk?.path, k6, rounds, say)]),
  ];
  const report: BenchReport = {
    schemaVersion: 1,
    date: new Date(started).toISOString().slice(0, 10),
    tool: { name: 'assay', version: toolVersion() },
    versions: {
      node: process.version,
      k6: k6.version,
      wrk: wrk?.version ?? null,
      cpu: `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores`,
    },
    seconds: Math.round((Date.now() - started) / 1000),
    comparisons,
  };
  for (const { id, ratio, goal } of comparisons) {
    say(`${ratio >= goal ? 'reached' : 'MISSED '} ${id}: ${ratio.toFixed(2)}, goal ${goal}`);
  }
  await write(report, values.out ?? path.dirname(packageFile('load')));
  return comparisons.every(({ ratio, goal }) => ratio >= goal) ? 0 : 1;
}

/** Writes the figures, and the table into the document, whose other words stay. */
async function write(report: BenchReport, folder: string): Promise<void> {
  const json = path.join(folder, 'reports', 'bench.json');
  const doc = path.join(folder, BENCH_DOC);
  await mkdir(path.dirname(json), { recursive: true });
  await mkdir(path.dirname(doc), { recursive: true });
  await writeFile(json, `${JSON.stringify(report, null, 2)}\n`);
  const before = await readFile(doc, 'utf8').catch(() => benchDoc());
  await writeFile(doc, withTable(before, report));
  say(`Written ${path.relative('', json)}, ${path.relative('', doc)}`);
}

// An exit runs what ends k6 and wrk; the signal alone would leave them running.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
process.exitCode = await main();
