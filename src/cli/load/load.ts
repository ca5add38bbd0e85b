import path from 'node:path';
import { SecretsGate } from '../../fs/secrets-gate.ts';
import { secretsOf } from '../../http/secrets.ts';
import { embeddedOptions, startReferenceProcess } from '../../load/embedded.ts';
import { estimate } from '../../load/estimate.ts';
import { findK6, type K6 } from '../../load/find-k6.ts';
import { renderK8s } from '../../load/k8s.ts';
import { fingerprintsOf, ringFor, runLoad } from '../../load/load.ts';
import { mergeFolder, readContext } from '../../load/merge.ts';
import { SCENARIOS, type LoadSettings } from '../../load/scenarios.ts';
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
import {
  commandBody,
  toggle,
  toggleOn,
  number,
  REPORTS_TO_WRITE,
  string,
  strings,
  type ValuesOf,
} from '../command.ts';
import { withEnvironment } from '../config.ts';
import { UsageError } from '../errors.ts';
import { guardConsole } from '../guarded-console.ts';
import { LABEL, contextFor, labelsOf } from '../labels.ts';
import { formatsOf, TARGET_OPTIONS, namedTarget } from '../options.ts';
import { listenForInterruption } from '../run/interruption.ts';
import { newOutput, printSummary } from '../run/run-end.ts';
import { sayLine } from '../say.ts';

const POSITIONALS = {
  scenario: { type: 'string', describe: 'Scenario, see --list; "merge" judges saved recordings' },
  folder: { type: 'string', describe: 'Folder with recordings to merge' },
} as const;

const OPTIONS = {
  ...TARGET_OPTIONS,
  label: LABEL,
  list: toggle('List the scenarios'),
  plan: toggle('Show cost and prerequisites without sending requests'),
  windows: number('Number of rate-limit windows'),
  rate: number('Requests per second'),
  duration: number('Duration of the load in seconds'),
  'window-ms': number(
    'Rate-limit window of the embedded reference server in milliseconds; default: 4000',
  ),
  quota: number('Requests left for the near-quota key of the embedded reference server'),
  fault: strings('Fault in the embedded reference server, repeatable'),
  variant: strings('Variant of the embedded reference server, repeatable'),
  k6: string('Path to k6'),
  install: toggleOn('Build k6 with Go if it is missing; disable with --no-install'),
  instances: number('Number of k6 processes that share the load; default: 1'),
  save: string('Save the recordings to this folder, for `assay load merge`'),
  render: {
    choices: ['k8s'],
    describe: 'Write manifests for the k6-operator instead of running the scenario',
  },
  parallelism: number('Number of instances in the manifests', { default: 2 }),
  'start-at': string('Common start time in the manifests, such as 2026-12-01T12:00:00Z'),
  out: string('Folder for the manifests'),
  'allow-remote': toggle('Allow flood scenarios against a remote target'),
  output: string('Report folder; default: reports/<time>', { alias: 'o' }),
  format: { type: 'string', default: 'html,json,junit', describe: REPORTS_TO_WRITE },
} as const;

type LoadArguments = ValuesOf<typeof OPTIONS> & ValuesOf<typeof POSITIONALS>;

/** `assay load`: load scenarios with k6. */
export const loadCommand = commandBody({
  options: OPTIONS,
  positionals: POSITIONALS,
  examples: {
    '$0 load --list': 'list the scenarios',
    '$0 load rl-exact': 'run against the embedded reference server',
    '$0 load rl-headers -t staging.yaml --plan': 'show what the scenario would cost',
    '$0 load rl-headers -e staging': "use an environment's target",
  },
  handler: async (given) => {
    // The other settings of an environment are for `assay run`.
    const argv = withEnvironment(given, ['target']);
    checkNumbers(argv);
    const output = argv.output ?? newOutput();
    const report = reporter(argv, output);
    if (argv.list) return list();
    if (argv.scenario !== 'merge')
      return execute(scenarioNamed(argv.scenario), argv, output, report);
    const merged = await merge(argv);
    return whileHolding(output, LOAD, () => report(merged), sayLine);
  },
});

