import { limitEnforced } from '../../../suites/8-limits/admission.ts';
import { remainingDecrements } from '../../../suites/8-limits/remaining.ts';
import type { Judge } from '../../judge/judge.ts';
import { NO_DATA, notSelected, NOT_SEEN_YET } from '../../spec/cause.ts';
import { envelopeNote } from '../../spec/envelope.ts';
import { endpoint } from '../../spec/endpoints.ts';
import type { Need } from '../../ask/need.ts';
import { numberOf } from '../../spec/exchange.ts';
import { leftOutBy } from '../../ask/patterns.ts';
import { REQUIREMENTS, requirementOf, type Requirement } from '../../requirements/catalogue.ts';
import type { FailOn } from '../../report/model/gate.ts';
import { hindrancesOf, violatedIn } from '../../requirements/hindrances.ts';
import type { NamedFile, RequirementResult, Results } from '../../report/model/results.ts';
import { inOrder, readingsOf, uniqueFindings, untested } from '../assemble.ts';
import type { RequirementId } from '../../spec/requirement-id.ts';
import { readKilledBy, resultsHead } from '../version.ts';
import { rolesIn, type KeyBook } from './key-book.ts';
import type { Found, TrafficLedger } from './traffic-ledger.ts';
import { decide, summarize } from '../verdict.ts';
import { selectionNotes } from '../settings.ts';
import { applyWaivers, type Waiver } from '../waivers.ts';
import { plural } from '../../text/text.ts';

/** Selection and gates for recorded traffic. */
export interface TrafficSettings {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly failOn: readonly FailOn[];
  readonly waivers?: readonly Waiver[] | undefined;
  /** Request headers to show in addition to harmless ones. */
  readonly showHeaders?: readonly string[];
}

/** Facts for the results that are not in the ledger. */
interface TrafficFacts {
  readonly target: Pick<Results['target'], 'baseUrl' | 'envelope'> & NamedFile;
  readonly profile: keyof typeof UNSEEN;
  readonly book: KeyBook;
  /** How the traffic was obtained. */
  readonly notes: readonly string[];
  /** Facts of the recorded run; of other traffic, only what the target file tells of keys. */
  readonly facts: Results['facts'];
}

/** Cause for requirements that no exchange covers. */
const UNSEEN = { recorded: notSelected('recording'), watched: NOT_SEEN_YET } as const;

/** Results for the traffic recorded so far. */
export function trafficResults(
  ledger: TrafficLedger,
  settings: TrafficSettings,
  facts: TrafficFacts,
): Results {
  const { envelope } = facts.target;
  const unseen = UNSEEN[facts.profile];
  const exchanges = inOrder([...ledger.kept.values()]);
  const outcomes = REQUIREMENTS.map((requirement) => {
    const by = leftOutBy(requirement.id, settings);
    return by === undefined
      ? resultOf(requirement, { ledger, profile: facts.profile })
      : untested(requirement, `left out by --${by}`, notSelected(by));
  });
  const followed = outcomes.map((one) => {
    const { needs = [], checks = [] } = requirementOf(one.id as RequirementId);
    // A recorded response that is wrong may hide a value, but not a request that nobody sent.
    const isSent = !checks.some(({ refused }) => refused) && !needs.some((need) => need in KEYS);
    return one.cause === unseen && isSent
      ? { ...one, ...violatedIn(hindrancesOf({ id: one.id, cause: NO_DATA }, outcomes), outcomes) }
      : one;
  });
  const { requirements, waivers } = applyWaivers(followed, exchanges, settings.waivers ?? []);
  const { failOn } = settings;
  const end = { interrupted: false, fatal: null, failOn, waivers };
  const { tellsEnd: _tellsEnd, ...decision } = decide(requirements, end);
  const proof = readKilledBy();
  const now = Date.now();
  const { keys, byRole } = rolesIn(facts.book, ledger.byRole);
  const first = Number.isFinite(ledger.first) ? ledger.first : now;
  return {
    ...resultsHead(),
    target: { ...facts.target, keys, reference: false },
    profile: facts.profile,
    seed: 0,
    startedAt: new Date(first).toISOString(),
    endedAt: new Date(Math.max(first, ledger.last)).toISOString(),
    ...decision,
    requests: { total: ledger.judged, byRole, waitedMs: 0 },
    summary: summarize(requirements),
    requirements,
    readings: readingsOf(ledger.readings, false),
    notes: [
      ...facts.notes,
      ...(ledger.trimmed
        ? ['Redundant exchanges were omitted to limit the size of the reports.']
        : []),
      ...(envelope === null ? [] : [envelopeNote(envelope)]),
      ...selectionNotes('Judged', settings),
    ],
    ...(facts.facts && { facts: facts.facts }),
    exchanges,
    load: [],
    ...(settings.waivers === undefined ? {} : { waivers }),
    ...(proof === undefined ? {} : { proof }),
  };
}

