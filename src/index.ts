import path from 'node:path';
import { SCENARIO_NAMES, type ScenarioName } from './spec/scenarios.ts';
import { secretsOf } from './http/secrets.ts';
import { embeddedOptions, startReferenceProcess } from './load/embedded.ts';
import { findK6 } from './load/find-k6.ts';
import { fingerprintsOf, ringFor, runLoad } from './load/load.ts';
import { diffResults, type Diff } from './report/model/diff.ts';
import { SecretsGate } from './fs/secrets-gate.ts';
import type { Results } from './report/model/results.ts';
import { FORMATS, type Format } from './report/formats.ts';
import { writeReports } from './report/write.ts';
import { startEmbedded } from './run/embedded.ts';
import { check as checkRecordings } from './run/check/check.ts';
import { checkOptions } from './run/check/check-options.ts';
import { eventTeller, type RunEvent } from './run/events.ts';
import { loadResults } from './run/load-results.ts';
import type { MonitorEvent } from './monitor/events.ts';
import { monitor as monitorTarget } from './monitor/monitor.ts';
import { prepared, type MonitorEnd } from './monitor/settings.ts';
import { OptionError } from './run/option-error.ts';
import { whileHolding } from './run/journal/output-lock.ts';
import { planRun, type Plan } from './run/plan.ts';
import { run as runSuites, type RunOptions as SuiteOptions } from './run/run.ts';
import type { FailOn } from './report/model/gate.ts';
import { readWaivers } from './run/waivers.ts';
import type { Profile } from './ask/profiles.ts';
import { REQUIREMENT_TEXTS } from './requirements/texts.ts';
import { loadNamedTarget } from './target/file/resolve-target.ts';
import type { Target } from './target/target.ts';
import type {
  JudgeOptions,
  LoadOptions,
  MonitorOptions,
  PlanOptions,
  RunOptions,
  TargetOptions,
  WatchOptions,
} from './program-options.ts';
import { startWatch, type RunningWatch } from './watch/watch.ts';
import { parsedAddress, type ListenAddress } from './run/listen-address.ts';

export type { Exchange, ExchangeRequest, ExchangeResponse } from './spec/exchange.ts';
export type { RequirementId } from './spec/requirement-id.ts';
export { REQUIREMENTS, type Requirement } from './requirements/catalogue.ts';
export type {
  Outcome,
  ReadingResult,
  RequirementResult,
  Results,
  ResultFinding,
  Verdict,
} from './report/model/results.ts';
import { DEFAULT_SEED } from './target/rotate.ts';
export type * from './program-options.ts';
export type { RunningWatch } from './watch/watch.ts';
export type { Change, ChangeKind } from './report/model/diff.ts';
export type { RunEventType } from './run/events.ts';
export { SCENARIO_NAMES };
export type { Notification } from './monitor/notify/notification.ts';
export type { MonitorHistory } from './report/model/monitor-history.ts';
export type {
  Diff,
  FailOn,
  Format,
  MonitorEnd,
  MonitorEvent,
  Plan,
  Profile,
  RunEvent,
  ScenarioName,
};

/**
 * Runs the conformance suites against a target, or against the embedded reference server if neither `baseUrl` nor
 * `target` nor the environment names one. Violations are in the results, not thrown.
 * @throws Error with `code` and `hint` for invalid settings
 */
export async function run(options: RunOptions = {}): Promise<Results> {
  checkOptions('run', options);
  const { signal, concurrency, onEvent, output } = options;
  return inFolder(output, () =>
    onTarget(options, startEmbedded, async (target, reference) => {
      const settings: SuiteOptions = {
        target,
        reference,
        ...asked(options),
        ...judged(options),
        concurrency,
        ...(signal !== undefined && { signal }),
      };
      const teller = onEvent && eventTeller(onEvent);
      const listener = teller?.listener(settings, null);
      const results = await runSuites({ ...settings, ...(listener && { listener }) });
      const files = await written(results, options, target);
      teller?.end(results, output ?? null, files);
      return results;
    }),
  );
}

/**
 * Plans a run without sending anything: requests by key role, rate-limit windows, share of the monthly quota, fixtures,
 * and what stays untested. Takes the options of {@link run}.
 * @throws Error with `code` and `hint` for invalid settings
 */
export async function plan(options: PlanOptions = {}): Promise<Plan> {
  checkOptions('plan', options);
  const { only = [], skip = [] } = options;
  return planRun({ target: targetOf(options), ...asked(options), only, skip });
}

/**
 * Monitors a target: runs on a schedule within a share of the monthly quota, until the signal, for `forMs`, or `once`.
 * Resumes from the state in the `output` folder. Without a target it uses a new embedded reference server, whose clock
 * is advanced instead of waiting; use a new folder for it.
 * @throws Error with `code` and `hint` for invalid settings or
 * an unusable folder, and when the state cannot be written
 */
export async function monitor(options: MonitorOptions = {}): Promise<MonitorEnd> {
  checkOptions('monitor', options);
  const { waivers, onEvent, signal = new AbortController().signal, target: file } = options;
  // Before any request: an invalid file must not cost requests.
  if (waivers !== undefined) readWaivers(waivers);
  return onTarget(options, startEmbedded, (target) =>
    monitorTarget(
      prepared(target, options, {
        named: file === undefined ? {} : { file },
        signal,
        tell: onEvent ?? (() => undefined),
        ...(waivers !== undefined && { waivers: () => readWaivers(waivers) }),
      }),
    ),
  );
}

/** Compares the results of two runs. Deterministic. */
export const diff: (before: Results, after: Results) => Diff = diffResults;

