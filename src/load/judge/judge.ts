import { requirementOf } from '../../requirements/catalogue.ts';
import type { LoadOutcome, LoadResult } from '../../report/load-results.ts';
import { LoadError } from '../errors.ts';
import type { LoadPlan, Row, RunSummary } from '../plan.ts';
import type { Recording } from '../run-scenario.ts';
import { SCENARIOS } from '../scenarios.ts';
import {
  burstsOf,
  judgeAnnouncedWindows,
  judgeBursts,
  judgeEarlyRefusals,
  judgeEdges,
  judgeRecovery,
  judgeRefusedWindows,
  judgeStatuses,
} from './admission.ts';
import { judgeAlgorithm } from './algorithm.ts';
import { answersOf } from './answers.ts';
import type { Answer } from './answers.ts';
import type { JudgeContext } from './context.ts';
import { healthOf, latencyOf, mergedLatency, windowsOf } from './figures.ts';
import { judgeHeaders, judgeSteadiness, refusalsCount } from './headers.ts';
import { Ledger } from './ledger.ts';
import { notePace } from './pace.ts';
import { judgeQuota, splitAtQuota } from './quota.ts';
import { judgeRefusalContent } from './refusals.ts';
import { judgeSamples } from './samples.ts';
import type { SampleFacts } from './samples.ts';
import { judgeServerErrors, judgeSteadyKey, judgeTraffic } from './traffic.ts';

export interface JudgeInput extends SampleFacts {
  readonly plan: LoadPlan;
  readonly recording: Recording;
  readonly toleranceMs: number;
  readonly command: string;
  readonly k6: { readonly version: string; readonly source: string };
  readonly notes: readonly string[];
}

/** What can only be held against a target with every answer at hand: an interrupted run has lost those under way. */
const NEED_ALL = ['8/limit-not-early', '8/quota-not-early', '8/per-key', '8/reset'] as const;

/** Bursts further apart than this have lost what makes them a burst, ms. */
const WIDEST_SPREAD_MS = 500;

/**
 * Judges one run of a scenario on everything that was recorded.
 * @throws LoadError when the recording contradicts k6's own counts: answers got lost, and nothing can be said
 */
export function judgeScenario(input: JudgeInput): LoadResult {
  const { plan, recording } = input;
  const { rows, summary } = recording;
  const facts = SCENARIOS[plan.scenario];
  if (!recording.interrupted) conserve(plan, rows, summary);
  const ledger = new Ledger();
  ledger.notes.push(...input.notes);
  const answers = answersOf(rows);
  const context: JudgeContext = {
    scenario: plan.scenario,
    limit: plan.limit,
    windowMs: plan.windowMs,
    freshAt: plan.freshAt,
    toleranceMs: input.toleranceMs,
    skewMs: input.skewMs,
    complete: plan.recordAdmitted && plan.recordEvery <= 1 && !recording.interrupted,
    quotaLeft: plan.shape.quotaLeft,
  };
  if (facts.requests === 'plain') judgeLimiter(answers, context, ledger);
  else judgeSpread(answers, context, ledger);
  if (facts.requests !== 'all') judgeServerErrors(summary, ledger);
  else judgeTraffic(summary, ledger);
  judgeSamples(rows, input, ledger);
  notePace(plan, rows, ledger);

  const health = healthOf(plan, summary, rows);
  const counts = requestsOf(summary);
  if (recording.interrupted) {
    ledger.doubts.push('the run was interrupted');
    for (const id of NEED_ALL) ledger.forget(id);
  }
  if (!recording.interrupted) addDoubts(input, ledger, counts, health.dropped, health.spreadMs);
  const requirements = ledger.results(facts.decides);
  const outcome = outcomeOf(requirements, ledger.doubts);
  return {
    scenario: plan.scenario,
    title: facts.title,
    outcome,
    reason: reasonOf(outcome, requirements, ledger.doubts),
    command: input.command,
    k6: input.k6,
    startedAt: new Date(recording.startedAt).toISOString(),
    endedAt: new Date(recording.endedAt).toISOString(),
    limits: { requests: plan.limit, windowMs: plan.windowMs },
    requests: counts,
    requirements,
    readings: ledger.readings,
    windows: windowsOf(answers, context, input.fingerprint),
    latency: summary.latency.length > 0 ? latencyOf(summary) : mergedLatency(summary.buckets),
    health,
    notes: ledger.notes,
  };
}

/** Everything that holds for a limiter, on the answers of one scenario. */
function judgeLimiter(answers: readonly Answer[], context: JudgeContext, ledger: Ledger): void {
  const isQuota = context.scenario === 'quota';
  // A refusal of the quota is no refusal of the limiter and has rules of its own.
  const limited = isQuota ? splitAtQuota(answers, context.quotaLeft).before : answers;
  judgeHeaders(limited, context, ledger);
  judgeSteadiness(limited, ledger);
  const counted = refusalsCount(limited, context);
  if (counted !== null) {
    ledger.read('Refused requests count', counted ? 'yes' : 'no', '8/refused-counted');
  }
  judgeAnnouncedWindows(limited, context, ledger);
  judgeRefusalContent(
    limited.filter((answer) => answer.refused),
    context,
    ledger,
  );
  if (isQuota) judgeQuota(answers, context, ledger);
  else {
    judgeStatuses(answers, ledger);
    judgeBursts(burstsOf(answers), context, ledger);
    judgeRefusedWindows(answers, context, ledger);
    judgeEdges(answers, context, ledger);
    judgeEarlyRefusals(answers, context, ledger);
    judgeRecovery(answers, context, ledger);
  }
  if (context.scenario === 'rl-algorithm') judgeAlgorithm(answers, context, ledger);
  if (context.scenario === 'rl-isolation') {
    judgeSteadyKey(
      answers.filter(({ row }) => row.phase === 'steady'),
      ledger,
    );
  }
}

