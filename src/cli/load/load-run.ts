import path from 'node:path';
import { SecretsGate } from '../../fs/secrets-gate.ts';
import { secretsOf } from '../../http/secrets.ts';
import { embeddedOptions, startReferenceProcess } from '../../load/embedded.ts';
import { estimate } from '../../load/estimate.ts';
import { findK6, type K6 } from '../../load/find-k6.ts';
import { renderK8s } from '../../load/k8s.ts';
import { fingerprintsOf, ringFor, runLoad } from '../../load/load.ts';
import { mergeFolder, readContext } from '../../load/merge.ts';
import { isScenarioName, SCENARIOS, type LoadSettings } from '../../load/scenarios.ts';
import type { LoadResult } from '../../report/model/load-results.ts';
import { wantsColor } from '../../report/terminal/console.ts';
import { showElapsed } from '../../report/terminal/progress.ts';
import { writeReports } from '../../report/write.ts';
import { FolderInUse, holdFolder, whileHolding } from '../../run/journal/output-lock.ts';
import { loadResults, type LoadRunEnd } from '../../run/load-results.ts';
import { EXIT } from '../../spec/exit-codes.ts';
import { SCENARIO_NAMES, type ScenarioName } from '../../spec/scenarios.ts';
import type { Target } from '../../target/target.ts';
import { suggestion } from '../../text/closest-name.ts';
import { shellQuote } from '../../text/curl.ts';
import { UsageError } from '../errors.ts';
import { formatsOf } from '../formats.ts';
import { guardConsole } from '../guarded-console.ts';
import { contextFor, labelsOf } from '../labels.ts';
import { namedTarget } from '../options.ts';
import { listenForInterruption } from '../run/interruption.ts';
import { newOutput, printSummary } from '../run/run-end.ts';
import { sayLine } from '../say.ts';
import type { LoadArguments } from './load.ts';

/** Owner of the folder lock, shown to other commands. */
const LOAD = 'assay load';

/** Duration of `soak` against the embedded server, ms. */
const SOAK_MS = 60_000;

/** Runs the command. */
export async function runLoadCommand(argv: LoadArguments): Promise<number> {
  const report = reporter(argv);
  if (argv.list) return list();
  if (argv.scenario === 'merge') return merge(argv, report);
  return execute(scenarioNamed(argv.scenario), argv, report);
}

/** Where the reports go, and a function that writes them, prints the results and gives the exit code. */
interface Reporter {
  readonly output: string;
  readonly report: (end: LoadRunEnd) => Promise<number>;
}

function reporter(argv: LoadArguments): Reporter {
  const formats = formatsOf(argv.format);
  const labels = labelsOf(argv);
  const output = argv.output ?? newOutput();
  const report = async (end: LoadRunEnd): Promise<number> => {
    const results = loadResults({ ...end, context: contextFor(labels, end.target) });
    const { keys, http } = end.target;
    const secrets = keys === undefined || http === undefined ? [] : secretsOf({ keys, http });
    let paths: readonly string[] = [];
    try {
      paths = await writeReports(results, output, formats, { gate: new SecretsGate(secrets) });
    } finally {
      printSummary(results, paths);
    }
    return results.exitCode;
  };
  return { output, report };
}

/** The command line without keys, for copying. */
function commandLine(argv: LoadArguments): string {
  const parts = ['assay load', argv.scenario ?? ''];
  const add = (flag: string, value: string | number | undefined): void => {
    if (value !== undefined) parts.push(`--${flag}`, shellQuote(String(value)));
  };
  add('base-url', argv['base-url']);
  add('target', argv.target);
  for (const flag of ['windows', 'rate', 'duration', 'window-ms', 'quota', 'instances'] as const) {
    add(flag, argv[flag]);
  }
  for (const fault of argv.fault ?? []) add('fault', fault);
  for (const variant of argv.variant ?? []) add('variant', variant);
  if (argv['allow-remote']) parts.push('--allow-remote');
  return parts.join(' ');
}

function list(): number {
  const width = Math.max(...SCENARIO_NAMES.map((name) => name.length));
  for (const name of SCENARIO_NAMES) {
    const { title, decides } = SCENARIOS[name];
    sayLine(`${name.padEnd(width)}  ${title}  -> ${decides.join(', ')}`);
  }
  return EXIT.conforms;
}

function scenarioNamed(name: string | undefined): ScenarioName {
  if (name !== undefined && isScenarioName(name)) return name;
  throw new UsageError(
    name === undefined ? 'Missing scenario.' : `Unknown scenario "${name}".`,
    `${suggestion(name ?? '', SCENARIO_NAMES)}\`assay load --list\` lists all scenarios.`,
  );
}

