import { plural } from '../../text/text.ts';
import { UNJUDGED } from '../model/labels.ts';
import type { Results } from '../model/results.ts';

/** How many musts and shoulds judged in this run fail on a deliberate defect of the reference server, in one sentence. */
export function proofSentence({ requirements, proof }: Results): string {
  if (proof === undefined)
    return 'These results contain no proof that the checks can fail; npm run prove creates it.';
  const judged = requirements.filter(
    ({ level, outcome }) => level !== 'observe' && !UNJUDGED.includes(outcome),
  );
  const defects = judged.map(({ id }) => proof[id] ?? []);
  const proven = defects.filter(({ length }) => length > 0).length;
  const all = judged.length;
  if (all === 0) return 'No must or should was judged in this run.';
  const share = proven === all ? `All ${all}` : `${proven} of ${all}`;
  return `${share} judged musts and shoulds are proven able to fail: each fails on at least one of ${plural(new Set(defects.flat()).size, 'deliberate defect')} in the reference server.`;
}
