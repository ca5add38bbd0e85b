import path from 'node:path';
import type { LoadResult } from '../../report/model/load-results.ts';
import { wantsColor } from '../../report/terminal/console.ts';
import type { K6 } from '../../load/find-k6.ts';
import { SCENARIO_NAMES } from '../../spec/scenarios.ts';
import type { ScenarioName } from '../../spec/scenarios.ts';
import { isScenarioName, SCENARIOS } from '../../load/scenarios.ts';
import type { LoadSettings } from '../../load/scenarios.ts';
import { suggestion } from '../../text/closest-name.ts';
import { EXIT } from '../../spec/exit-codes.ts';
import type { HeldFolder } from '../../run/journal/output-lock.ts';
import type { Target } from '../../target/target.ts';
import { shellQuote } from '../../text/curl.ts';
import { UsageError } from '../errors.ts';
import { listenForInterruption } from '../run/interruption.ts';
import { namedTarget } from '../options.ts';
import type { LoadArguments } from './load.ts';
import { guardConsole } from '../guarded-console.ts';
import { reportLoad } from './load-report.ts';
import type { LoadRun } from './load-report.ts';
import { sayLine } from '../say.ts';

/** Owner of the folder lock, shown to other commands. */
const LOAD = 'assay load';

/** Duration of `soak` against the embedded server, ms. */
const SOAK_MS = 60_000;

/** Runs the command. Load errors set their own exit code; other errors are thrown. */
export async function runLoadCommand(argv: LoadArguments, run: LoadRun): Promise<number> {
  if (argv.list) return list();
  const { LoadError } = await import('../../load/errors.ts');
  try {
    if (argv.scenario === 'merge') return await merge(argv.folder, run);
    return await execute(scenarioNamed(argv.scenario), argv, run);
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    process.stderr.write(`assay: ${error.message} [${error.code}]\n${error.hint}\n`);
    if ((process.env['ASSAY_DEBUG'] ?? '') !== '') process.stderr.write(`${error.stack ?? ''}\n`);
    return error.exitCode;
  }
}

/** The command line without keys, for copying. */
export function loadCommandLine(argv: LoadArguments): string {
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
    process.stdout.write(`${name.padEnd(width)}  ${title}  -> ${decides.join(', ')}\n`);
  }
  return EXIT.conforms;
}

function scenarioNamed(name: string | undefined): ScenarioName {
  if (name !== undefined && isScenarioName(name)) return name;
  throw new UsageError(
    name === undefined ? 'Missing scenario.' : `Unknown scenario "${name}".`,
    `${name === undefined ? '' : suggestion(name, SCENARIO_NAMES)}\`assay load --list\` lists all scenarios.`,
  );
}

/** Judges the recordings of several machines as one run. */
async function merge(folder: string | undefined, run: LoadRun): Promise<number> {
  if (folder === undefined) {
    throw new UsageError('Missing folder to merge.', 'For example `assay load merge recordings`.');
  }
  const startedAt = new Date();
  const { mergeFolder, readContext } = await import('../../load/merge.ts');
  const result = await mergeFolder(folder);
  const { plan, envelope, fingerprints } = await readContext(folder);
  // A rendered run has no key fingerprints; keys are numbered instead.
  const keys = fingerprints.length === 0 ? {} : { valid: fingerprints };
  const target = { baseUrl: plan.baseUrl, envelope };
  const { whileHolding } = await import('../../run/journal/output-lock.ts');
  return whileHolding(
    run.output,
    LOAD,
    () =>
      reportLoad(
        { load: [result], target, reference: false, keys, startedAt, interrupted: false },
        run,
      ),
    sayLine,
  );
}

async function execute(scenario: ScenarioName, argv: LoadArguments, run: LoadRun): Promise<number> {
  const [
    { fingerprintsOf, ringFor, runLoad },
    { estimate },
    { showElapsed },
    { FolderInUse, holdFolder },
  ] = await Promise.all([
    import('../../load/load.ts'),
    import('../../load/estimate.ts'),
    import('../../report/terminal/progress.ts'),
    import('../../run/journal/output-lock.ts'),
  ]);
  const named = await namedTarget(argv);
  if (named !== null) refuseEmbeddedOptions(argv);
  const remote = named !== null;
  const settings = settingsOf(scenario, argv, remote);
  const { target, close } =
    named === null
      ? await embedded(scenario, argv, settings)
      : { target: named, close: () => Promise.resolve() };
  guardConsole(target);
  const interruption = listenForInterruption();
  const startedAt = new Date();
  const ring = ringFor(target);
  let stopProgress = (): void => undefined;
  let held: HeldFolder | undefined;
  const end = (load: readonly LoadResult[]): Promise<number> => {
    const interrupted = interruption.signal.aborted;
    const keys = fingerprintsOf(ring);
    return reportLoad({ load, target, reference: !remote, keys, startedAt, interrupted }, run);
  };
  try {
    const { text, ms } = estimate(scenario, settings, target);
    process.stdout.write(`${text}\n`);
    if (argv.plan) return EXIT.conforms;
    if (argv.render === undefined) {
      held = await holdFolder(run.output, LOAD);
      for (const line of held.said) sayLine(line);
    }
    const { findK6 } = await import('../../load/find-k6.ts');
    const k6 = await findK6({
      k6: argv.k6,
      install: argv.install,
      say: (line) => process.stdout.write(`${line}\n`),
    });
    if (argv.render !== undefined) {
      return await render(scenario, settings, target, k6, argv, run.command);
    }
    const { isTTY } = process.stderr;
    const color = wantsColor(isTTY, process.env);
    stopProgress = showElapsed(process.stderr, { isTTY, color, now: Date.now, ms });
    const result = await runLoad({
      scenario,
      settings,
      target,
      k6,
      command: run.command,
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
    held?.release();
  }
}

/** Writes the manifests and prints their paths. */
async function render(
  scenario: ScenarioName,
  settings: LoadSettings,
  target: Target,
  k6: K6,
  argv: LoadArguments,
  command: string,
): Promise<number> {
  const startAt = Date.parse(argv['start-at'] ?? '');
  if (argv.out === undefined || Number.isNaN(startAt)) {
    throw new UsageError(
      '--render needs --out and --start-at.',
      'For example --render k8s --parallelism 4 --start-at 2026-12-01T12:00:00Z --out load-k8s.',
    );
  }
  if (!Number.isInteger(argv.parallelism) || argv.parallelism < 1) {
    throw new UsageError('--parallelism takes a whole number above 0.', 'For example 4.');
  }
  const { renderK8s } = await import('../../load/k8s.ts');
  const { out, parallelism } = argv;
  const files = await renderK8s({
    scenario,
    settings,
    target,
    k6,
    parallelism,
    startAt,
    out,
    command,
  });
  for (const file of files) process.stdout.write(`${path.relative('', file)}\n`);
  return EXIT.conforms;
}

/** @throws UsageError when options of the embedded server are combined with a target */
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

async function embedded(
  scenario: ScenarioName,
  argv: LoadArguments,
  settings: LoadSettings,
): Promise<{ target: Target; close: () => Promise<void> }> {
  const { embeddedOptions, startReferenceProcess } = await import('../../load/embedded.ts');
  return startReferenceProcess(
    embeddedOptions(scenario, settings, {
      windowMs: argv['window-ms'],
      quotaLeft: argv.quota,
      faults: argv.fault,
      variants: argv.variant,
    }),
  );
}
