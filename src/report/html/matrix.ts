import { isRequirementId, requirementOf } from '../../contract/requirements.ts';
import { bySection, OUTCOME_LABELS } from '../labels.ts';
import { html } from '../markup.ts';
import type { Content, Markup } from '../markup.ts';
import type { RequirementResult, Results } from '../results.ts';
import { sectionTitle } from '../areas.ts';
import type { EvidenceBook } from './evidence.ts';
import {
  anchor,
  LINKS,
  outcomeClass,
  requirementLink,
  separated,
  statement,
  text,
} from './parts.ts';

function origin({ id, level, basis }: RequirementResult): string {
  const facts = isRequirementId(id) ? requirementOf(id) : null;
  const rulings = facts?.rulings ?? [];
  return [
    level,
    ...(basis === 'stated' ? [] : [basis]),
    ...(rulings.length === 0
      ? []
      : [`ruling${rulings.length > 1 ? 's' : ''} ${rulings.join(', ')}`]),
  ].join(', ');
}

function remarks(requirement: RequirementResult, proof: readonly string[]): Content {
  const { reason, reading, checks, findings, outcome } = requirement;
  const judged = checks.filter((check) => check.outcome !== 'untested').length;
  const said =
    outcome === 'failed' || outcome === 'warned' || outcome === 'waived'
      ? [findings[0]?.message, outcome === 'waived' ? reason : null]
      : [reason];
  const parts = [
    ...said.flatMap((one) => (one === null || one === undefined ? [] : [text(one, 300)])),
    ...(findings.length > 1 ? [`${findings.length} findings`] : []),
    ...(reading === null || reading === reason ? [] : [`reading: ${text(reading, 300)}`]),
    ...(checks.length > 1 ? [`${judged} of ${checks.length} checks judged`] : []),
  ];
  return [
    parts.join('; '),
    proof.length > 0 &&
      html`${parts.length > 0 && '; '}<span class="note"
          >proven able to fail by
          ${text(proof.slice(0, 3).join(', '), 200)}${proof.length > 3 && ', …'}</span
        >`,
  ];
}

/** Every requirement by section of the specification, with its outcome and evidence, on passes too. */
export function matrixSection(results: Results, evidence: EvidenceBook): Markup {
  const row = (requirement: RequirementResult): Markup => {
    const { id, outcome, exchanges } = requirement;
    const { icon, word } = OUTCOME_LABELS[outcome];
    const shown = exchanges.slice(0, outcome === 'failed' ? LINKS : 2);
    const more = exchanges.length - shown.length;
    return html`<tr id="${anchor('r', id)}">
      <td class="outcome ${outcomeClass(outcome)}">${icon} ${word}</td>
      <th scope="row">${requirementLink(id)}</th>
      <td>${statement(requirement.title, 400)}</td>
      <td class="note">${origin(requirement)}</td>
      <td>${remarks(requirement, results.proof?.[id] ?? [])}</td>
      <td>${separated(shown.map((one) => evidence.link(one)))}${more > 0 && ` +${more}`}</td>
    </tr> `;
  };
  const sections = bySection(results.requirements);
  return html`<h2>Requirements</h2>
    <p class="note">
      ${results.requirements.length} testable statements taken from the clauses of the
      specification. Each row says how it came out, on which evidence, and what showed that its
      check can fail.
    </p>
    <div data-app="matrix-filter"></div>
    ${sections.map(
      ([section, requirements]) =>
        html`<h3 id="${anchor('s', section)}">§${section} ${sectionTitle(section)}</h3>
          <table class="matrix">
            <thead>
              <tr>
                <th scope="col">outcome</th>
                <th scope="col">requirement</th>
                <th scope="col">statement</th>
                <th scope="col">level, ruling</th>
                <th scope="col">remarks</th>
                <th scope="col">evidence</th>
              </tr>
            </thead>
            <tbody>
              ${requirements.map(row)}
            </tbody>
          </table> `,
    )}`;
}
