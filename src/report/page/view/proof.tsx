import type { VNode } from 'preact';
import { proofOf, proofSentence } from '../../analysis/proof.ts';
import type { OfResults } from './page.ts';
import { requirementLinks } from './parts.tsx';

/** Why a reader may believe a pass. */
export function ProofSection({ results }: OfResults): VNode {
  const unproven = proofOf(results)?.unproven ?? [];
  return (
    <>
      <h3 id="proof">Why a pass can be believed</h3>
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
        A refusal counts only when its control succeeds: the request that differs in a single
        parameter. What could not be judged is listed as not verified and never counted as a pass.
        What the requirements observe is recorded and proves nothing.
      </p>
    </>
  );
}
