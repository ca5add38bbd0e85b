import { randomUUID } from 'node:crypto';
import { BroadcastChannel } from 'node:worker_threads';
import { REQUIREMENTS } from '../contract/requirements.ts';
import { SPEC_SHA256 } from '../contract/clauses.ts';
import type { Results } from '../report/results.ts';
import type { LiveEvent, SuiteInput } from '../suite/input.ts';
import type { Profile } from '../suite/profiles.ts';
import { selects } from '../suite/patterns.ts';
import type { Target } from '../target/target.ts';
import { assemble, inOrder } from './assemble.ts';
import { Collector, type CheckRecord } from './collect.ts';
import { decide, summarize, type FailOn } from './verdict.ts';
import { readProof } from './proof.ts';
import { applyWaivers, brokenWaivers, type Waiver } from './waivers.ts';
import { runSuites } from './vitest-runner.ts';
import { toolVersion } from './version.ts';

export interface RunOptions {
  readonly target: Target;
  /** True when `target` is the embedded reference server. */
  readonly reference: boolean;
  readonly profile: Profile;
  readonly seed: number;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly maxRequests: number | null;
  readonly failOn: readonly FailOn[];
  /** Entries of the waiver file; undefined without one. */
  readonly waivers?: readonly Waiver[];
  readonly signal?: AbortSignal;
  readonly listener?: RunListener;
  /** Runs the suites; replaced by a runner that is kept between runs. */
  readonly runner?: typeof runSuites;
}

/** Told how a run goes on. */
export interface RunListener {
  /** A check came out. `requirements` counts those with at least one result. */
  readonly onCheck?: (record: CheckRecord, done: { requirements: number; of: number }) => void;
  readonly onEvent?: (event: LiveEvent) => void;
}

/**
 * Runs the suites against a target and judges everything that arrived.
 * @throws SuiteFailure when Assay itself fails
 */
export async function run(options: RunOptions): Promise<Results> {
  const { target, profile, seed, only, skip, listener, signal } = options;
  const startedAt = new Date();
  const runId = randomUUID();
  const selected = REQUIREMENTS.filter(({ id }) => isSelected(id, only, skip)).length;
  const seen = new Set<string>();
  const collector = new Collector((record) => {
    if (isSelected(record.meta.requirement, only, skip)) seen.add(record.meta.requirement);
    listener?.onCheck?.(record, { requirements: seen.size, of: selected });
  });
  const channel = new BroadcastChannel(`assay-${runId}`);
  channel.addEventListener('message', (message) => {
    if ('data' in message) listener?.onEvent?.(message.data as LiveEvent);
  });
  const input: SuiteInput = {
    runId,
    target,
    profile,
    seed,
    only,
    skip,
    maxRequests: options.maxRequests,
    channel: channel.name,
  };
  try {
    const suites = options.runner ?? runSuites;
    const end = await suites({
      input,
      reporter: collector.reporter,
      ...(signal === undefined ? {} : { signal }),
    });
    return resultsOf(options, collector, startedAt, end === 'interrupted');
  } finally {
    channel.close();
  }
}

function isSelected(id: string, only: readonly string[], skip: readonly string[]): boolean {
  if (only.length > 0 && !only.some((pattern) => selects(pattern, id))) return false;
  return !skip.some((pattern) => selects(pattern, id));
}

/**
 * Puts the results together and asserts that nothing got lost.
 * @throws Error when the outcomes do not add up to the catalogue
 */
function resultsOf(
  options: RunOptions,
  collector: Collector,
  startedAt: Date,
  interrupted: boolean,
): Results {
  const { target, profile, seed } = options;
  const { requirements: judged, readings } = assemble(collector);
  const exchanges = inOrder(collector.exchanges);
  const today = new Date().toISOString().slice(0, 10);
  const { requirements, waivers } = applyWaivers(judged, exchanges, options.waivers ?? [], today);
  const proof = readProof();
  const summary = summarize(requirements);
  const counted = Object.values(summary).flatMap((level) => Object.values(level));
  if (counted.reduce((sum, number) => sum + number, 0) !== REQUIREMENTS.length) {
    throw new Error('The outcomes do not add up to the catalogue of requirements.');
  }
  const { session } = collector;
  const fatal = session?.fatal ?? null;
  const decision = decide(summary, {
    interrupted,
    fatal: fatal && `${fatal.message} ${fatal.hint}`,
    failOn: options.failOn,
    brokenWaivers: brokenWaivers(waivers),
  });
  return {
    schemaVersion: 1,
    tool: { name: 'assay', version: toolVersion() },
    spec: { sha256: SPEC_SHA256 },
    target: {
      baseUrl: target.baseUrl,
      envelope: target.envelope,
      keys: session?.keys ?? {},
      reference: options.reference,
    },
    profile,
    seed,
    startedAt: startedAt.toISOString(),
    endedAt: new Date().toISOString(),
    verdict: decision.verdict,
    sentence: decision.sentence,
    exitCode: decision.exitCode,
    requests: {
      total: session?.total ?? 0,
      byRole: session?.byRole ?? {},
      waitedMs: session?.waitedMs ?? 0,
    },
    summary,
    requirements,
    readings,
    notes: notesOf(options),
    exchanges,
    load: [],
    ...(options.waivers === undefined ? {} : { waivers }),
    ...(proof === undefined ? {} : { proof }),
  };
}

function notesOf({ target, only, skip, reference }: RunOptions): string[] {
  const notes: string[] = [];
  if (target.envelope !== null) {
    notes.push(
      `Bodies are wrapped in an envelope, which violates the specification (ruling 21). The content of "${target.envelope}" was judged, because the target file says envelope: ${target.envelope}.`,
    );
  }
  if (target.http.insecure) notes.push('TLS certificates were not verified (http.insecure).');
  if (only.length > 0) notes.push(`Only ${only.join(', ')} was run; the rest is untested.`);
  if (skip.length > 0) notes.push(`${skip.join(', ')} was left out.`);
  if (reference) notes.push('The target was the embedded reference server.');
  if (target.clock !== undefined) {
    notes.push('The target moves its clock on demand; windows were not waited for.');
  }
  return notes;
}
