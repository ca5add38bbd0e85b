import type { VNode } from 'preact';
import { RULINGS } from '../../../spec/rulings.ts';
import { isRequirementId, requirementOf } from '../../../requirements/catalogue.ts';
import { plural } from '../../../text/text.ts';
import { OUTCOME_LABELS } from '../../model/labels.ts';
import { isJudged } from '../../model/standing.ts';
import { OUTCOMES } from '../../model/results.ts';
import type { RequirementResult, Results } from '../../model/results.ts';
import type { OfResults } from './page.ts';
import { Badge, Facts, outcomeWords, requirementLinks, statement } from './parts.tsx';
import type { FactRow } from './parts.tsx';
import { ProofSection } from './proof.tsx';

const WORDS: readonly FactRow[] = [
  ['must', 'the specification states it; a violation fails the run'],
  ['should', 'it follows from a stated meaning; a departure is a warning'],
  [
    'observe',
    'the specification is silent or contradicts itself; behaviour is recorded, never failed',
  ],
  [
    'control',
    'the request that differs from a refused one in a single parameter and succeeds; without it a refusal proves nothing',
  ],
];

/** Requirements named for one ruling; the matrix has all. */
const NAMED = 8;

/** The requirements that each ruling was applied to, judged ones only: what it decided in this run. */
function decidedBy({ requirements }: Results): ReadonlyMap<number, readonly RequirementResult[]> {
  const decided = new Map<number, RequirementResult[]>();
  for (const one of requirements) {
    if (!isRequirementId(one.id) || !isJudged(one)) continue;
    for (const ruling of requirementOf(one.id).rulings ?? [])
      decided.set(ruling, [...(decided.get(ruling) ?? []), one]);
  }
  return decided;
}

/** What a ruling decided: how many of each outcome, and by name what is against the target. */
function Decided({ own }: { own: readonly RequirementResult[] }): VNode {
  if (own.length === 0) return <small>decided nothing in this run</small>;
  const counts = OUTCOMES.flatMap((outcome) => {
    const count = own.filter((one) => one.outcome === outcome).length;
    return count === 0 ? [] : [outcomeWords(outcome).replace(' ', ` ${count} `)];
  });
  const against = own.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned');
  return (
    <small>
      {`decided ${plural(own.length, 'outcome')}: ${counts.join(', ')}`}
      {against.length > 0 && [
        '; against the target: ',
        requirementLinks(
          against.map(({ id }) => id),
          NAMED,
        ),
      ]}
    </small>
  );
}

/** What the words of the report mean, and how it judges. */
export function Legend({ results }: OfResults): VNode {
  const decided = decidedBy(results);
  return (
    <>
      <h2>Legend and method</h2>
      <Facts
        rows={[
          ...OUTCOMES.map(
            (outcome) => [<Badge outcome={outcome} />, OUTCOME_LABELS[outcome].meaning] as const,
          ),
          ...WORDS,
        ]}
      />
      <ProofSection results={results} />
      <h3 id="verdict">Verdict</h3>
      <p>The first line that applies is the verdict.</p>
      <Facts
        rows={[
          ['violates', 'a must is violated'],
          [
            'incomplete',
            'a must could not be judged, the run was cut short, or nothing was verified',
          ],
          [
            'conforms',
            'every must is verified, waived, or about something that the target does not show today',
          ],
          ['no violation found', 'everything else: part of the musts was not looked at'],
        ]}
      />
      <h3 id="rulings">Rulings</h3>
      <p>
        How clauses that can be read in more than one way are judged, and what each decided in this
        run.
      </p>
      <ol class="rulings">
        {Object.entries(RULINGS).map(([number, ruling]) => (
          <li>
            {statement(ruling)} <Decided own={decided.get(Number(number)) ?? []} />
          </li>
        ))}
      </ol>
    </>
  );
}
