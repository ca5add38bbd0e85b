import type { VNode } from 'preact';
import { RULINGS } from '../../contract/rulings.ts';
import { OUTCOME_LABELS } from '../labels.ts';
import { OUTCOMES } from '../results.ts';
import type { OfResults } from './page.ts';
import { Badge, Facts, statement } from './parts.tsx';
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

/** What the words of the report mean, and how it judges. */
export function Legend({ results }: OfResults): VNode {
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
      <p>
        Any must violated: violates. Else any must inconclusive, or the run cut short, or nothing
        verified: incomplete. Else, when every must is verified, waived, or shows nothing to verify
        today: conforms. Else no violation found, with the number of musts that were verified.
      </p>
      <h3 id="rulings">Rulings</h3>
      <p>How clauses that can be read in more than one way are judged.</p>
      <ol class="rulings">
        {Object.values(RULINGS).map((ruling) => (
          <li>{statement(ruling)}</li>
        ))}
      </ol>
    </>
  );
}
