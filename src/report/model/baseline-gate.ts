import { EXIT } from '../../spec/exit-codes.ts';
import { failsAsUntested, reachedVerdict, type FailOn } from './gate.ts';
import { stateOf } from './diff.ts';
import { fixesSince, hindranceSince, worseSince } from './fixed.ts';
import type { BaselineGate, Failing, Outcome, Results } from './results.ts';
import { foundOf, isViolated, isWaivedViolation } from './status.ts';

/**
 * Sets the exit code by what changed since the baseline. Known violations do not fail the run; new ones do, and so does an
 * outdated baseline, which would hide the same violation later: entries that are fixed, were not judged again, or name no
 * requirement of this version. A must that is no longer verified is only mentioned: data may be missing. A run without a
 * verdict keeps its exit code, and so does one with inconclusive musts.
 */
export function gateByBaseline(
  after: Results,
  before: Results,
  failOn: readonly FailOn[],
): Results {
  if (!reachedVerdict(after.verdict)) return after;
  const red = (outcome: Outcome): boolean =>
    outcome === 'failed' || (outcome === 'warned' && failOn.includes('should'));
  // What was waived in the baseline is known, too.
  const expected = new Set(
    before.requirements.filter((one) => red(foundOf(one))).map(({ id }) => id),
  );
  const gate: Record<keyof BaselineGate, string[]> = {
    regressions: [],
    known: [],
    unexpectedPasses: [],
    stale: [],
    hidden: [],
    unmatched: [],
  };
  const fixesOf = fixesSince(before, after);
  const worseOf = worseSince(before);
  const hindranceOf = hindranceSince(before, after);
  for (const one of after.requirements) {
    const known = expected.delete(one.id);
    const state = stateOf(one.outcome);
    if (red(one.outcome))
      gate[known && worseOf(one, after).length === 0 ? 'known' : 'regressions'].push(one.id);
    // Waived, but still violated.
    else if (known && isWaivedViolation(one)) gate.known.push(one.id);
    else if (known && state === 'verified' && fixesOf(one) !== null)
      gate.unexpectedPasses.push(one.id);
    else if (known && state !== 'violated') {
      const hindrance = hindranceOf(one);
      if (hindrance !== 'left out') gate[hindrance === null ? 'stale' : 'hidden'].push(one.id);
    }
  }
  gate.unmatched.push(...expected);
  const { known: _known, ...differing } = gate;
  const against = Object.values(differing).flat();
  const untested = failOn.includes('untested') ? after.requirements.filter(failsAsUntested) : [];
  const found = [
    ...against.map((id): Failing => ({ id, why: 'baseline' })),
    ...(after.failing ?? []).filter(({ why }) => why === 'waiver'),
    ...untested.map(({ id }): Failing => ({ id, why: 'untested' })),
  ];
  const undecided = after.requirements.filter(
    ({ level, outcome }) => level === 'must' && outcome === 'inconclusive',
  );
  const failing =
    found.length > 0 ? found : undecided.map(({ id }): Failing => ({ id, why: 'inconclusive' }));
  const exitCode =
    found.length > 0 ? EXIT.violates : failing.length > 0 ? EXIT.incomplete : EXIT.conforms;
  // New warnings do not fail the run, but are new.
  const warnedBefore = new Set(before.requirements.filter(isViolated).map(({ id }) => id));
  const warned = after.requirements.filter(
    (one) =>
      one.outcome === 'warned' &&
      !red('warned') &&
      (!warnedBefore.has(one.id) || worseOf(one, after).length > 0),
  );
  const sentence = `${after.sentence} ${sentenceOf(after, before, { ...gate, warned: warned.map(({ id }) => id) })}`;
  return { ...after, gate, exitCode, failing, sentence };
}

/** Musts that passed in the baseline and are not verified now, unless `--only` or `--skip` left requirements out. */
function noLongerVerified(after: Results, before: Results): readonly string[] {
  const { only = [], skip = [] } = after.settings ?? {};
  if (only.length + skip.length > 0) return [];
  const passed = before.requirements.filter(({ outcome }) => outcome === 'passed');
  const verified = new Set(passed.map(({ id }) => id));
  const open = after.requirements.filter(({ outcome }) => stateOf(outcome) === 'unverified');
  return open.flatMap(({ id, level }) => (level === 'must' && verified.has(id) ? [id] : []));
}

type Gate = BaselineGate & { readonly warned: readonly string[] };

function sentenceOf(after: Results, before: Results, gate: Gate): string {
  const { regressions, warned, known, unexpectedPasses, stale, hidden = [], unmatched } = gate;
  const some = (ids: readonly string[], what: string): readonly string[] => {
    const named = `${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ', …' : ''}`;
    return ids.length === 0 ? [] : [`${ids.length} ${what} (${named})`];
  };
  const waived = after.requirements.filter(
    (one) => isWaivedViolation(one) && known.includes(one.id),
  );
  const ofThem = waived.length === 0 ? '' : `, ${waived.length} of them waived`;
  const lost = noLongerVerified(after, before);
  const parts = [
    ...some(regressions, 'new'),
    ...some(warned, `new warning${warned.length === 1 ? '' : 's'}`),
    ...some(unexpectedPasses, 'fixed'),
    ...some(stale, 'not shown to be fixed'),
    ...some(hidden, 'hidden by a server error'),
    ...some(unmatched, 'without a requirement'),
    ...some(lost, `must${lost.length === 1 ? '' : 's'} no longer verified`),
    ...(known.length === 0 ? [] : [`${known.length} known${ofThem}`]),
  ];
  const { profile, seed } = before;
  const other = [
    ...(profile === after.profile ? [] : [`profile ${profile}`]),
    ...(seed === after.seed ? [] : [`seed ${seed}`]),
  ];
  const named = other.length === 0 ? '' : ` (${other.join(', ')})`;
  return `Against the baseline${named}: ${parts.join('; ') || 'nothing new'}.`;
}
