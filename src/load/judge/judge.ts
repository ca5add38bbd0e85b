import { requirementOf } from '../../requirements/catalogue.ts';
import type { RequirementId } from '../../spec/requirement-id.ts';
import type {
  LoadHealth,
  LoadOutcome,
  LoadRequirement,
  LoadResult,
} from '../../report/model/load-results.ts';
import type { Exchange } from '../../spec/exchange.ts';
import { STATUS, type Finding } from '../../spec/finding.ts';
import { contextOf, type Context } from '../../judge/context.ts';
import type { Facts } from '../../judge/facts.ts';
import { byQuestion, Judgement, MAX_FINDINGS } from '../../judge/judgement.ts';
import { isDisguisedRefusal, wholeNumber } from '../../../suites/8-limits/answers.ts';
import { judgeInParts, judgeLimits } from '../../requirements/judging.ts';
import { messageOf, type FindingKind } from '../../judge/messages.ts';
import { limitsViewOf, requestName, type View } from '../../judge/view.ts';
import { runFailed, type LoadError } from '../errors.ts';
import type { LoadPlan, Row, RunSummary } from '../plan.ts';
import type { Recording } from '../run-scenario.ts';
import { SCENARIOS } from '../scenarios.ts';
import { healthOf, latencyOf } from './figures.ts';
import { exchangesOf, type Origin } from './exchanges.ts';
import { isAdmitted, keyedRows, type KeyedRow } from './keyed.ts';
import { paceOf } from './pace.ts';
import { courseOf } from './course.ts';
import { keepWindows, windowsOf } from './windows.ts';

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
  const { rows, summary, interrupted } = recording;
  const { title, decides } = SCENARIOS[plan.scenario];
  if (!interrupted) conserve(plan, rows, summary);
  const keyed = keyedRows(rows);
  const notes = [...input.notes];
  const { judgement, views } = judgeRows(keyed, input, notes);
  const disguised = new Set(views.filter(isDisguisedRefusal).map(({ exchange }) => exchange.id));
  notes.push(...paceOf(plan, rows));
  const health = healthOf(plan, summary, rows);
  const counts = requestsOf(summary, rows, disguised.size);
  // Reasons why there is no verdict.
  const doubts = [...judgement.broken.values()];
  if (interrupted) {
    doubts.push('the run was interrupted');
    for (const id of NEED_ALL) judgement.requirements.delete(id);
  } else addDoubts(plan, counts, health, doubts, notes);
  const ids = new Set<RequirementId>([...decides, ...judgement.requirements.keys()]);
  const sent = new Map(views.map((view) => [view.exchange.id, view]));
  const requirements = [...ids].map((id) => resultOf(id, judgement, sent));
  for (const { id, title: what, judged } of interrupted ? [] : requirements) {
    if (judged === 0) doubts.push(`${id} (${what}) could not be judged`);
  }
  const outcome = outcomeOf(requirements, doubts);
  const inWindows = keyed.map((row, index) =>
    disguised.has(`x${index + 1}`) ? { ...row, status: 429 } : row,
  );
  const windows = windowsOf(inWindows, plan, requirements, input.fingerprint);
  const course = courseOf(plan, rows);
  return {
    scenario: plan.scenario,
    title,
    outcome,
    reason: reasonOf(outcome, requirements, doubts),
    command: input.command,
    k6: input.k6,
    startedAt: new Date(recording.startedAt).toISOString(),
    endedAt: new Date(recording.endedAt).toISOString(),
    limits: { requests: plan.limit, windowMs: plan.windowMs },
    requests: counts,
    requirements,
    readings: byQuestion(judgement.readings).map(({ question, answers }) => ({
      question,
      answer: [...answers.keys()].join(' / '),
    })),
    windows: keepWindows(windows),
    windowsInAll: windows.length,
    ...(course === undefined ? {} : { course }),
    latency: latencyOf(keyed, summary),
    health,
    notes,
  };
}

