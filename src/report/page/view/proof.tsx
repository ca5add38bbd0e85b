import type { VNode } from 'preact';
import { proofOf, proofSentence } from '../../analysis/proof.ts';
import type { OfResults } from './page.ts';
import { requirementLinks } from './parts.tsx';

export function ProofSection({ results }: OfResults): VNode {
  const unproven = proofOf(results)?.unproven ?? [];
  return (
    <>
      <h3 id="proof">Why a pass can be trusted</h3>
      <p>{proofSentence(results)}</p>
      {unproven.length > 0 && (
        <p>
          {'Not proven: '}
          {requirementLinks(
            unproven.map(({ id }) => id),
            60,
          )}
          .
        </p>
      )}
      <p>
        A refusal counts only when its control succeeds. What could not be judged never counts as a
        pass.
      </p>
    </>
  );
}
