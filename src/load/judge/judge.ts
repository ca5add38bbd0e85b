import { requirementOf } from '../../requirements/catalogue.ts';
import type { LoadOutcome, LoadResult } from '../../report/model/load-results.ts';
import { contextOf } from '../../judge/context.ts';
import type { Facts } from '../../judge/facts.ts';
import { wholeNumber } from '../../../suites/8-limits/answers.ts';
import { judgeAll, judgeLimits } from '../../requirements/judging.ts';
import { limitsViewOf } from '../../judge/view.ts';
import { LoadError } from '../errors.ts';
import type { LoadPlan, Row, RunSummary } from '../plan.ts';
import type { Recording } from '../run-scenario.ts';
import { SCENARIOS } from '../scenarios.ts';
import { healthOf, latencyOf, windowsOf } from './figures.ts';
import { exchangesOf, type Origin } from './exchanges.ts';
import { isAdmitted, isRefused, keyedRows, type KeyedRow } from './keyed.ts';
import { Ledger } from './ledger.ts';
import { notePace } from './pace.ts';
import { courseOf } from './course.ts';
import { judgeQuota, splitAtQuota } from './quota.ts';
import { judgeServerErrors, judgeTraffic } from './traffic.ts';
import { keepWindows, markWrong } from './wrong-windows.ts';

export interface JudgeInput extends Origin {
  readonly facts: Facts;
  readonly plan: LoadPlan;
  readonly recording: Recording;
  readonly toleranceMs: number;
  readonly command: string;
  readonly k6: { readonly version: string; readonly source: string };
  readonly notes: readonly string[];
}

/** Requirements that need every answer: an interrupted run has lost those in flight. */
const NEED_ALL = ['8/limit-not-early', '8/quota-not-early', '8/per-key', '8/reset'] as const;

/** Maximum spread of a burst, ms. */
const WIDEST_SPREAD_MS = 500;

/**
 * Judges a run of a scenario.
 * @throws LoadError if the recording contradicts k6's counts, because answers were lost
 */
export function judgeScenario(input: JudgeInput): LoadResult {
  const { plan, recording } = input;
  const { rows, summary } = recording;
  const facts = SCENARIOS[plan.scenario];
  if (!recording.interrupted) conserve(plan, rows, summary);
  const ledger = new Ledger();
  ledger.notes.push(...input.notes);
  const keyed = keyedRows(rows);
  const { quotaLeft } = plan.shape;
  // Refusals of the quota have other rules than those of the limiter.
  const { before: limited, after } =
    plan.scenario === 'quota' ? splitAtQuota(keyed, quotaLeft) : { before: keyed, after: [] };
  judgeLimiter(limited, input, ledger);
  if (plan.scenario === 'quota') {
    const refusals = exchangesOf(after, input).flatMap(
      (exchange) => limitsViewOf(exchange, input.facts) ?? [],
    );
    judgeQuota(keyed, refusals, quotaLeft, ledger);
  } else if (facts.requests === 'plain') {
    judgeStatuses(keyed, ledger);
    if (plan.scenario === 'rl-isolation') judgeSteadyKey(keyed, ledger);
  }
  if (facts.requests !== 'all') judgeServerErrors(summary, ledger);
  else judgeTraffic(summary, ledger);
  judgeSamples(keyed, input, ledger);
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
  const windows = markWrong(windowsOf(keyed, plan, input.fingerprint), {
    ...plan,
    requirements,
  });
  const course = courseOf(plan, rows);
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
    readings: ledger.answered,
    windows: keepWindows(windows),
    windowsInAll: windows.length,
    ...(course === undefined ? {} : { course }),
    latency: latencyOf(keyed, summary),
    health,
    notes: ledger.notes,
  };
}

/** The rules of §8, as in a run, on all recorded answers. */
function judgeLimiter(rows: readonly KeyedRow[], input: JudgeInput, ledger: Ledger): void {
  const { plan, recording } = input;
  const exchanges = exchangesOf(rows, { ...input, skewMs: skewOf(rows, input) });
  const recorded = !plan.recordAdmitted
    ? 'some'
    : plan.recordEvery > 1 || recording.interrupted
      ? 'all but some refusals'
      : 'all';
  const load = {
    clockWithinMs: input.toleranceMs,
    recorded,
    oneByOne: plan.shape.vus === 1,
  } as const;
  const limits = { ...input.facts.limits, requests: plan.limit, windowMs: plan.windowMs };
  const context = contextOf({ ...input.facts, limits, load }, exchanges);
  // The keys were tested before the load.
  const acceptedKeys = new Set(exchanges.flatMap(({ key }) => key ?? []));
  judgeLimits(exchanges, { ...context, acceptedKeys }, ledger);
}