/** Judges the recorded answers by the rules of the suites, and counts by the few rules that only load has. */
function judgeRows(
  rows: readonly KeyedRow[],
  input: JudgeInput,
  notes: string[],
): { readonly judgement: Judgement; readonly views: readonly View[] } {
  const { plan, recording, facts } = input;
  const judgement = new Judgement();
  const samples = exchangesOf(rows, input).filter(({ response }) => response?.limitsOnly !== true);
  if (samples.length > 0) judgeSamples(samples, facts, judgement, notes);
  const exchanges = exchangesOf(rows, { ...input, skewMs: skewOf(rows, input) });
  const context: Context = {
    ...contextOf(facts, exchanges),
    limits: { ...facts.limits, requests: plan.limit, windowMs: plan.windowMs },
    quotaLeft: plan.shape.quotaLeft,
    load: {
      clockWithinMs: input.toleranceMs,
      recorded: !plan.recordAdmitted
        ? 'some'
        : plan.recordEvery > 1 || recording.interrupted
          ? 'all but some refusals'
          : 'all',
      oneByOne: plan.shape.vus === 1,
    },
  };
  judgeLimits(exchanges, context, judgement);
  const views = exchanges.flatMap((exchange) => limitsViewOf(exchange, context) ?? []);
  judgeCounts(views, input, judgement);
  judgeKeyless(input, context, judgement);
  return { judgement, views };
}

/** Requests that open connections have no key, and must not be answered (§5). */
function judgeKeyless(input: JudgeInput, context: Context, it: Judgement): void {
  const open = input.recording.rows.flatMap((row) =>
    row.key === null && isAdmitted(row) ? [{ ...row, key: 0 }] : [],
  );
  for (const exchange of exchangesOf(open, input)) {
    const view = limitsViewOf({ ...exchange, role: 'none', key: null }, context);
    if (view === undefined) continue;
    const answer = `status ${view.status}`;
    it.own('5/key-required').found(view, {
      kind: 'let-in',
      facts: { because: 'without a key ', answer },
      expected: 'status 401',
      actual: answer,
      header: STATUS,
    });
  }
}

/** Rules that need no model, a line each. Most answers of an open scenario are only counted. */
function judgeCounts(
  views: readonly View[],
  { plan, recording: { summary }, fingerprint }: JudgeInput,
  it: Judgement,
): void {
  const { requests, key } = SCENARIOS[plan.scenario];
  const [first] = views;
  if (first === undefined) return;
  const refused = views.filter(({ status }) => status === 429);
  const count = summary.byStatus['429'] ?? 0;
  // Keys below their limit are never refused (§8).
  if (requests === 'all') {
    it.own('8/limit-not-early').expect(refused[0] ?? first, count === 0, () => ({
      kind: 'refused-below-limit',
      expected: 'no status 429',
      actual: `${count} of ${summary.sent}`,
    }));
  }
  const errors = Object.entries(summary.byStatus).filter(([status]) => Number(status) >= 500);
  const counted = errors.reduce((sum, [, times]) => sum + times, 0);
  const told = foundIn(it, '4/no-5xx');
  const failed = views.find(({ status, exchange }) => status >= 500 && !told.has(exchange.id));
  for (const view of views) it.own('4/no-5xx').judged(view);
  it.own('4/no-5xx').expect(failed ?? first, counted <= told.size, () => ({
    kind: 'server-errors-under-load',
    expected: 'no status of 500 or above',
    actual: errors.map(([status, times]) => `status ${status}, ${times} times`).join(', '),
  }));
  // A plain list request with a valid key is admitted or refused with 429; no other refusal is stated (§8).
  if (requests === 'plain' && key === 'valid') {
    const known = foundIn(it, '8/limit-enforced');
    for (const view of views) {
      if (view.ok || view.status === 429 || view.status >= 500) continue;
      if (known.has(view.exchange.id)) continue;
      it.own('8/limit-enforced').found(view, {
        kind: 'good-key-refused',
        expected: 'status 200 or 429',
        actual: `status ${view.status}`,
      });
    }
  }
  // Where one was admitted beyond the limit, those that were refused beyond it were judged as well.
  if ((it.requirements.get('8/limit-enforced')?.total ?? 0) > 0)
    for (const view of refused) it.own('8/limit-enforced').judged(view);
  if (plan.scenario !== 'rl-isolation') return;
  // A key within its limit is not refused during a flood on another key (§8).
  const steadyKey = fingerprint(STEADY_KEY);
  const steady = views.filter(({ exchange }) => exchange.key === steadyKey);
  const flood = views.find(({ exchange }) => exchange.key !== steadyKey);
  const began = flood?.exchange.sentAt ?? Number.POSITIVE_INFINITY;
  // A load generator that falls behind sends several at once.
  const isRecent = ({ exchange: one }: View, { sentAt, receivedAt }: Exchange): boolean =>
    one.receivedAt > sentAt - plan.windowMs && one.sentAt <= receivedAt;
  const during = steady
    .filter(({ exchange }) => exchange.sentAt >= began)
    .filter(({ exchange }) => steady.filter((one) => isRecent(one, exchange)).length <= plan.limit);
  for (const view of during) it.own('8/per-key').judged(view);
  const wrong = during.filter(({ status }) => status === 429);
  const [shown] = wrong;
  if (shown === undefined) return;
  // Where other keys count, too, no refusal shows that a key had used up its limit.
  if (it.requirements.get('8/limit-not-early')?.total === 0)
    it.requirements.delete('8/limit-not-early');
  it.own('8/per-key').found(shown, {
    kind: 'steady-key-refused',
    expected: `none of its ${during.length} requests during the flood refused`,
    actual: `${wrong.length} of ${during.length} refused`,
  });
}

