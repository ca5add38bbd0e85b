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
  /** Command that repeats the run, without keys. */
  readonly command: string;
  /** Processes of k6 that share the load; 1 by default. */
  readonly instances?: number;
  /** Folder that keeps what was recorded. */
  readonly save?: string | undefined;
  /** Whether heavy scenarios may leave this machine. */
  readonly allowRemote: boolean;
  readonly signal?: AbortSignal;
  /** What tells the keys apart, where the caller wants to name them, too; one of its own by default. */
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

/** The estimate of a scenario on a target, checked to be possible. */
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

/** Everything that a run needs besides k6. */
export interface LoadSetup {
  readonly plan: LoadPlan;
  readonly keys: readonly string[];
  readonly prepared: Prepared;
}

/**
 * Checks, asks the target what the plan needs, and makes the plan.
 * @throws LoadError when the scenario does not suit the target or the target does not answer
 */
export async function setUp(options: Omit<LoadOptions, 'k6' | 'command'>): Promise<LoadSetup> {
  const { scenario, settings, target } = options;
  const facts = SCENARIOS[scenario];
  const { estimate: estimated } = planLoad(scenario, settings, target);
  if (facts.heavy === true && !isLocal(target.baseUrl) && !options.allowRemote) {
    throw new LoadError(
      'ASSAY_LOAD_USAGE',
      `${scenario} sends far more than the keys are entitled to, and ${target.baseUrl} is not on this machine.`,
      'Give --allow-remote when the operators of the target agree.',
    );
  }
  const keys =
    facts.key === 'nearQuota'
      ? [target.keys.nearQuota?.key ?? '']
      : target.keys.valid.slice(0, estimated.keys);
  // k6 is told the headers once: the token in them is to hold as long as one can.
  await target.http.bearer?.refresh();
  // The key near its quota is not spent on preparing.
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
    buckets: false,
    requests: prepared.requests,
    shape: estimated.shape,
  };
  return { plan, keys, prepared };
}

/** Refusals of a flood recorded in a second at most, on average: each costs as much as sending half a dozen of them. */
const REFUSALS_PER_SECOND = 20;

/** One refusal in how many is recorded; scenarios that want each of them get each of them. */
function recordEveryOf(wanted: number, { rate }: Shape): number {
  return wanted <= 1 ? wanted : Math.max(wanted, Math.ceil(rate / REFUSALS_PER_SECOND));
}

/** Whole answers recorded in a second at most, on average: writing one costs as much as sending many requests. */
const SAMPLES_PER_SECOND = 5;

/** Whole answers recorded in a run at most: a soak of a day would fill the memory of the judge. */
const SAMPLES_KEPT = 10_000;

/** One answer in so many is recorded whole: what the scenario asks for, rarer at high rates and in long runs. */
export function sampleEveryOf(
  wanted: number,
  { rate, durationMs }: Pick<Shape, 'rate' | 'durationMs'>,
): number {
  if (wanted <= 1) return wanted;
  const sent = (rate * durationMs) / 1000;
  return Math.max(wanted, Math.ceil(rate / SAMPLES_PER_SECOND), Math.ceil(sent / SAMPLES_KEPT));
}

/** What tells the keys of a load run apart without showing them. */
export const ringFor = ({ keys, http }: Target): KeyRing =>
  new KeyRing(keys, { seed: 1, secrets: configuredSecrets(http) });

/** Fingerprints of the keys that load may be put on, by role. */
export function fingerprintsOf(ring: KeyRing): Results['target']['keys'] {
  const { valid, nearQuota } = ring.fingerprints();
  return { ...(valid && { valid }), ...(nearQuota && { nearQuota }) };
}

/** What the judge needs besides the recording. */
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

/** Runs a scenario in k6, in one process or several at once, and judges it. */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { target, k6, instances = 1, ring = ringFor(target) } = options;
  const setup = await setUp(options);
  const { shape, notBefore } = setup.plan;
  if (shape.vus < instances) {
    throw new LoadError(
      'ASSAY_LOAD_USAGE',
      `${options.scenario} has ${shape.vus} virtual ${shape.vus === 1 ? 'user' : 'users'}, which ${instances} processes cannot share.`,
      'Leave --instances out for this scenario.',
    );
  }
  const plan: LoadPlan = {
    ...setup.plan,
    buckets: instances > 1,
    // Several processes need a moment to meet at; one starts when it is ready.
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
    // The plan holds the headers of the target file, which may be credentials.
    const kept = JSON.parse(ring.redact(JSON.stringify(context))) as MergeContext;
    await saveRecordings(options.save, kept, withoutKeys(recordings, ring));
  }
  return redacted(result, ring);
}

/** A target may send a key back, and recordings are kept. */
function withoutKeys(recordings: readonly Recording[], ring: KeyRing): Recording[] {
  return recordings.map((recording) => {
    const text = JSON.stringify(recording);
    return ring.leaks(text) ? (JSON.parse(ring.redact(text)) as Recording) : recording;
  });
}

/** Findings quote the target, and a target may send a key back: nothing leaves here unredacted. */
export function redacted(result: LoadResult, ring: KeyRing): LoadResult {
  const text = JSON.stringify(result);
  return ring.leaks(text) ? (JSON.parse(ring.redact(text)) as LoadResult) : result;
}
