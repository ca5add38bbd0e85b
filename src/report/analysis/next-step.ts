import type { Results } from '../model/results.ts';
import type { UnjudgedGroup } from '../model/unjudged.ts';
import { rerunCommand } from './rerun.ts';

/** What changes that something was not verified. */
export interface NextStep {
  /** What to do, or that nothing helps. */
  readonly words: string;
  /** The command that does it; null where no command does. */
  readonly command: string | null;
}

/** More ids than these are looked at again in a whole run. */
const NAMED = 4;

/** The next step of a group of requirements that were not judged for one reason. */
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
  if (results.profile === 'recorded') return nothing('Record traffic that shows it.');
  if (outcome === 'waived') return nothing('Nothing while the waiver holds.');
  if (outcome === 'error') return nothing('Nothing: report it as a fault of Assay.');
  if (outcome === 'inconclusive')
    return { words: 'Run again when the target answers:', command: again() };
  switch (cause?.kind) {
    case 'setting':
      return {
        words: `Add ${setting ?? ''} to the target file, then:`,
        command: again({ file: true }),
      };
    case 'not-selected':
      if (cause.by === 'profile')
        return { words: 'Run the larger profile:', command: again({ profile: 'full' }) };
      if (cause.by === 'recording') return nothing('Record traffic that shows it.');
      return {
        words: cause.by === 'budget' ? 'Run without the bound:' : 'Run without leaving it out:',
        command: again(),
      };
    case 'time':
      return { words: 'Run again on the next trading day:', command: again() };
    case 'unseen':
      return nothing('Have a client ask for it.');
    default:
      return nothing('Nothing does, until the target shows such data.');
  }
}
