import type { VNode } from 'preact';
import type { Cause } from '../../analysis/causes.ts';
import { brokenWaiver, waiverWords } from '../../model/waiver-words.ts';
import type { OfResults } from './page.ts';

interface OfCause extends OfResults {
  readonly cause: Cause;
}

/** The broken waiver of a finding, and a placeholder in which the script shows the decision of the reader. */
export function DecisionMarks({ cause, results: { waivers = [] } }: OfCause): VNode {
  const waiver = brokenWaiver(
    waivers,
    cause.requirements.map(({ id }) => id),
  );
  return (
    <>
      {waiver !== undefined && [
        <a class="chip failed" href="#waivers">
          {waiverWords(waiver)}
        </a>,
        ' ',
      ]}
      <span data-decision={cause.id} />
    </>
  );
}
