import type { Requirement } from '../requirements.ts';
import { FAMILIES } from './families.ts';
import { fieldGuidance } from './fields.ts';
import { OWN } from './own.ts';
import type { Guidance } from './types.ts';
import { says } from './types.ts';

export type { Guidance } from './types.ts';

/** What an observation is for: it is never red. */
const OBSERVED: Guidance = says(
  'The specification is silent or contradicts itself here. What the target does is written down, so that callers can be told and a change between two runs is seen; it never fails a run.',
  'It cannot come out red. When it says "mixed", the target behaves in two ways: look at the exchanges of the reading.',
);

/**
 * Why a requirement matters and what a red result usually means. Pure data beside the catalogue, so that the command
 * line, the report and the documentation can show the same words.
 * @throws RangeError for a requirement that nobody has written about; a test keeps this from happening
 */
export function guidanceOf({ id, level, title }: Requirement): Guidance {
  const own = OWN[id];
  if (own !== undefined) return own;
  if (level === 'observe') return OBSERVED;
  const found = fieldGuidance(title) ?? FAMILIES.find(({ ids }) => ids.test(id))?.guidance;
  if (found === undefined) throw new RangeError(`No guidance covers ${id}`);
  return found;
}
