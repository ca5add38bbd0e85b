import { isObject } from '../../text/json-value.ts';
import { planOf } from '../model/fixed.ts';
import { outcomeChange, stateOf, type Change, type ChangeKind } from '../model/diff.ts';
import { changeCount } from '../model/diff-words.ts';
import { countOutcomes } from '../model/labels.ts';
import type { Cause } from './causes.ts';
import { plural, some } from '../../text/text.ts';
import { COVERAGE_KINDS, readCoverage } from './variety.ts';
import { isViolated, isWaivedViolation, outcomeOf, showsFixed } from '../model/status.ts';
import { OUTCOMES, type Outcome, type OutcomeHistory, type Results } from '../model/results.ts';

/** What is read from the results of an earlier run. */
export type EarlierRun = NonNullable<ReturnType<typeof earlierRun>>;

const isOutcome = (value: unknown): value is Outcome =>
  typeof value === 'string' && (OUTCOMES as readonly string[]).includes(value);

/** An earlier run from the content of its results.json; undefined when it is not one, a load run, or judged traffic. */
export function earlierRun(content: unknown) {
  if (!isObject(content)) return undefined;
  const { startedAt, endedAt, verdict, requirements, profile } = content;
  const plan = wholePlanOf(content);
  if (typeof startedAt !== 'string' || !Number.isFinite(Date.parse(startedAt))) return undefined;
  if (typeof verdict !== 'string' || profile === 'load' || profile === 'recorded') return undefined;
  if (!Array.isArray(requirements)) return undefined;
  const outcomes = new Map<string, Outcome>();
  for (const one of requirements as readonly unknown[]) {
    if (!isObject(one)) continue;
    const { id, outcome, waived } = one;
    if (typeof id !== 'string' || !isOutcome(outcome)) continue;
    const was = isObject(waived) && isOutcome(waived['outcome']) ? waived['outcome'] : outcome;
    outcomes.set(id, outcomeOf({ outcome, waived: { outcome: was, reason: null } }));
  }
  const ms = typeof endedAt === 'string' ? Date.parse(endedAt) - Date.parse(startedAt) : -1;
  return {
    startedAt,
    verdict: verdict.slice(0, 40),
    outcomes,
    coverage: readCoverage(content),
    ...(typeof profile === 'string' && { profile: profile.slice(0, 40) }),
    ...(ms >= 0 && { ms }),
    plan,
  };
}

/** What decides which requests a run sends; null when options narrowed it. */
function wholePlanOf(results: Readonly<Record<string, unknown>>): string | null {
  const settings = isObject(results['settings']) ? results['settings'] : {};
  const lists = [settings['only'], settings['skip']];
  const isNarrow = lists.some((ids) => Array.isArray(ids) && ids.length > 0);
  return isNarrow ? null : planOf(results['profile'], results['seed'], settings);
}

/**
 * The history of requirements that were violated in some run, or verified in the last one and not in this one. Runs that
 * began after this one are omitted.
 */
export function historyOf(results: Results, earlier: readonly EarlierRun[]): OutcomeHistory | null {
  const runs = earlier
    .filter(({ startedAt }) => Date.parse(startedAt) < Date.parse(results.startedAt))
    .toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
  if (runs.length === 0) return null;
  const plan = wholePlanOf({ ...results });
  const isComparable = (run?: EarlierRun): boolean => plan !== null && run?.plan === plan;
  const told = results.requirements.flatMap((one) => {
    const then = runs.map(({ outcomes }) => outcomes.get(one.id) ?? null);
    const last = then.at(-1) ?? null;
    const isLost =
      last !== null &&
      plan !== null &&
      outcomeChange(last, one, isComparable(runs.at(-1)) && showsFixed(one, results)) ===
        'newly-unverified';
    return wasViolated(then, outcomeOf(one)) || isLost ? [[one.id, then] as const] : [];
  });
  const looked = COVERAGE_KINDS.flatMap((kind) => {
    const at = new Set(runs.flatMap(({ coverage }) => coverage[kind]?.at ?? []));
    return at.size === 0 ? [] : [[kind, [...at]] as const];
  });
  return {
    runs: runs.map((run) => {
      const { outcomes, coverage: _coverage, plan: _plan, ...known } = run;
      return {
        ...known,
        ...(isComparable(run) && { comparable: true as const }),
        counts: Object.fromEntries(countOutcomes([...outcomes.values()])),
      };
    }),
    outcomes: Object.fromEntries(told),
    ...(looked.length > 0 && { looked: Object.fromEntries(looked) }),
  };
}

/** True for a requirement that was violated in some run. */
export const wasViolated = (then: readonly (Outcome | null)[], now: Outcome): boolean =>
  [...then, now].some((was) => was !== null && stateOf(was) === 'violated');

/** The history of a requirement: `failed in the last 3 of 8 runs`. Null when never violated, or judged in one run only. */
export function historyWords(then: readonly (Outcome | null)[], now: Outcome): string | null {
  const all = [...then, now];
  const judged = all.filter((one) => one !== null && stateOf(one) !== 'unverified');
  const isBad = judged.map((one) => one !== null && stateOf(one) === 'violated');
  const bad = isBad.filter((one) => one).length;
  if (judged.length < 2 || bad === 0) return null;
  const word = judged.includes('failed') || judged.includes('waived') ? 'failed' : 'warned';
  const of = `${judged.length} runs${judged.length < all.length ? ' that judged it' : ''}`;
  const fine = judged.length - 1 - isBad.lastIndexOf(true);
  if (fine > 0) return `${word} in ${bad} of ${of}, not in the last${fine > 1 ? ` ${fine}` : ''}`;
  if (bad === judged.length) return `${word} in each of ${of}`;
  if (isBad.slice(-bad).includes(false)) return `${word} in ${bad} of ${of}, intermittently`;
  return bad > 1 ? `${word} in the last ${bad} of ${of}` : `${word} for the first time in ${of}`;
}