/**
 * How far the limiter's clock is ahead, ms: the difference measured from `Date` before the load, unless all resets
 * match the clock of this machine instead; `Date` may come from a proxy (ruling 12).
 */
function skewOf(rows: readonly KeyedRow[], { plan, skewMs, toleranceMs }: JudgeInput): number {
  const { limit, windowMs } = plan;
  const longest = windowMs * (1 + 1 / limit) + toleranceMs;
  const fits = (skew: number): boolean =>
    rows.every(({ t0, t1, reset }) => {
      const end = wholeNumber(reset ?? undefined);
      return end === null || (end >= t0 + skew - toleranceMs && end <= t1 + skew + longest);
    });
  return !fits(skewMs) && fits(0) ? 0 : skewMs;
}

/** A plain list request with a valid key is admitted or refused with 429; no other refusal is stated (§8). */
function judgeStatuses(rows: readonly KeyedRow[], ledger: Ledger): void {
  for (const row of rows) {
    if (isAdmitted(row) || isRefused(row) || row.status >= 500) continue;
    ledger.found('8/limit-enforced', null, {
      kind: 'good-key-refused',
      expected: 'status 200 or 429',
      actual: `status ${row.status}`,
    });
  }
}

/** A key within its limit is not refused during a flood on another key (§8). */
function judgeSteadyKey(rows: readonly KeyedRow[], ledger: Ledger): void {
  const steady = rows.filter(({ phase }) => phase === 'steady');
  const refused = steady.filter(isRefused).length;
  if (steady.length === 0) return;
  ledger.expect('8/per-key', null, refused === 0, () => ({
    kind: 'steady-key-refused',
    expected: `0 of ${steady.length} requests refused`,
    actual: `${refused} refused`,
  }));
}

/**
 * Judges completely recorded answers with the rules of the suites. Rules of §8 are excluded, because they need every
 * answer of a window instead of a sample.
 */
function judgeSamples(rows: readonly KeyedRow[], input: JudgeInput, ledger: Ledger): void {
  const exchanges = exchangesOf(
    rows.filter(({ sample }) => sample !== null),
    input,
  );
  if (exchanges.length === 0) return;
  let quiet = 0;
  for (const [id, judged] of judgeAll(exchanges, input.facts).requirements) {
    const { section, level } = requirementOf(id);
    if (section === '8' || level === 'observe') continue;
    if (judged.findings.length === 0) {
      quiet += 1;
      if (section === '4') ledger.judged(id, null, judged.exchanges.size);
    }
    for (const finding of judged.findings) ledger.take(id, finding);
  }
  ledger.notes.push(
    `${exchanges.length} complete responses were judged by the suites' rules: ${quiet} requirements have no findings.`,
  );
}

/** Checks that sent = answered + failed, and that individual recordings match the counts of k6. */
function conserve(plan: LoadPlan, rows: readonly Row[], summary: RunSummary): void {
  const counted = Object.values(summary.byStatus).reduce((sum, count) => sum + count, 0);
  if (counted > summary.sent) {
    throw lost(`k6 counted ${counted} responses for ${summary.sent} requests.`);
  }
  const check = (status: number): void => {
    const recorded = rows.filter((row) => row.status === status).length;
    const of = summary.byStatus[String(status)] ?? 0;
    if (recorded !== of) {
      throw lost(
        `k6 counted ${of} responses with status ${status}, but ${recorded} were recorded.`,
      );
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
    'The recording was not judged. Run the scenario again.',
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
    ledger.doubts.push(`${failed} requests got no response and may or may not have been counted`);
  }
  // A rising load may exceed the capacity of this machine, and a flood may miss some requests.
  const share =
    plan.scenario === 'capacity' ? 1 : SCENARIOS[plan.scenario].heavy === true ? 0.3 : 0.01;
  if (dropped > 0) {
    const text = `${dropped} request${dropped === 1 ? ' was' : 's were'} not sent in time: this machine cannot keep up with the rate`;
    if (dropped > share * (sent + dropped)) ledger.doubts.push(text);
    else ledger.notes.push(`${text}.`);
  }
  if (spreadMs !== null && spreadMs > Math.min(WIDEST_SPREAD_MS, plan.windowMs / 2)) {
    ledger.doubts.push(
      `requests in a burst were sent ${spreadMs} ms apart, too far apart for a burst`,
    );
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