/**
 * Runs a load scenario with k6 and judges the recording. Uses the embedded reference server if neither `baseUrl` nor
 * `target` nor the environment names a target. Violations are in the results, not thrown.
 * @throws Error with `code` and
 * `hint` for invalid settings and a missing k6
 */
export async function load(scenario: ScenarioName, options: LoadOptions = {}): Promise<Results> {
  checkOptions('load', options);
  if (!SCENARIO_NAMES.includes(scenario)) {
    throw new OptionError(
      `Unknown scenario ${JSON.stringify(scenario)}.`,
      `Scenarios: ${SCENARIO_NAMES.join(', ')}.`,
    );
  }
  const { windows, rate, durationMs, signal } = options;
  const settings = { windows, rate, durationMs };
  const start = () => startReferenceProcess(embeddedOptions(scenario, settings, {}));
  return inFolder(options.output, async () => {
    const k6 = await findK6({ k6: options.k6, install: true });
    return onTarget(options, start, async (target, reference) => {
      const startedAt = new Date();
      const ring = ringFor(target);
      const result = await runLoad({
        scenario,
        settings,
        target,
        ring,
        k6,
        command: `assay load ${scenario}`,
        allowRemote: options.allowRemote === true,
        ...(signal !== undefined && { signal }),
      });
      const [keys, interrupted] = [fingerprintsOf(ring), signal?.aborted === true];
      const results = loadResults({
        load: [result],
        target,
        reference,
        keys,
        startedAt,
        interrupted,
      });
      await written(results, options, target);
      return results;
    });
  });
}

/**
 * Judges recorded traffic (HAR, NDJSON of exchanges, `results.json`) by the same rules, without sending requests.
 * @throws Error with `code` and `hint` for invalid options; RecordingError when a file cannot be read or contains no
 * traffic of the service
 */
export async function check(
  files: readonly string[],
  options: JudgeOptions = {},
): Promise<Results> {
  checkOptions('check', options);
  if (!Array.isArray(files) || files.length === 0) {
    throw new OptionError('check() takes a list of files.', "For example check(['browser.har']).");
  }
  return inFolder(options.output, async () => {
    const target = targetOf(options, false);
    const { results } = await checkRecordings({
      files,
      baseUrl: options.baseUrl,
      target: target ?? undefined,
      ...judged(options),
    });
    await written(results, options, target);
    return results;
  });
}

/**
 * Proxies client traffic to a target and judges it, like `assay watch`, until it is stopped. Sends no requests itself.
 * Violations are in the results, not thrown.
 * @throws Error with `code` and `hint` when it cannot start
 */
export async function watch(options: WatchOptions): Promise<RunningWatch> {
  checkOptions('watch', options);
  const target = targetOf(options, false);
  if (target === null) {
    throw new OptionError(
      'watch() needs a target.',
      'Pass watch({ baseUrl }) or watch({ target }).',
    );
  }
  const { listen = '127.0.0.1:8080', page = null } = options;
  const addressOf = (text: string): ListenAddress => {
    const address = parsedAddress(text);
    if (address !== null) return address;
    throw new OptionError('listen and page take host:port.', 'For example 127.0.0.1:8080.');
  };
  return startWatch({
    target,
    named: options.target === undefined ? {} : { file: options.target },
    settings: judged(options),
    output: options.output ?? path.join('reports', 'watch'),
    formats: options.formats ?? FORMATS.filter((name) => name !== 'html-dir'),
    listen: addressOf(listen),
    page: page === null ? null : addressOf(page),
    certificate: options.tls ?? null,
    host: options.host ?? (target.baseUrl.startsWith('https:') ? 'target' : 'keep'),
    fresh: options.fresh ?? false,
    drainMs: options.drainMs ?? 5000,
    onEvent: options.onEvent,
  });
}

/** Locks the report folder while the work runs. */
const inFolder = (output: string | undefined, work: () => Promise<Results>): Promise<Results> =>
  output === undefined ? work() : whileHolding(output, 'a program', work);

/** Works with the target of the options, or with an embedded reference server. */
async function onTarget<Result>(
  options: TargetOptions,
  start: () => Promise<{ readonly target: Target; close(): Promise<void> }>,
  work: (target: Target, reference: boolean) => Promise<Result>,
): Promise<Result> {
  const named = targetOf(options);
  if (named !== null) return work(named, false);
  const embedded = await start();
  try {
    return await work(embedded.target, true);
  } finally {
    await embedded.close();
  }
}

function targetOf(
  { baseUrl, target, apiKeys, keyFile }: TargetOptions,
  requireKey = true,
): Target | null {
  return loadNamedTarget({
    flags: { 'base-url': baseUrl, target, 'api-key': apiKeys, 'key-file': keyFile },
    requireKey,
    reserved: REQUIREMENT_TEXTS,
  });
}

const asked = ({ profile = 'standard', seed = DEFAULT_SEED, maxRequests }: PlanOptions) => ({
  profile,
  seed,
  maxRequests: maxRequests ?? null,
});

const judged = ({ only = [], skip = [], failOn = ['must'], waivers }: JudgeOptions) => ({
  only,
  skip,
  failOn,
  waivers: waivers === undefined ? undefined : readWaivers(waivers),
});

/** Writes the reports if there is an output folder; returns the file names. */
async function written(
  results: Results,
  { output, formats }: Pick<JudgeOptions, 'output' | 'formats'>,
  target: Target | null,
): Promise<readonly string[]> {
  if (output === undefined) return [];
  const wanted = formats ?? FORMATS.filter((name) => name !== 'html-dir');
  const gate = target === null ? {} : { gate: new SecretsGate(secretsOf(target)) };
  const files = await writeReports(results, output, wanted, gate);
  return files.map((file) => path.basename(file));
}