/** The responses in which a rule of the suites has already found a violation. */
function foundIn({ requirements }: Judgement, id: RequirementId): ReadonlySet<string> {
  const { findings = [], dropped = [] } = requirements.get(id) ?? {};
  return new Set([...dropped, ...findings.map(({ exchange }) => exchange)]);
}

/** Index of the key within its limit, in the script of `rl-isolation`. */
const STEADY_KEY = 1;

/** Complete answers, by the rules on content: those on limits need every answer of a window instead of a sample. */
function judgeSamples(
  samples: readonly Exchange[],
  facts: Facts,
  into: Judgement,
  notes: string[],
): void {
  const all = new Set(samples.map(({ id }) => id));
  const { requirements, broken } = judgeInParts(samples, [], facts, all);
  for (const [id, error] of broken) into.broken.set(id, error);
  let quiet = 0;
  for (const [id, judged] of requirements) {
    const { section, level } = requirementOf(id);
    if (section === '8' || level === 'observe') continue;
    if (judged.findings.length === 0) quiet += 1;
    if (judged.findings.length > 0 || section === '4') into.requirements.set(id, judged);
  }
  notes.push(
    `${samples.length} complete responses were judged by the suites' rules: ${quiet} requirements have no findings.`,
  );
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

/** Checks that sent = answered + failed, and that individual recordings match the counts of k6. */
function conserve(plan: LoadPlan, rows: readonly Row[], summary: RunSummary): void {
  const counted = Object.values(summary.byStatus).reduce((sum, count) => sum + count, 0);
  if (counted > summary.sent) {
    throw lost(`k6 counted ${counted} responses for ${summary.sent} requests.`);
  }
  if (!plan.recordAdmitted) return;
  for (const status of plan.recordEvery <= 1 ? [200, 0, 429] : [200, 0]) {
    const recorded = rows.filter((row) => row.status === status).length;
    const of = summary.byStatus[String(status)] ?? 0;
    if (recorded !== of) {
      throw lost(
        `k6 counted ${of} responses with status ${status}, but ${recorded} were recorded.`,
      );
    }
  }
}

const NOT_JUDGED = 'The recording was not judged. Run the scenario again.';
const lost = (message: string): LoadError => runFailed(message, NOT_JUDGED);

function requestsOf(
  { sent, byStatus }: RunSummary,
  rows: readonly Row[],
  wrongStatus: number,
): LoadResult['requests'] {
  // A request without a key uses up no limit, even if it is let in.
  let admitted = -rows.filter((row) => row.key === null && isAdmitted(row)).length;
  for (const [status, count] of Object.entries(byStatus)) {
    if (/^2\d\d$/.test(status)) admitted += count;
  }
  const refused = (byStatus['429'] ?? 0) + wrongStatus;
  const failed = byStatus['0'] ?? 0;
  const other = sent - admitted - refused - failed;
  return { sent, admitted, refused, ...(wrongStatus > 0 && { wrongStatus }), failed, other };
}

function addDoubts(
  plan: LoadPlan,
  { failed, sent }: LoadResult['requests'],
  { dropped, spreadMs }: LoadHealth,
  doubts: string[],
  notes: string[],
): void {
  if (failed > 0) {
    doubts.push(`${failed} requests got no response and may or may not have been counted`);
  }
  // A rising load may exceed the capacity of this machine, and a flood may miss some requests.
  const share =
    plan.scenario === 'capacity' ? 1 : SCENARIOS[plan.scenario].heavy === true ? 0.3 : 0.01;
  if (dropped > 0) {
    const text = `${dropped} request${dropped === 1 ? ' was' : 's were'} not sent in time: every virtual user was waiting for a response, or this machine cannot keep up with the rate`;
    if (dropped > share * (sent + dropped)) doubts.push(text);
    else notes.push(`${text}.`);
  }
  if (spreadMs !== null && spreadMs > Math.min(WIDEST_SPREAD_MS, plan.windowMs / 2)) {
    doubts.push(`requests in a burst were sent ${spreadMs} ms apart, too far apart for a burst`);
  }
}

/** What the scenario judged of a requirement; untested if nothing. */
function resultOf(
  id: RequirementId,
  { requirements }: Judgement,
  sent: ReadonlyMap<string, View>,
): LoadRequirement {
  const { level, title } = requirementOf(id);
  const entry = requirements.get(id);
  if (entry === undefined) {
    return { id, level, title, outcome: 'untested', judged: 0, total: 0, findings: [] };
  }
  const { exchanges, findings, total } = entry;
  const found = level === 'must' ? 'failed' : 'warned';
  const outcome = level === 'observe' ? 'observed' : total === 0 ? 'passed' : found;
  return {
    id,
    level,
    title,
    outcome,
    judged: exchanges.size,
    total,
    findings: findings.slice(0, MAX_FINDINGS).map((finding) => {
      const { expected, actual, pointer } = finding;
      const message = withoutIds(finding, sent);
      return {
        message: (pointer ?? '') === '' ? message : `${message} (${pointer})`,
        expected,
        actual,
      };
    }),
  };
}

/** The message of a finding, with the time of another request instead of its id: the exchanges of a load are not kept. */
function withoutIds(
  { kind, facts = {}, exchange, message }: Finding,
  sent: ReadonlyMap<string, View>,
): string {
  const view = sent.get(exchange);
  if (view === undefined) return message;
  const named = Object.entries<string | number>(facts).map(([name, fact]) => {
    const other = sent.get(String(fact));
    return [name, other === undefined ? fact : sentWords(other)] as const;
  });
  return messageOf(kind as FindingKind, requestName(view), Object.fromEntries(named));
}

const sentWords = (view: View): string =>
  `${requestName(view)} sent at ${new Date(view.exchange.sentAt).toISOString()}`;

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
  const first = hit.find((one) => one.outcome === 'failed') ?? hit[0];
  const ids = hit.flatMap((one) => (one.outcome === outcome ? one.id : [])).join(', ');
  const finding = first?.findings[0];
  const example = finding === undefined ? '' : ` ${finding.message}: ${finding.actual}.`;
  return `${outcome === 'failed' ? 'Violated' : 'Warned'}: ${ids}.${example}`;
}