type Changed = Pick<Change, 'subject' | 'level'>;

/**
 * Changes since the last run according to the history by kind: violations that are new or fixed, and what is no longer
 * judged. By harm; then what was violated in the last run before what was verified; musts first.
 */
export function changedSince(results: Results, rank: (id: string) => number) {
  const { outcomes = {}, runs = [] } = results.history ?? {};
  const isComparable = runs.at(-1)?.comparable === true;
  const changed = results.requirements.flatMap((one) => {
    const { id, level } = one;
    const own = outcomes[id] ?? [];
    // The last run may have left out what an earlier one saw violated.
    const judged = own.findLast((was) => was !== null && stateOf(was) !== 'unverified');
    const last = (isViolated(one) ? judged : own.at(-1)) ?? null;
    const isFixed = isComparable && showsFixed(one, results);
    const kind = id in outcomes ? outcomeChange(last, one, isFixed) : null;
    const isRed = last !== null && stateOf(last) === 'violated';
    return kind === null ? [] : [{ kind, subject: id, level, isRed }];
  });
  const sorted = changed.toSorted(
    (a, b) =>
      rank(a.subject) - rank(b.subject) ||
      Number(b.isRed) - Number(a.isRed) ||
      Number(a.level !== 'must') - Number(b.level !== 'must'),
  );
  return (['new-violation', 'fixed', 'newly-unverified'] as const)
    .map((kind) => [kind, sorted.filter((one) => one.kind === kind)] as const)
    .filter(([, own]) => own.length > 0);
}

/** What is no longer verified: what was once violated, the others, and what passes but cannot show its defect. */
export function unverifiedOf(changes: readonly Changed[], { requirements, history }: Results) {
  const passed = new Set(
    requirements.flatMap(({ id, outcome }) => (outcome === 'passed' ? [id] : [])),
  );
  const left = changes.filter(({ subject }) => !passed.has(subject));
  const once = ({ subject }: Changed): boolean =>
    wasViolated(history?.outcomes[subject] ?? [], 'passed');
  return {
    'once violated or warned': left.filter(once),
    'only verified': left.filter((one) => !once(one)),
    'not seen again': changes.filter(({ subject }) => passed.has(subject)),
  };
}

/** `2 fixed`, `1 new violation, waived`, `3 no longer verified (2 once violated or warned), 1 not seen again`. */
export function changeWords(
  kind: ChangeKind,
  changes: readonly Changed[],
  results: Results,
): string {
  if (kind !== 'newly-unverified')
    return `${changeCount(kind, changes)}${waivedAmong(changes, results)}`;
  const parts = unverifiedOf(changes, results);
  const once = parts['once violated or warned'];
  const left = [...once, ...parts['only verified']];
  const again = parts['not seen again'].length;
  const bad = once.length === 0 ? '' : ` (${once.length} once violated or warned)`;
  return [
    ...(left.length === 0 ? [] : [`${changeCount(kind, left)}${bad}`]),
    ...(again === 0 ? [] : [`${again} not seen again`]),
  ].join(', ');
}

/** `, waived` for changes to waived violations. */
function waivedAmong(changes: readonly Changed[], { requirements }: Results): string {
  const waived = new Set(requirements.flatMap((one) => (isWaivedViolation(one) ? [one.id] : [])));
  const count = changes.filter(({ subject }) => waived.has(subject)).length;
  if (count === 0) return '';
  if (count < changes.length) return `, ${count} of them waived`;
  return count === 1 ? ', waived' : ', all waived';
}

/** Whether a cause has a finding that the earlier run did not have; null without an earlier run, and for load scenarios. */
export function markOf({ fresh, example }: Cause, { changes }: Results): 'new' | 'known' | null {
  if (changes === undefined || (fresh.length === 0 && example.scenario !== undefined)) return null;
  return fresh.length > 0 ? 'new' : 'known';
}

/** What is new in a cause that was known, such as `2 findings (/news)`; empty if all of it is new, or nothing. */
export function newWords({ fresh, members }: Cause): string {
  if (fresh.length === 0 || fresh.length === members.length) return '';
  const at = fresh.map(({ requirement, finding }) => finding.endpoint ?? requirement.id);
  return `${plural(fresh.length, 'finding')} (${some([...new Set(at)], 6)})`;
}

/** The likely origin of what is new in a cause; null when nothing is new, or the target changed. */
export function originOf({ fresh }: Cause, { changes }: Results) {
  const ids = new Set(fresh.map(({ requirement }) => requirement.id));
  const own = changes?.changes.filter(({ subject }) => ids.has(subject)) ?? [];
  const isOfTarget = own.some(({ because }) => because === 'target');
  return isOfTarget ? null : (own[0]?.because ?? null);
}

/** Histories in words, by requirement id. */
export function wordsById(results: Results): ReadonlyMap<string, string> {
  const { outcomes = {} } = results.history ?? {};
  return new Map(
    results.requirements.flatMap((one) => {
      const words = historyWords(outcomes[one.id] ?? [], outcomeOf(one));
      return words === null ? [] : [[one.id, words] as const];
    }),
  );
}
