import { plural } from '../../text/text.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { Level } from '../../contract/levels.ts';
import type { RequirementResult, Results } from '../results.ts';
import { requirementLink, separated } from './parts.ts';

interface Proof {
  readonly proven: readonly RequirementResult[];
  readonly unproven: readonly RequirementResult[];
  readonly faults: number;
}

/** Requirements of a level that some deliberate defect turned red, and those that none did. */
function proofOf({ requirements, proof }: Results, levels: readonly Level[]): Proof | null {
  if (proof === undefined) return null;
  const judged = requirements.filter(({ level }) => levels.includes(level));
  const isProven = ({ id }: RequirementResult): boolean => (proof[id]?.length ?? 0) > 0;
  return {
    proven: judged.filter(isProven),
    unproven: judged.filter((one) => !isProven(one)),
    faults: new Set(judged.flatMap(({ id }) => proof[id] ?? [])).size,
  };
}

/** How far the checks were shown to be able to fail, in one sentence. */
export function proofSentence(results: Results): string {
  const judged = proofOf(results, ['must', 'should']);
  if (judged === null) {
    return 'This file holds no proof that the checks can fail: npm run prove writes one.';
  }
  const { proven, unproven, faults } = judged;
  return `${proven.length} of ${proven.length + unproven.length} musts and shoulds are proven able to fail: at least one of ${plural(faults, 'deliberate defect')} of the reference server turns each of them red.`;
}

/** Why a reader may believe a pass. */
export function proofSection(results: Results): Markup {
  const judged = proofOf(results, ['must', 'should']);
  const unproven = judged?.unproven ?? [];
  return html`<h3 id="proof">Why a pass can be believed</h3>
    <p>${proofSentence(results)}</p>
    ${
      unproven.length > 0 &&
      html`<p>
        Not proven:
        ${separated(unproven.slice(0, 60).map(({ id }) => requirementLink(id)))}${unproven.length > 60 && ` and ${unproven.length - 60} more`}.
      </p>`
    }
    <p>
      A refusal counts only when its control succeeds: the request that differs in a single
      parameter. What could not be judged is listed as not verified and never counted as a pass.
      What the requirements observe is recorded and proves nothing.
    </p>`;
}