/** Judges the recordings of several machines as one run. */
async function merge({ folder }: LoadArguments, { output, report }: Reporter): Promise<number> {
  if (folder === undefined) {
    throw new UsageError('Missing folder to merge.', 'For example `assay load merge recordings`.');
  }
  const startedAt = new Date();
  const load = [await mergeFolder(folder)];
  const { plan, envelope, fingerprints } = await readContext(folder);
  // A rendered run has no key fingerprints; keys are numbered instead.
  const keys = fingerprints.length === 0 ? {} : { valid: fingerprints };
  const target = { baseUrl: plan.baseUrl, envelope };
  const end = { load, target, reference: false, keys, startedAt, interrupted: false };
  return whileHolding(output, LOAD, () => report(end), sayLine);
}

async function execute(
  scenario: ScenarioName,
  argv: LoadArguments,
  { output, report }: Reporter,
): Promise<number> {
  const named = namedTarget(argv);
  if (named !== null) refuseEmbeddedOptions(argv);
  const settings = settingsOf(scenario, argv, named !== null);
  const { target, close } =
    named === null
      ? await startReference(scenario, argv, settings)
      : { target: named, close: () => Promise.resolve() };
  guardConsole(target);
  const interruption = listenForInterruption();
  const startedAt = new Date();
  const ring = ringFor(target);
  const command = commandLine(argv);
  let stopProgress = (): void => undefined;
  let release = (): void => undefined;
  const end = (load: readonly LoadResult[]): Promise<number> => {
    const interrupted = interruption.signal.aborted;
    const keys = fingerprintsOf(ring);
    return report({ load, target, reference: named === null, keys, startedAt, interrupted });
  };
  try {
    const { text, ms } = estimate(scenario, settings, target);
    sayLine(text);
    if (argv.plan) return EXIT.conforms;
    if (argv.render === undefined) {
      const held = await holdFolder(output, LOAD);
      ({ release } = held);
      held.said.forEach(sayLine);
    }
    const k6 = await findK6({ k6: argv.k6, install: argv.install, say: sayLine });
    if (argv.render !== undefined)
      return await render(argv, { scenario, settings, target, k6, command });
    const { isTTY } = process.stderr;
    const color = wantsColor(isTTY, process.env);
    stopProgress = showElapsed(process.stderr, { isTTY, color, now: Date.now, ms });
    const result = await runLoad({
      scenario,
      settings,
      target,
      k6,
      command,
      allowRemote: argv['allow-remote'],
      instances: argv.instances ?? 1,
      save: argv.save,
      signal: interruption.signal,
      ring,
    });
    stopProgress();
    return await end([result]);
  } catch (error) {
    stopProgress();
    // Interrupted before there was anything to judge: the report says so.
    if (interruption.signal.aborted && !(error instanceof FolderInUse)) return await end([]);
    throw error;
  } finally {
    interruption.release();
    await close();
    release();
  }
}

async function render(
  argv: LoadArguments,
  run: { scenario: ScenarioName; settings: LoadSettings; target: Target; k6: K6; command: string },
): Promise<number> {
  const { out, parallelism } = argv;
  const startAt = Date.parse(argv['start-at'] ?? '');
  if (out === undefined || Number.isNaN(startAt)) {
    throw new UsageError(
      '--render needs --out and --start-at.',
      'For example --render k8s --parallelism 4 --start-at 2026-12-01T12:00:00Z --out load-k8s.',
    );
  }
  if (!Number.isInteger(parallelism) || parallelism < 1) {
    throw new UsageError('--parallelism takes a whole number above 0.', 'For example 4.');
  }
  const files = await renderK8s({ ...run, parallelism, startAt, out });
  for (const file of files) sayLine(path.relative('', file));
  return EXIT.conforms;
}

function refuseEmbeddedOptions(argv: LoadArguments): void {
  const options = ['window-ms', 'quota', 'fault', 'variant'] as const;
  const stray = options.find((name) => argv[name] !== undefined);
  if (stray === undefined) return;
  throw new UsageError(
    `--${stray} works only with the embedded reference server, but a target is given.`,
    'Remove the option or the target.',
  );
}

function settingsOf(scenario: ScenarioName, argv: LoadArguments, remote: boolean): LoadSettings {
  const embeddedSoak = scenario === 'soak' && !remote ? SOAK_MS : undefined;
  return {
    windows: argv.windows,
    rate: argv.rate,
    durationMs: argv.duration === undefined ? embeddedSoak : argv.duration * 1000,
  };
}

const startReference = (scenario: ScenarioName, argv: LoadArguments, settings: LoadSettings) =>
  startReferenceProcess(
    embeddedOptions(scenario, settings, {
      windowMs: argv['window-ms'],
      quotaLeft: argv.quota,
      faults: argv.fault,
      variants: argv.variant,
    }),
  );