/** What holds for each answer, and for the answers of one key whichever endpoints they come from. */
function judgeSpread(answers: readonly Answer[], context: JudgeContext, ledger: Ledger): void {
  judgeHeaders(answers, context, ledger);
  judgeSteadiness(answers, ledger);
  // Whether requests that failed as such were counted is not known, so values may be missing in between.
  judgeAnnouncedWindows(answers, { ...context, complete: false }, ledger);
}

/** Sent = answered + failed, and what is recorded one by one agrees with what k6 counted. */
function conserve(plan: LoadPlan, rows: readonly Row[], summary: RunSummary): void {
  const counted = Object.values(summary.byStatus).reduce((sum, count) => sum + count, 0);
  if (counted > summary.sent) {
    throw lost(`k6 counted ${counted} answers for ${summary.sent} requests.`);
  }
  const check = (status: number): void => {
    const recorded = rows.filter((row) => row.status === status).length;
    const of = summary.byStatus[String(status)] ?? 0;
    if (recorded !== of) {
      throw lost(`k6 counted ${of} answers with status ${status}, and ${recorded} were recorded.`);
    }
  };
  if (!plan.recordAdmitted) return;
  check(200);
  check(0);
  if (plan.recordEvery <= 1) check(429);
}

function lost(message: string): LoadError {
  return new LoadError(
    'ASSAY_LOAD_RUN',
    message,
    'Nothing is judged on it. Run the scenario again.',
  );
}

function requestsOf({ sent, byStatus }: RunSummary): LoadResult['requests'] {
  let admitted = 0;
  for (const [status, count] of Object.entries(byStatus)) {
    if (/^2\d\d$/.test(status)) admitted += count;
  }
  const refused = byStatus['429'] ?? 0;
  const failed = byStatus['0'] ?? 0;
  return { sent, admitted, refused, failed, other: sent - admitted - refused - failed };
}

function addDoubts(
  { plan }: JudgeInput,
  ledger: Ledger,
  { failed, sent }: LoadResult['requests'],
  dropped: number,
  spreadMs: number | null,
): void {
  if (failed > 0) {
    ledger.doubts.push(
      `${failed} requests got no answer, and whether they were counted cannot be known`,
    );
  }
  // Rising load is meant to reach the end of what can be sent; a flood is one also with some requests less.
  const share =
    plan.scenario === 'capacity' ? 1 : SCENARIOS[plan.scenario].heavy === true ? 0.3 : 0.01;
  if (dropped > 0) {
    const text = `${dropped} requests were not sent in time: this machine cannot keep up with the rate`;
    if (dropped > share * (sent + dropped)) ledger.doubts.push(text);
    else ledger.notes.push(`${text}.`);
  }
  if (spreadMs !== null && spreadMs > Math.min(WIDEST_SPREAD_MS, plan.windowMs / 2)) {
    ledger.doubts.push(`requests of a burst were sent ${spreadMs} ms apart, which is no burst`);
  }
  for (const id of SCENARIOS[plan.scenario].decides) {
    if (!ledger.wasJudged(id)) {
      ledger.doubts.push(`${id} (${requirementOf(id).title}) could not be judged`);
    }
  }
}

type Judged = LoadResult['requirements'];

function outcomeOf(requirements: Judged, doubts: readonly string[]): LoadOutcome {
  if (requirements.some(({ outcome }) => outcome === 'failed')) return 'failed';
  if (doubts.length > 0) return 'inconclusive';
  return requirements.some(({ outcome }) => outcome === 'warned') ? 'warned' : 'passed';
}

function reasonOf(outcome: LoadOutcome, requirements: Judged, doubts: readonly string[]): string {
  if (outcome === 'inconclusive') return `No verdict: ${doubts.join('; ')}.`;
  const hit = requirements.filter((one) => one.outcome === 'failed' || one.outcome === 'warned');
  const judged = requirements.filter((one) => one.judged > 0).length;
  if (hit.length === 0) return `${judged} requirements judged, none violated.`;
  const [first] = hit.toSorted(
    (a, b) => Number(b.outcome === 'failed') - Number(a.outcome === 'failed'),
  );
  const ids = hit.map(({ id }) => id).join(', ');
  const finding = first?.findings[0];
  const example = finding === undefined ? '' : ` ${finding.message}: ${finding.actual}.`;
  return `${outcome === 'failed' ? 'Violated' : 'Warned'}: ${ids}.${example}`;
}
