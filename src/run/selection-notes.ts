import type { SuiteInput } from '../ask/input.ts';

/** Notes on `--only` and `--skip`. @param did what was done with the selected requirements */
export const selectionNotes = (
  did: 'Ran' | 'Judged',
  { only, skip }: Pick<SuiteInput, 'only' | 'skip'>,
): readonly string[] => [
  ...(only.length > 0 ? [`${did} only ${only.join(', ')}; the rest is untested.`] : []),
  ...(skip.length > 0
    ? [`${skip.join(', ')} ${skip.length === 1 ? 'was' : 'were'} left out.`]
    : []),
];
