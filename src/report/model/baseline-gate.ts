import { EXIT } from '../../spec/exit-codes.ts';
import { failsAsUntested, reachedVerdict, type FailOn } from './gate.ts';
import type { BaselineGate, Failing, RequirementResult, Results } from './results.ts';
import { isWaivedViolation } from './standing.ts';

/**
 * Judges a run by what changed since the baseline: the known violations of the baseline do not fail it again, a new one
 * does. A baseline that says too much fails too, since it would hide the same violation later: a violation that has
 * gone, that could not be judged again, or whose requirement is no more.
 *
 * A must that the baseline verified and the run did not is no violation, and may be for want of data: the sentence says so.
 *
 * A run without a verdict stays without one, and so does one that could not judge a must: then only what is known is
 * violated and the rest is open.
 */
export function gateByBaseline(
  after: Results,
  before: Results,
  failOn: readonly FailOn[],
): Results {
  if (!reachedVerdict(after.verdict)) return after;
  const red = ({ outcome }: RequirementResult): boolean =>
    outcome === 'failed' || (outcome === 'warned' && failOn.includes('should'));
  const expected = new Set(before.requirements.filter(red).map(({ id }) => id));
  const gate: Record<keyof BaselineGate, string[]> = {
    regressions: [],
    known: [],
    unexpectedPasses: [],
    stale: [],
    unmatched: [],
  };
  for (const one of after.requirements) {
    const known = expected.delete(one.id);
    if (red(one)) gate[known ? 'known' : 'regressions'].push(one.id);
    // Somebody answers for it, and it is violated all the same.
    else if (known && isWaivedViolation(one)) gate.known.push(one.id);
    else if (known && (one.outcome === 'passed' || one.outcome === 'observed')) {
      gate.unexpectedPasses.push(one.id);
    } else if (known && isOpen(one) && !isNarrowed(after)) gate.stale.push(one.id);
  }
  gate.unmatched.push(...expected);
  const failing = failingOf(after, gate, failOn);
  const exitCode =
    failing.length > 0
      ? EXIT.violates
      : after.summary.must.inconclusive > 0
        ? EXIT.incomplete
        : EXIT.conforms;
  const sentence = `${after.sentence} ${sentenceOf(after, gate, noLongerVerified(after, before))}`;
  return { ...after, gate, exitCode, failing, sentence };
}

/** Musts that passed before and were not looked at now, unless the user left them out. */
function noLongerVerified(after: Results, before: Results): readonly string[] {
  if (isNarrowed(after)) return [];
  const passed = before.requirements.filter(({ outcome }) => outcome === 'passed');
  const verified = new Set(passed.map(({ id }) => id));
  return after.requirements
    .filter(
      ({ id, level, outcome }) => level === 'must' && outcome === 'untested' && verified.has(id),
    )
    .map(({ id }) => id);
}

const isOpen = ({ outcome }: RequirementResult): boolean =>
  outcome === 'untested' || outcome === 'inconclusive' || outcome === 'error';

/** True when `--only` or `--skip` left requirements out: what they left out is no word against the baseline. */
const isNarrowed = ({ settings }: Results): boolean =>
  settings !== undefined && settings.only.length + settings.skip.length > 0;

function failingOf(after: Results, gate: BaselineGate, failOn: readonly FailOn[]): Failing[] {
  const { regressions, unexpectedPasses, stale, unmatched } = gate;
  const against = [...regressions, ...unexpectedPasses, ...stale, ...unmatched];
  const untested = failOn.includes('untested') ? after.requirements.filter(failsAsUntested) : [];
  return [
    ...against.map((id): Failing => ({ id, why: 'baseline' })),
    ...(after.failing ?? []).filter(({ why }) => why === 'waiver'),
    ...untested.map(({ id }): Failing => ({ id, why: 'untested' })),
  ];
}

function sentenceOf(
  { requirements }: Results,
  gate: BaselineGate,
  unverified: readonly string[],
): string {
  const { regressions, known, unexpectedPasses, stale, unmatched } = gate;
  const some = (ids: readonly string[], what: string): string[] =>
    ids.length === 0
      ? []
      : [`${ids.length} ${what} (${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ', …' : ''})`];
  const waived = requirements.filter((one) => isWaivedViolation(one) && known.includes(one.id));
  const ofThem = waived.length === 0 ? '' : `, ${waived.length} of them waived`;
  const parts = [
    ...some(regressions, 'new'),
    ...some(unexpectedPasses, 'fixed since'),
    ...some(stale, 'not judged again'),
    ...some(unmatched, 'of no requirement'),
    ...some(unverified, 'no longer verified'),
    known.length === 0 ? 'nothing known is violated' : `${known.length} known${ofThem}`,
  ];
  const isOld = unexpectedPasses.length + unmatched.length > 0;
  return `Against the baseline: ${parts.join('; ')}.${isOld ? ' Renew the baseline.' : ''}`;
}
