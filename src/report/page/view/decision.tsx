import type { VNode } from 'preact';
import type { Cause } from '../../analysis/causes.ts';
import { brokenWaiver, waiverWords } from '../../model/waiver-words.ts';
import type { OfResults } from './page.ts';

interface OfCause extends OfResults {
  readonly cause: Cause;
}

/**
 * What was decided about a finding: that its waiver no longer holds, which the results say, and the place where the
 * script of the page puts the decision of the reader.
 */
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
