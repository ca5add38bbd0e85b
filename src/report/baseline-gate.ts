import type { FailOn } from './gate.ts';
import type { BaselineGate, RequirementResult, Results } from './results.ts';

/**
 * Judges a run by what changed since the baseline: the known violations of the baseline do not fail it again, a new one
 * does. A baseline that says too much fails too, since it would hide the same violation later: a violation that has
 * gone, that could not be judged again, or whose requirement is no more.
 *
 * A run without a verdict stays without one, and so does one that could not judge a must: then only what is known is
 * violated and the rest is open.
 */
export function gateByBaseline(
  after: Results,
  before: Results,
  failOn: readonly FailOn[],
): Results {
  if (after.verdict !== 'violates' && after.verdict !== 'conforms') return after;
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
    else if (known && (one.outcome === 'passed' || one.outcome === 'observed')) {
      gate.unexpectedPasses.push(one.id);
    } else if (known && isOpen(one) && !isNarrowed(after)) gate.stale.push(one.id);
  }
  gate.unmatched.push(...expected);
  const exitCode = exitCodeOf(after, gate, failOn);
  return { ...after, gate, exitCode, sentence: `${after.sentence} ${sentenceOf(gate)}` };
}

const isOpen = ({ outcome }: RequirementResult): boolean =>
  outcome === 'untested' || outcome === 'inconclusive' || outcome === 'error';

/** True when `--only` or `--skip` left requirements out: what they left out is no word against the baseline. */
const isNarrowed = ({ settings }: Results): boolean =>
  settings !== undefined && settings.only.length + settings.skip.length > 0;

function exitCodeOf(after: Results, gate: BaselineGate, failOn: readonly FailOn[]): number {
  const { regressions, unexpectedPasses, stale, unmatched } = gate;
  const broken = (after.waivers ?? []).some(({ state }) => state !== 'applied' && state !== 'idle');
  const { must } = after.summary;
  const untested = failOn.includes('untested') && must.untested > 0;
  const against = regressions.length + unexpectedPasses.length + stale.length + unmatched.length;
  if (against > 0 || broken || untested) return 1;
  return must.inconclusive > 0 ? 3 : 0;
}

function sentenceOf(gate: BaselineGate): string {
  const { regressions, known, unexpectedPasses, stale, unmatched } = gate;
  const some = (ids: readonly string[], what: string): string[] =>
    ids.length === 0
      ? []
      : [`${ids.length} ${what} (${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ', …' : ''})`];
  const parts = [
    ...some(regressions, 'new'),
    ...some(unexpectedPasses, 'no longer violated: renew the baseline'),
    ...some(stale, 'not judged again'),
    ...some(unmatched, 'of no requirement: renew the baseline'),
    `${known.length} known`,
  ];
  return `Against the baseline: ${parts.join('; ')}.`;
}
