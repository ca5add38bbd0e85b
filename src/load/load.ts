import { randomUUID } from 'node:crypto';
import type { LoadResult } from '../report/model/load-results.ts';
import type { Facts } from '../judge/facts.ts';
import { DEFAULT_FACTS } from '../judge/facts.ts';
import { configuredSecrets } from '../http/request-headers.ts';
import { KeyRing } from '../target/keys.ts';
import type { Target } from '../target/target.ts';
import { LoadError } from './errors.ts';
import { checkEstimate, estimate } from './estimate.ts';
import type { Estimate } from './estimate.ts';
import type { K6 } from './find-k6.ts';
import { judgeScenario } from './judge/judge.ts';
import type { JudgeInput } from './judge/judge.ts';
import type { ScenarioName } from '../spec/scenarios.ts';
import type { LoadPlan, Shape } from './plan.ts';
import { isLocal, prepare } from './prepare.ts';
import type { Prepared } from './prepare.ts';
import { mergeRecordings, saveRecordings } from './merge.ts';
import type { MergeContext } from './merge.ts';
import { runScenario } from './run-scenario.ts';
import type { Recording } from './run-scenario.ts';
import { SCENARIOS } from './scenarios.ts';
import type { LoadSettings, Offer } from './scenarios.ts';
import type { Results } from '../report/model/results.ts';
import { segmentArguments } from './segments.ts';

export interface LoadOptions {
  readonly scenario: ScenarioName;
  readonly settings: LoadSettings;
  readonly target: Target;
  readonly k6: K6;
  /** Command to repeat the run, without keys. */
  readonly command: string;
  /** Number of k6 processes that share the load; 1 by default. */
  readonly instances?: number;
  /** Folder for the recordings. */
  readonly save?: string | undefined;
  /** Whether heavy scenarios may run against another machine. */
  readonly allowRemote: boolean;
  readonly signal?: AbortSignal;
  /** Fingerprints of the keys, if the caller also needs them. */
  readonly ring?: KeyRing;
}

/** What the target offers to a scenario. */
export function offerOf({ keys, limits }: Target): Offer {
  return {
    limit: limits.requests,
    windowMs: limits.windowMs,
    keys: keys.valid.length,
    quotaLeft: keys.nearQuota?.remaining ?? null,
  };
}

/** The estimate of a scenario on a target, after checking that it is possible. */
export function planLoad(
  scenario: ScenarioName,
  settings: LoadSettings,
  target: Target,
): { readonly estimate: Estimate; readonly offer: Offer } {
  const offer = offerOf(target);
  const plan = estimate(scenario, settings, target.limits, offer);
  checkEstimate(plan, offer);
  return { estimate: plan, offer };
}

/** Everything a run needs except k6. */
export interface LoadSetup {
  readonly plan: LoadPlan;
  readonly keys: readonly string[];
  readonly prepared: Prepared;
}

/**
 * Checks the settings, requests what the plan needs from the target, and creates the plan.
 * @throws LoadError if the scenario does not match the target, or the target does not answer
 */
export async function setUp(options: Omit<LoadOptions, 'k6' | 'command'>): Promise<LoadSetup> {
  const { scenario, settings, target } = options;
  const facts = SCENARIOS[scenario];
  const { estimate: estimated } = planLoad(scenario, settings, target);
  if (facts.heavy === true && !isLocal(target.baseUrl) && !options.allowRemote) {
    throw new LoadError(
      'ASSAY_LOAD_USAGE',
      `${scenario} sends far more requests than the keys' limits allow, and ${target.baseUrl} is not on this machine.`,
      'Pass --allow-remote if the operators of the target agree.',
    );
  }
  const keys =
    facts.key === 'nearQuota'
      ? [target.keys.nearQuota?.key ?? '']
      : target.keys.valid.slice(0, estimated.keys);
  // k6 gets the headers once, so the token in them should be as new as possible.
  await target.http.bearer?.refresh();
  // The key near its quota is not used to prepare.
  const probing = facts.key === 'nearQuota' ? target.keys.valid : keys;
  const prepared = await prepare(target, probing, facts.requests, options.signal);
  const plan: LoadPlan = {
    runId: randomUUID(),
    scenario,
    baseUrl: target.baseUrl,
    keyHeader: target.auth.header,
    headers: target.http.headers,
    timeoutMs: target.http.timeoutMs,
    insecure: target.http.insecure,
    limit: target.limits.requests,
    windowMs: target.limits.windowMs,
    keys: keys.length,
    freshAt: prepared.freshAt,
    notBefore: prepared.notBefore,
    startAt: null,
    recordEvery: recordEveryOf(facts.recordEvery, estimated.shape),
    sampleEvery: sampleEveryOf(facts.sampleEvery, estimated.shape),
    recordAdmitted: facts.recordAdmitted,
    requests: prepared.requests,
    shape: estimated.shape,
  };
  return { plan, keys, prepared };
}

/** Maximum number of recorded refusals per second, on average: recording one costs as much as sending six requests. */
const REFUSALS_PER_SECOND = 20;

