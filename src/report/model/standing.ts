import type { Level } from '../../spec/levels.ts';
import { plural } from '../../text/text.ts';
import { reachedVerdict } from './gate.ts';
import type {
  CheckResult,
  Outcome,
  RequirementResult,
  Results,
  ResultFinding,
  WaiverResult,
} from './results.ts';

/** What a run was, as far as it decides what its reports open on. */
export type RunKind =
  /** The suite was run, and something of it was judged. */
  | 'suite'
  /** Only load scenarios were run. */
  | 'load'
  /** It was stopped before its end. */
  | 'interrupted'
  /** Nothing could be judged: another service, no answer, no good key. */
  | 'unjudged';

/** What a run was. */
export function kindOf({ profile, verdict, requirements }: Results): RunKind {
  if (profile === 'load') return 'load';
  if (verdict === 'interrupted') return 'interrupted';
  const judged = requirements.some((one) => one.level !== 'observe' && isJudged(one));
  return reachedVerdict(verdict) || judged ? 'suite' : 'unjudged';
}

/** How a requirement stands to the baseline: only what is violated in one of the two has a word. */
export type Against = 'new' | 'known' | 'fixed' | 'stale';

/** How a format that knows only a few states reports something. */
export type GateState = 'passed' | 'failed' | 'error' | 'skipped';

/** How a requirement stands: its outcome, waiver, baseline and the kind of its run, put together once for every format. */
export interface Standing {
  /** What judging said, whatever was set aside afterwards. */
  readonly found: Exclude<Outcome, 'waived'>;
  /** True for a violation, or a warning, that somebody answers for. */
  readonly isWaived: boolean;
  readonly baseline: Against | null;
  readonly state: GateState;
  /** All of that in one sentence. */
  readonly words: string;
}

const STATES: Readonly<Record<Outcome, GateState>> = {
  passed: 'passed',
  failed: 'failed',
  warned: 'passed',
  observed: 'passed',
  inconclusive: 'error',
  untested: 'skipped',
  waived: 'skipped',
  error: 'error',
};

/** What judging said of a requirement, whatever a waiver set aside. Earlier versions did not keep what that was. */
export function foundOf({
  outcome,
  waived,
  level,
}: Pick<RequirementResult, 'outcome' | 'waived'> & { readonly level?: Level }): Standing['found'] {
  if (outcome !== 'waived') return outcome;
  const was = waived?.outcome ?? 'waived';
  if (was !== 'waived') return was;
  return level === 'should' ? 'warned' : 'failed';
}

/** True when something speaks against the requirement, waived or not. */
export const isViolated = (one: Parameters<typeof foundOf>[0]): boolean => {
  const found = foundOf(one);
  return found === 'failed' || found === 'warned';
};

/** True when something was seen, for or against. */
export const isJudged = (one: Parameters<typeof foundOf>[0]): boolean =>
  isViolated(one) || one.outcome === 'passed' || one.outcome === 'observed';

/** True for a violation, or a warning, that a waiver sets aside. */
export const isWaivedViolation = (one: Parameters<typeof foundOf>[0]): boolean =>
  one.outcome === 'waived' && isViolated(one);

/** The waiver that sets a requirement aside; undefined without one, and for results that do not name their waivers. */
export function waiverOf(
  { id, outcome }: Pick<RequirementResult, 'id' | 'outcome'>,
  { waivers = [] }: Pick<Results, 'waivers'>,
): WaiverResult | undefined {
  if (outcome !== 'waived') return undefined;
  return waivers.find((one) => one.id === id && one.state === 'applied');
}

/** Until when a requirement is waived, and the owner of the waiver. */
export function waivedWords(requirement: RequirementResult, results: Results): string {
  const waiver = waiverOf(requirement, results);
  if (waiver === undefined) return `waived: ${requirement.reason ?? 'for no known reason'}`;
  return `waived until ${waiver.expires} by ${waiver.owner}`;
}

/** The exchanges that show how a requirement came out: those that speak against it lead. */
export function shownBy({
  findings,
  exchanges,
}: Pick<RequirementResult, 'findings' | 'exchanges'>): readonly string[] {
  const against = findings.flatMap(({ exchange }) => exchange ?? []);
  return [...new Set([...against, ...exchanges])];
}

/**
 * The checks of a requirement as they have to be read. One in whose answers something was found has not passed, and what
 * the requests of other requirements showed stands in front, so that no violated requirement has good checks only.
 */
