import { randomUUID } from 'node:crypto';
import type { LoadResult } from '../report/model/load-results.ts';
import { configuredSecrets } from '../http/secrets.ts';
import { keyRing, type KeyRing } from '../target/keys.ts';
import type { Target } from '../target/target.ts';
import { usage } from './errors.ts';
import { estimate } from './estimate.ts';
import type { K6 } from './find-k6.ts';
import type { ScenarioName } from '../spec/scenarios.ts';
import type { LoadPlan, Shape } from './plan.ts';
import { isLocal, prepare } from './prepare.ts';
import { judgeRecordings, saveRecordings, type MergeContext } from './merge.ts';
import { runScenario } from './run-scenario.ts';
import { SCENARIOS, type LoadSettings } from './scenarios.ts';
import type { Results } from '../report/model/results.ts';

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

/** Everything a run needs except k6. */
export type LoadSetup = Awaited<ReturnType<typeof setUp>>;

/**
 * Checks the settings, requests what the plan needs from the target, and creates the plan.
 * @throws LoadError if the scenario does not match the target, or the target does not answer
 */
export async function setUp(options: Omit<LoadOptions, 'k6' | 'command'>) {
  const { scenario, settings, target } = options;
  const facts = SCENARIOS[scenario];
  const estimated = estimate(scenario, settings, target);
  if (facts.heavy === true && !isLocal(target.baseUrl) && !options.allowRemote) {
    throw usage(
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
  const { freshAt, notBefore, requests } = prepared;
  const plan = {
    runId: randomUUID(),
    ...planFor(scenario, target, estimated.shape),
    keys: keys.length,
    startAt: null,
    freshAt,
    notBefore,
    requests,
  };
  return { plan, keys, prepared };
}

/**
 * Most that is recorded per second, on average. Recording a refusal costs as much as sending six requests, and a
 * complete answer as much as many.
 */
const REFUSALS_PER_SECOND = 20;
const SAMPLES_PER_SECOND = 5;
/** Maximum number of complete answers recorded in a run: a soak of a day would fill the memory of the judge. */
const SAMPLES_KEPT = 10_000;

/** The part of a plan that is known without the target. High rates and long runs record a smaller share. */
export function planFor(
  scenario: ScenarioName,
  { baseUrl, auth, http, limits }: Target,
  shape: Shape,
): Omit<LoadPlan, 'runId' | 'keys' | 'freshAt' | 'notBefore' | 'startAt' | 'requests'> {
  const { recordEvery, sampleEvery, recordAdmitted } = SCENARIOS[scenario];
  const { rate, durationMs } = shape;
  // Scenarios that need every refusal, every complete answer or none get them.
  const oneIn = (wanted: number, ...least: readonly number[]): number =>
    wanted <= 1 ? wanted : Math.max(wanted, ...least.map(Math.ceil));
  return {
    scenario,
    baseUrl,
    keyHeader: auth.header,
    headers: http.headers,
    timeoutMs: http.timeoutMs,
    insecure: http.insecure,
    limit: limits.requests,
    windowMs: limits.windowMs,
    recordEvery: oneIn(recordEvery, rate / REFUSALS_PER_SECOND),
    sampleEvery: oneIn(
      sampleEvery,
      rate / SAMPLES_PER_SECOND,
      (rate * durationMs) / 1000 / SAMPLES_KEPT,
    ),
    recordAdmitted,
    shape,
  };
}

/** Fingerprints of the keys of a load run. */
export const ringFor = ({ keys, http }: Target): KeyRing =>
  keyRing(keys, { seed: 1, secrets: configuredSecrets(http) });

/** Fingerprints of the keys that load tests use, by role. */
export function fingerprintsOf(ring: KeyRing): Results['target']['keys'] {
  const { valid, nearQuota } = ring.fingerprints();
  return { ...(valid && { valid }), ...(nearQuota && { nearQuota }) };
}

/** Runs a scenario in one or several k6 processes, and judges it. */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { target, k6, instances = 1, ring = ringFor(target) } = options;
  const { plan: planned, keys, prepared } = await setUp(options);
  const { shape, notBefore } = planned;
  if (shape.vus < instances) {
    throw usage(
      `${options.scenario} has ${shape.vus} virtual ${shape.vus === 1 ? 'user' : 'users'}, too few for ${instances} processes.`,
      'Omit --instances for this scenario.',
    );
  }
  const plan: LoadPlan = {
    ...planned,
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
        keys,
        k6,
        http: target.http,
        extra: segmentArguments(instance, instances),
        ...(options.signal !== undefined && { signal: options.signal }),
      }),
    ),
  );
  const context: MergeContext = {
    plan,
    fingerprints: keys.map((key) => ring.fingerprint(key)),
    skewMs: prepared.skewMs,
    toleranceMs: prepared.toleranceMs,
    limits: target.limits,
    envelope: target.envelope,
    command: options.command,
    k6: { version: k6.version, source: k6.source },
    instances,
  };
  const result = judgeRecordings(context, recordings, {
    notes: prepared.notes,
    redact: (text) => ring.redact(text),
  });
  if (options.save !== undefined) {
    // The plan has the headers of the target file, which may be credentials, and a target may echo a key.
    await saveRecordings(options.save, withoutKeys(context, ring), withoutKeys(recordings, ring));
  }
  return withoutKeys(result, ring);
}

function withoutKeys<Value>(value: Value, ring: KeyRing): Value {
  const text = JSON.stringify(value);
  return ring.redact(text) !== text ? (JSON.parse(ring.redact(text)) as Value) : value;
}

/**
 * Execution segments like those of the k6-operator: each instance of k6 gets an even share of virtual users and
 * iterations, and the numbers that scripts use to distribute keys stay unique over all instances.
 */
export function segmentArguments(instance: number, of: number): string[] {
  if (of < 2) return [];
  const edge = (index: number): string =>
    index === 0 ? '0' : index === of ? '1' : `${index}/${of}`;
  const sequence = Array.from({ length: of + 1 }, (_, index) => edge(index)).join(',');
  return [
    `--execution-segment=${edge(instance)}:${edge(instance + 1)}`,
    `--execution-segment-sequence=${sequence}`,
  ];
}