/** One refusal in this many is recorded; scenarios that need all of them get all. */
function recordEveryOf(wanted: number, { rate }: Shape): number {
  return wanted <= 1 ? wanted : Math.max(wanted, Math.ceil(rate / REFUSALS_PER_SECOND));
}

/**
 * Maximum number of complete answers recorded per second, on average: writing one costs as much as sending many
 * requests.
 */
const SAMPLES_PER_SECOND = 5;

/** Maximum number of complete answers recorded in a run: a soak of a day would fill the memory of the judge. */
const SAMPLES_KEPT = 10_000;

/** One answer in this many is recorded completely: the number of the scenario, higher for high rates and long runs. */
export function sampleEveryOf(
  wanted: number,
  { rate, durationMs }: Pick<Shape, 'rate' | 'durationMs'>,
): number {
  if (wanted <= 1) return wanted;
  const sent = (rate * durationMs) / 1000;
  return Math.max(wanted, Math.ceil(rate / SAMPLES_PER_SECOND), Math.ceil(sent / SAMPLES_KEPT));
}

/** Fingerprints of the keys of a load run. */
export const ringFor = ({ keys, http }: Target): KeyRing =>
  new KeyRing(keys, { seed: 1, secrets: configuredSecrets(http) });

/** Fingerprints of the keys that load tests use, by role. */
export function fingerprintsOf(ring: KeyRing): Results['target']['keys'] {
  const { valid, nearQuota } = ring.fingerprints();
  return { ...(valid && { valid }), ...(nearQuota && { nearQuota }) };
}

/** Input of the judge, except the recording. */
export function judgeFacts(
  target: Target,
  { plan, keys, prepared }: LoadSetup,
  ring: KeyRing,
): Omit<JudgeInput, 'recording' | 'command' | 'k6'> {
  const facts: Facts = {
    ...DEFAULT_FACTS,
    limits: target.limits,
    envelope: target.envelope,
  };
  return {
    plan,
    facts,
    baseUrl: target.baseUrl,
    skewMs: prepared.skewMs,
    toleranceMs: prepared.toleranceMs,
    fingerprint: (index) => ring.fingerprint(keys[index] ?? ''),
    redact: (text) => ring.redact(text),
    notes: prepared.notes,
  };
}

/** Runs a scenario in one or several k6 processes, and judges it. */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { target, k6, instances = 1, ring = ringFor(target) } = options;
  const setup = await setUp(options);
  const { shape, notBefore } = setup.plan;
  if (shape.vus < instances) {
    throw new LoadError(
      'ASSAY_LOAD_USAGE',
      `${options.scenario} has ${shape.vus} virtual ${shape.vus === 1 ? 'user' : 'users'}, which ${instances} processes cannot share.`,
      'Omit --instances for this scenario.',
    );
  }
  const plan: LoadPlan = {
    ...setup.plan,
    // Several processes need a common start; a single one starts when it is ready.
    startAt:
      instances > 1
        ? Math.max(notBefore, Date.now() + 3000 + 500 * instances + 10 * shape.vus)
        : null,
  };
  const recordings = await Promise.all(
    Array.from({ length: instances }, (_, instance) =>
      runScenario({
        plan,
        keys: setup.keys,
        k6,
        caFile: target.http.caFile,
        clientCertificate: target.http.clientCertificate,
        proxy: target.http.proxy,
        extra: segmentArguments(instance, instances),
        ...(options.signal !== undefined && { signal: options.signal }),
      }),
    ),
  );
  const facts = judgeFacts(target, { ...setup, plan }, ring);
  const result = judgeScenario({
    ...facts,
    notes: [...facts.notes, ...(instances > 1 ? [`Merged from ${instances} processes.`] : [])],
    recording: mergeRecordings(recordings),
    command: options.command,
    k6: { version: k6.version, source: k6.source },
  });
  if (options.save !== undefined) {
    const context: MergeContext = {
      plan,
      fingerprints: setup.keys.map((key) => ring.fingerprint(key)),
      skewMs: setup.prepared.skewMs,
      toleranceMs: setup.prepared.toleranceMs,
      limits: target.limits,
      envelope: target.envelope,
      command: options.command,
      k6: { version: k6.version, source: k6.source },
      instances,
    };
    // The plan has the headers of the target file, which may be credentials.
    const kept = JSON.parse(ring.redact(JSON.stringify(context))) as MergeContext;
    await saveRecordings(options.save, kept, withoutKeys(recordings, ring));
  }
  return redacted(result, ring);
}

/** Redacts recordings: a target may echo a key. */
function withoutKeys(recordings: readonly Recording[], ring: KeyRing): Recording[] {
  return recordings.map((recording) => {
    const text = JSON.stringify(recording);
    return ring.leaks(text) ? (JSON.parse(ring.redact(text)) as Recording) : recording;
  });
}

/** Redacts a result: findings quote the target, which may echo a key. */
export function redacted(result: LoadResult, ring: KeyRing): LoadResult {
  const text = JSON.stringify(result);
  return ring.leaks(text) ? (JSON.parse(ring.redact(text)) as LoadResult) : result;
}
