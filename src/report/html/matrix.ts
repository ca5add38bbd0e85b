import { isRequirementId, requirementOf } from '../../requirements/catalogue.ts';
import { sectionTitle } from '../areas.ts';
import { wordsById } from '../history.ts';
import { bySection, OUTCOME_LABELS, UNJUDGED } from '../labels.ts';
import { html } from '../markup.ts';
import type { Content, Markup } from '../markup.ts';
import { OUTCOMES } from '../results.ts';
import type { RequirementResult, Results } from '../results.ts';
import type { EvidenceBook } from './evidence.ts';
import {
  anchor,
  LINKS,
  message,
  outcomeClass,
  requirementLink,
  separated,
  statement,
  text,
} from './parts.ts';
import { proofSentence } from './proof.ts';

/** Level, basis where it is not simply stated, and rulings. */
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

/** A reason that more requirements than this share stands in the list of what was not verified, once. */
const SHARED = 20;

/** What there is to say beyond the outcome; nothing for a plain pass. */
function remarks(
  requirement: RequirementResult,
  history: string | undefined,
  shared: ReadonlyMap<string, number>,
): string {
  const { reason, reading, outcome, checks } = requirement;
  const found = requirement.findings;
  const others = (shared.get(reason ?? '') ?? 1) - 1;
  const against = outcome === 'failed' || outcome === 'warned' || outcome === 'waived';
  const said = against
    ? [found[0]?.message, outcome === 'waived' ? reason : null]
    : [
        others >= SHARED
          ? `for the same reason as ${others} others, see what was not verified`
          : reason,
      ];
  const judged = checks.filter(({ outcome: one }) => !UNJUDGED.includes(one)).length;
  return [
    ...said.flatMap((one) => (one === null || one === undefined ? [] : [text(one, 300)])),
    ...(against && found.length > 1 ? [`${found.length} findings`] : []),
    ...(reading === null || reading === reason ? [] : [`reading: ${text(reading, 300)}`]),
    ...(judged > 0 && judged < checks.length
      ? [`${judged} of ${checks.length} checks judged`]
      : []),
    ...(history === undefined ? [] : [history]),
  ].join('; ');
}

function counts(requirements: readonly RequirementResult[]): string {
  return OUTCOMES.flatMap((outcome) => {
    const count = requirements.filter((one) => one.outcome === outcome).length;
    const { icon, word } = OUTCOME_LABELS[outcome];
    return count === 0 ? [] : [`${icon} ${count} ${word}`];
  }).join(', ');
}

/** The defects that turned the check of a requirement red; what is left out stands in its own view. */
function proven(faults: readonly string[] | undefined, level: string): Content {
  if (faults === undefined || faults.length === 0) {
    return level === 'observe' ? '–' : html`<b>not proven</b>`;
  }
  const more = faults.length - 1;
  return `${text(faults[0] ?? '', 60)}${more > 0 ? ` +${more}` : ''}`;
}

/**
 * Every requirement by section of the specification, with its outcome and evidence, on passes too. Each section can be
 * folded; the script takes the rows of folded ones out of the document.
 */
export function matrixSection(results: Results, evidence: EvidenceBook): Markup {
  const { proof } = results;
  const history = wordsById(results);
  const shared = new Map<string, number>();
  for (const { reason, outcome } of results.requirements) {
    if (reason !== null && UNJUDGED.includes(outcome)) {
      shared.set(reason, (shared.get(reason) ?? 0) + 1);
    }
  }
  const row = (requirement: RequirementResult): Markup => {
    const { id, outcome, exchanges, level } = requirement;
    const { icon, word } = OUTCOME_LABELS[outcome];
    const shown = exchanges.slice(0, outcome === 'failed' ? LINKS : 2);
    const more = exchanges.length - shown.length;
    const remark = remarks(requirement, history.get(id), shared);
    return html`<tr id="${anchor('r', id)}">
      <td class="outcome ${outcomeClass(outcome)}">${icon} ${word}</td>
      <th scope="row">${requirementLink(id)}</th>
      <td>
        ${statement(requirement.title, 400)}${remark !== '' && html`<small>${message(remark)}</small>`}
      </td>
      <td class="note">${origin(requirement)}</td>
      ${proof !== undefined && html`<td class="note">${proven(proof[id], level)}</td>`}
      <td>${separated(shown.map((one) => evidence.link(one)))}${more > 0 && ` +${more}`}</td>
    </tr> `;
  };
  return html`<h2>Requirements</h2>
    <p class="note">
      ${results.requirements.length} testable statements taken from the clauses of the
      specification: how each came out and on which exchanges, passes included.
      ${proofSentence(results)}
    </p>
    <div data-app="matrix-filter"></div>
    ${bySection(results.requirements).map(
      ([section, requirements]) =>
        html`<details class="part" id="${anchor('s', section)}" open>
          <summary>
            <h3>§${section} ${sectionTitle(section)}</h3>
            <span>${counts(requirements)}</span>
          </summary>
          <table class="matrix requirements${proof !== undefined && ' proven'}">
            <thead>
              <tr>
                <th scope="col">outcome</th>
                <th scope="col">requirement</th>
                <th scope="col">statement and remarks</th>
                <th scope="col">level, ruling</th>
                ${proof !== undefined && html`<th scope="col">proven able to fail by</th>`}
                <th scope="col">evidence</th>
              </tr>
            </thead>
            <tbody>
              ${requirements.map(row)}
            </tbody>
          </table>
        </details> `,
    )}`;
}
