import { notSelected, type UntestedCause } from '../../spec/cause.ts';
import { numberOf } from '../../spec/exchange.ts';
import { selects } from '../../ask/patterns.ts';
import { SPEC_SHA256 } from '../../requirements/clauses.ts';
import { REQUIREMENTS, type Requirement } from '../../requirements/catalogue.ts';
import type { FailOn } from '../../report/model/gate.ts';
import type { RequirementResult, Results } from '../../report/model/results.ts';
import { inOrder, readingsOf, uniqueFindings } from '../assemble.ts';
import { NO_CONTROL, whyUntested, type Shown } from './check-reasons.ts';
import { readKilledBy } from '../proof.ts';
import type { Found, TrafficLedger } from './traffic-ledger.ts';
import { decide, summarize } from '../verdict.ts';
import { toolVersion } from '../version.ts';
import { applyWaivers, type Waiver } from '../waivers.ts';

/** Selection and gates for recorded traffic. */
export interface TrafficSettings {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly failOn: readonly FailOn[];
  readonly waivers?: readonly Waiver[];
  /** Request headers to show in addition to harmless ones. */
  readonly showHeaders?: readonly string[];
}

/** Facts for the results that are not in the ledger. */
export interface TrafficFacts {
  readonly target: Results['target'];
  readonly profile: string;
  readonly requests: Results['requests'];
  readonly notes: readonly string[];
  /** Facts of the recorded run; undefined for other traffic. */
  readonly facts?: Results['facts'];
  /** True when all of it is the traffic of a run of Assay. */
  readonly complete: boolean;
  /** Why a requirement that no exchange shows is untested. */
  readonly unseen: UntestedCause;
  /** What the exchanges are called in titles of checks. */
  readonly called: string;
}

/** Cached, because a watch renders its results again and again. */
let killedBy: { readonly of: ReturnType<typeof readKilledBy> } | undefined;
const proven = (): ReturnType<typeof readKilledBy> => (killedBy ??= { of: readKilledBy() }).of;

/** Results for the traffic recorded so far. */
export function trafficResults(
  ledger: TrafficLedger,
  settings: TrafficSettings,
  facts: TrafficFacts,
): Results {
  const shown: Shown = {
    endpoints: ledger.endpoints,
    complete: facts.complete,
    unseen: facts.unseen,
    called: facts.called,
  };
  const exchanges = inOrder([...ledger.kept.values()]);
  const outcomes = REQUIREMENTS.map((requirement) =>
    isSelected(requirement.id, settings)
      ? resultOf(requirement, ledger, shown)
      : blank(requirement, settings),
  );
  const today = new Date().toISOString().slice(0, 10);
  const { requirements, waivers } = applyWaivers(
    outcomes,
    exchanges,
    settings.waivers ?? [],
    today,
  );
  const decision = decide(requirements, {
    interrupted: false,
    fatal: null,
    failOn: settings.failOn,
    waivers,
  });
  const proof = proven();
  const now = Date.now();
  const first = Number.isFinite(ledger.first) ? ledger.first : now;
  return {
    schemaVersion: 2,
    tool: { name: 'assay', version: toolVersion() },
    spec: { sha256: SPEC_SHA256 },
    target: facts.target,
    profile: facts.profile,
    seed: 0,
    startedAt: new Date(first).toISOString(),
    endedAt: new Date(Math.max(first, ledger.last)).toISOString(),
    verdict: decision.verdict,
    sentence: decision.sentence,
    exitCode: decision.exitCode,
    failing: decision.failing,
    requests: facts.requests,
    summary: summarize(requirements),
    requirements,
    readings: readingsOf(ledger.readings, false),
    notes: facts.notes,
    ...(facts.facts === undefined ? {} : { facts: facts.facts }),
    exchanges,
    load: [],
    ...(settings.waivers === undefined ? {} : { waivers }),
    ...(proof === undefined ? {} : { proof }),
  };
}

function isSelected(id: string, { only, skip }: TrafficSettings): boolean {
  if (only.length > 0 && !only.some((pattern) => selects(pattern, id))) return false;
  return !skip.some((pattern) => selects(pattern, id));
}

function bare({
  id,
  level,
  basis,
  section,
  title,
}: Requirement): Omit<RequirementResult, 'outcome' | 'reason'> {
  return {
    id,
    level,
    basis,
    section,
    title,
    cause: null,
    reading: null,
    findings: [],
    checks: [],
    exchanges: [],
  };
}

function blank(requirement: Requirement, { only, skip }: TrafficSettings): RequirementResult {
  const skipped = skip.some((pattern) => selects(pattern, requirement.id));
  const by = skipped || only.length === 0 ? 'skip' : 'only';
  const cause = notSelected(by);
  return { ...bare(requirement), outcome: 'untested', reason: `left out by --${by}`, cause };
}

function resultOf(
  requirement: Requirement,
  ledger: TrafficLedger,
  shown: Shown,
): RequirementResult {
  const found = ledger.requirements.get(requirement.id);
  if (found === undefined) {
    return { ...bare(requirement), ...notShown(whyUntested(requirement, shown), shown) };
  }
  const { outcome, reason, cause } = outcomeOf(requirement, found, ledger, shown);
  const exchanges = [...found.exchanges]
    .filter((id) => ledger.kept.has(id))
    .toSorted((a, b) => numberOf(a) - numberOf(b));
  const findings = uniqueFindings(found.findings);
  const title = `${shown.called}: ${found.count} ${found.count === 1 ? 'exchange' : 'exchanges'}`;
  return {
    ...bare(requirement),
    outcome,
    reason,
    cause,
    reading: outcome === 'observed' ? reason : null,
    findings,
    checks: [{ title, outcome, reason, exchanges, ms: 0 }],
    exchanges,
  };
}

type Ended = Pick<RequirementResult, 'outcome' | 'reason' | 'cause'>;

const notShown = (reason: string, { unseen }: Shown): Ended => ({
  outcome: 'untested',
  reason,
  cause: unseen,
});

function outcomeOf(
  requirement: Requirement,
  found: Found,
  ledger: TrafficLedger,
  shown: Shown,
): Ended {
  const { level } = requirement;
  const [finding] = found.findings;
  if (level === 'observe') {
    const seen = new Set(found.readings.map(({ question, answer }) => `${question}: ${answer}`));
    return seen.size === 0
      ? notShown(whyUntested(requirement, shown), shown)
      : { outcome: 'observed', reason: [...seen].join('; '), cause: null };
  }
  if (finding !== undefined) {
    return {
      outcome: level === 'must' ? 'failed' : 'warned',
      reason: finding.message,
      cause: null,
    };
  }
  if (!ledger.alive) {
    return {
      outcome: 'inconclusive',
      reason: 'no response came from the service under test, so nothing can pass',
      cause: null,
    };
  }
  if (!found.controlled) return notShown(NO_CONTROL, shown);
  return { outcome: 'passed', reason: null, cause: null };
}