const NUMBERS = ['windows', 'rate', 'duration', 'window-ms', 'quota', 'instances'] as const;

function checkNumbers(argv: LoadArguments): void {
  for (const name of NUMBERS) {
    const value = argv[name];
    if (value === undefined || (Number.isFinite(value) && value > 0)) continue;
    throw new UsageError(`--${name} takes a number above 0.`, `For example --${name} 10.`);
  }
  const { instances = 1 } = argv;
  if (!Number.isInteger(instances) || instances > 16) {
    throw new UsageError(
      '--instances takes a whole number from 1 to 16.',
      'For example --instances 4.',
    );
  }
}

/** Owner of the folder lock, shown to other commands. */
const LOAD = 'assay load';

/** Duration of `soak` against the embedded server, ms. */
const SOAK_MS = 60_000;

/** Writes the reports, prints the results and gives the exit code. */
type Report = (end: LoadRunEnd) => Promise<number>;

function reporter(argv: LoadArguments, output: string): Report {
  const formats = formatsOf(argv.format);
  const labels = labelsOf(argv.label);
  return async (end) => {
    const results = loadResults({ ...end, context: contextFor(labels, end.target) });
    const { keys, http } = end.target;
    const secrets = keys === undefined || http === undefined ? [] : secretsOf({ keys, http });
    let paths: readonly string[] = [];
    try {
      paths = await writeReports(results, output, formats, { gate: new SecretsGate(secrets) });
    } finally {
      await printSummary(results, paths);
    }
    return results.exitCode;
  };
}

/** The command line without keys, for copying. */
function commandLine(argv: LoadArguments): string {
  const parts = ['assay load', argv.scenario ?? ''];
  for (const flag of ['base-url', 'target', ...NUMBERS, 'fault', 'variant'] as const) {
    const values = [argv[flag] ?? []].flat();
    parts.push(...values.flatMap((value) => [`--${flag}`, shellQuote(String(value))]));
  }
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
  const known = SCENARIO_NAMES.find((one) => one === name);
  if (known !== undefined) return known;
  throw new UsageError(
    name === undefined ? 'Missing scenario.' : `Unknown scenario "${name}".`,
    `${suggestion(name ?? '', SCENARIO_NAMES)}\`assay load --list\` lists all scenarios.`,
  );
}

async function merge({ folder }: LoadArguments): Promise<LoadRunEnd> {
  if (folder === undefined) {
    throw new UsageError('Missing folder to merge.', 'For example `assay load merge recordings`.');
  }
  const startedAt = new Date();
  const load = [await mergeFolder(folder)];
  const { plan, envelope, fingerprints } = await readContext(folder);
  // A rendered run has no key fingerprints; keys are numbered instead.
  const keys = fingerprints.length === 0 ? {} : { valid: fingerprints };
  const target = { baseUrl: plan.baseUrl, envelope };
  return { load, target, reference: false, keys, startedAt, interrupted: false };
}

async function execute(
  scenario: ScenarioName,
  argv: LoadArguments,
  output: string,
  report: Report,
): Promise<number> {
  const named = namedTarget(argv);
  if (named !== null) refuseEmbeddedOptions(argv);
  const { windows, rate, duration } = argv;
  const soakMs = scenario === 'soak' && named === null ? SOAK_MS : undefined;
  const durationMs = duration === undefined ? soakMs : duration * 1000;
  const settings = { windows, rate, durationMs };
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
    stopProgress = showElapsed(process.stderr, { isTTY, color, ms });
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

const startReference = (scenario: ScenarioName, argv: LoadArguments, settings: LoadSettings) => {
  const { 'window-ms': windowMs, quota: quotaLeft, fault: faults, variant: variants } = argv;
  const wishes = { windowMs, quotaLeft, faults, variants };
  return startReferenceProcess(embeddedOptions(scenario, settings, wishes));
};