export function checksOf(requirement: RequirementResult): readonly CheckResult[] {
  const { checks, findings, outcome } = requirement;
  if (!isViolated(requirement)) return checks;
  const against = new Map(findings.flatMap((one) => (one.exchange ? [[one.exchange, one]] : [])));
  const asked = new Set(checks.flatMap(({ exchanges }) => exchanges));
  const own = checks.map((check): CheckResult => {
    const id = check.exchanges.find((one) => against.has(one));
    if (id === undefined || isRed(check)) return check;
    return { ...check, outcome, reason: against.get(id)?.message ?? null };
  });
  const elsewhere = [...against.keys()].filter((id) => !asked.has(id));
  if (elsewhere.length === 0 && own.some(isRed)) return own;
  const title = 'in answers that other checks asked for';
  const reason = against.get(elsewhere[0] ?? '')?.message ?? violationOf(requirement);
  return [{ title, outcome, reason, exchanges: elsewhere, ms: 0 }, ...own];
}

const isRed = ({ outcome }: Pick<CheckResult, 'outcome'>): boolean =>
  outcome === 'failed' || outcome === 'warned' || outcome === 'waived';

/** What speaks against a requirement, in the words of its first finding. */
export function violationOf({ findings, reason, waived, title }: RequirementResult): string {
  const [first] = findings as readonly (ResultFinding | undefined)[];
  return first?.message ?? waived?.reason ?? reason ?? title;
}

function againstBaseline(id: string, { gate }: Results): Against | null {
  if (gate === undefined) return null;
  if (gate.regressions.includes(id)) return 'new';
  if (gate.known.includes(id)) return 'known';
  if (gate.unexpectedPasses.includes(id)) return 'fixed';
  return gate.stale.includes(id) ? 'stale' : null;
}

function stateOf(
  { id, outcome }: RequirementResult,
  baseline: Against | null,
  { failing = [], ...results }: Results,
): GateState {
  if (baseline === 'known') return 'skipped';
  // Nothing was judged, or not to the end: the run says it once, and not 300 cases beside it.
  const kind = kindOf(results);
  if (STATES[outcome] === 'error' && (kind === 'unjudged' || kind === 'interrupted'))
    return outcome === 'error' ? 'error' : 'skipped';
  // A waiver that no longer holds and a baseline that is out of date have cases of their own.
  const fails = failing.some(
    (one) =>
      one.id === id && one.why !== 'waiver' && (one.why !== 'baseline' || baseline === 'new'),
  );
  return fails && STATES[outcome] !== 'error' ? 'failed' : STATES[outcome];
}

/** On how many answers a requirement was judged: a pass on one is not a pass on thirty. */
export const depthWords = ({ exchanges }: Pick<RequirementResult, 'exchanges'>): string =>
  exchanges.length === 0 ? '' : ` on ${plural(exchanges.length, 'answer')}`;

function wordsOf(requirement: RequirementResult, found: Standing['found']): string {
  const { waived, reason } = requirement;
  const why = (waived?.reason ?? reason ?? 'for no known reason') || 'for no known reason';
  switch (found) {
    case 'passed':
      return `passed${depthWords(requirement)}`;
    case 'observed':
      return `observed${depthWords(requirement)}: ${why}`;
    case 'failed':
      return `violated: ${violationOf(requirement)}`;
    case 'warned':
      return `warned: ${violationOf(requirement)}`;
    case 'inconclusive':
      return `could not be judged: ${why}`;
    case 'untested':
      return `not tested: ${why}`;
    default:
      return `Assay itself failed: ${why}`;
  }
}

const AGAINST: Readonly<Record<Against, string>> = {
  new: 'not in the baseline; ',
  known: 'as in the baseline; ',
  fixed: 'fixed since the baseline; ',
  stale: 'violated in the baseline and not judged again; ',
};

/** How a requirement stands. */
export function standingOf(requirement: RequirementResult, results: Results): Standing {
  const found = foundOf(requirement);
  const baseline = againstBaseline(requirement.id, results);
  const waived = requirement.outcome === 'waived' ? `${waivedWords(requirement, results)}; ` : '';
  return {
    found,
    isWaived: isWaivedViolation(requirement),
    baseline,
    state: stateOf(requirement, baseline, results),
    words: `${waived}${baseline === null ? '' : AGAINST[baseline]}${wordsOf(requirement, found)}`,
  };
}

/** How many musts there are, and what became of them. */
export interface Tally {
  readonly musts: number;
  readonly verified: number;
  /** Violated, and nobody answers for it. */
  readonly open: number;
  /** Violated, and somebody answers for it. */
  readonly waived: number;
  /** Neither verified nor violated. */
  readonly unjudged: number;
}

/** How many musts of a run are verified, violated, waived and left open. */
export function tallyOf(requirements: readonly RequirementResult[]): Tally {
  const musts = requirements.filter(({ level }) => level === 'must');
  const verified = musts.filter(({ outcome }) => outcome === 'passed').length;
  const open = musts.filter(({ outcome }) => outcome === 'failed').length;
  const waived = musts.filter(isWaivedViolation).length;
  return {
    musts: musts.length,
    verified,
    open,
    waived,
    unjudged: musts.length - verified - open - waived,
  };
}
