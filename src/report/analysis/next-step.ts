import type { Results } from '../model/results.ts';
import type { UnjudgedGroup } from '../model/unjudged.ts';
import { rerunCommand } from './rerun.ts';

/** How to verify something that was not verified. */
export interface NextStep {
  readonly words: string;
  /** The command to run; null when no command helps. */
  readonly command: string | null;
}

/** For more ids than these, the command runs everything. */
const NAMED = 4;

/** The next step for requirements that were not judged for the same reason. */
export function nextStep(
  { outcome, requirements, setting }: UnjudgedGroup,
  results: Results,
): NextStep {
  const [first] = requirements;
  const cause = first?.cause ?? null;
  const ids = requirements.length <= NAMED ? requirements.map(({ id }) => id) : [];
  const again = (more: { profile?: 'full'; file?: boolean } = {}): string =>
    rerunCommand(results, { ids, ...more });
  const nothing = (words: string): NextStep => ({ words, command: null });
  if (results.profile === 'recorded')
    return nothing('Record traffic that covers these requirements.');
  if (outcome === 'waived') return nothing('Nothing to do while the waiver holds.');
  if (outcome === 'error') return nothing('Report this as a bug in Assay.');
  if (outcome === 'inconclusive')
    return { words: 'Rerun when the target responds:', command: again() };
  switch (cause?.kind) {
    case 'setting':
      return {
        words: `Add ${setting ?? ''} to the target file, then run:`,
        command: again({ file: true }),
      };
    case 'not-selected':
      if (cause.by === 'profile')
        return { words: 'Run the full profile:', command: again({ profile: 'full' }) };
      if (cause.by === 'recording')
        return nothing('Record traffic that covers these requirements.');
      return {
        words:
          cause.by === 'budget' ? 'Run without --max-requests:' : 'Include these requirements:',
        command: again(),
      };
    case 'time':
      return { words: 'Rerun on the next trading day:', command: again() };
    case 'unseen':
      return nothing('Have a client send a request that covers these requirements.');
    default:
      return nothing('Nothing to do until the target has such data.');
  }
}