/** What was seen, and how. */
type Traffic = Pick<TrafficFacts, 'profile'> & { readonly ledger: TrafficLedger };

function resultOf(requirement: Requirement, traffic: Traffic): RequirementResult {
  const { ledger, profile } = traffic;
  const unseen = UNSEEN[profile];
  const found = ledger.requirements.get(requirement.id);
  if (found === undefined) {
    return untested(requirement, whyUntested(requirement, traffic), unseen);
  }
  const { outcome, reason, cause } = outcomeOf(requirement, found, traffic);
  const exchanges = [...found.exchanges]
    .filter((id) => ledger.kept.has(id))
    .toSorted((a, b) => numberOf(a) - numberOf(b));
  const findings = uniqueFindings(found.findings);
  const title = `${profile} traffic: ${plural(found.count, 'exchange')}`;
  return {
    ...untested(requirement, null, unseen),
    outcome,
    reason,
    cause,
    reading: outcome === 'observed' ? reason : null,
    findings,
    ...(found.violations > found.findings.length && {
      total: found.violations,
      unrecorded: [...found.dropped],
    }),
    checks: [{ title, outcome, reason, exchanges, ms: 0 }],
    exchanges,
  };
}

type Ended = Pick<RequirementResult, 'outcome' | 'reason' | 'cause'>;

const ended = (
  outcome: Ended['outcome'],
  reason: string | null,
  cause: Ended['cause'] = null,
): Ended => ({ outcome, reason, cause });

function outcomeOf(requirement: Requirement, found: Found, traffic: Traffic): Ended {
  const unseen = UNSEEN[traffic.profile];
  const { level } = requirement;
  const [finding] = found.findings;
  if (level === 'observe') {
    const seen = new Set(found.readings.map(({ question, answer }) => `${question}: ${answer}`));
    return seen.size === 0
      ? ended('untested', whyUntested(requirement, traffic), unseen)
      : ended('observed', [...seen].join('; '));
  }
  if (finding !== undefined) return ended(level === 'must' ? 'failed' : 'warned', finding.message);
  if (!traffic.ledger.alive) {
    const reason = 'no response contains data of the service, so nothing can pass';
    return ended('inconclusive', reason);
  }
  const counts = [requirement.judge].flat().some((one) => one && COUNTS.has(one));
  if (counts && traffic.ledger.isInDoubt) return ended('untested', IN_DOUBT, unseen);
  return found.controlled ? ended('passed', null) : ended('untested', NO_CONTROL, unseen);
}

const KEYS: Readonly<Partial<Record<Need, string>>> = {
  'disabled-key': 'a request with a disabled key, set as keys.disabled in a target file',
  'expired-key': 'a request with an expired key, set as keys.expired in a target file',
  'restricted-key':
    'requests with a key without access to at least one endpoint, set as keys.restricted in a target file',
  'near-quota-key': 'all requests made with a key until its monthly quota is used up',
};

/** Why recorded traffic does not cover a requirement, and which request would. */
function whyUntested(requirement: Requirement, { ledger: seen, profile }: Traffic): string {
  const { judge = [], endpoints = [], needs = [], shownBy } = requirement;
  const isWatched = profile === 'watched';
  if ([judge].flat().length === 0) {
    return `${profile} traffic cannot show whether it holds; only a run can, with special requests`;
  }
  const key = needs.flatMap((need) => KEYS[need] ?? [])[0];
  const needed = key ?? shownBy;
  const missing = endpoints.length > 0 && !endpoints.some((one) => seen.endpoints.has(one));
  if (missing) {
    const [first] = endpoints;
    const left = endpoints.find((one) => seen.leftOut.has(one));
    if (left !== undefined)
      return `GET ${left} was recorded but not judged: ${seen.leftOut.get(left) ?? ''}`;
    const others = endpoints.length > 1 ? ' or a similar endpoint' : '';
    const request = `GET ${first ?? ''}${others}`;
    if (isWatched) return `no response to ${request} has been judged yet`;
    const purpose = first === undefined ? '' : endpoint(first).purpose;
    return `not recorded: ${purpose}; needs ${request}`;
  }
  const what = isWatched
    ? 'no judged response shows yet whether it holds'
    : 'no recorded response shows whether it holds';
  return needed === undefined ? what : `${what}: needs ${needed}`;
}

/** Judges that count the admitted requests of a window. */
const COUNTS: ReadonlySet<Judge> = new Set([limitEnforced, remainingDecrements]);

const IN_DOUBT =
  'responses that equal one just before were ignored, and any of them may be a further request that the limiter admitted';

/** Reason when a refusal may have had another cause than the fault in the request. */
const NO_CONTROL =
  'was refused as required, but without a control: a correct request to the same endpoint that succeeds is needed to rule out other causes';
