import { RULINGS } from '../../contract/rulings.ts';
import { isRequirementId, requirementOf } from '../../contract/requirements.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { ReadingResult, RequirementResult, Results } from '../results.ts';
import type { EvidenceBook } from './evidence.ts';
import { badge, LINKS, requirementLink, separated, statement, text } from './parts.ts';

/** A sentence that would close the gap, made of the question and what was seen. */
export function suggestedSentence({ question, answer }: ReadingResult): string {
  const topic = question.trim().replace(/[.?]$/, '');
  return `${topic}: ${answer.trim().replace(/[.]$/, '')}.`;
}

function contradiction(requirement: RequirementResult, evidence: EvidenceBook): Markup {
  const facts = isRequirementId(requirement.id) ? requirementOf(requirement.id) : null;
  const seen = requirement.reading ?? requirement.findings[0]?.message ?? requirement.reason;
  return html`<tr>
    <td>${badge(requirement.outcome)}</td>
    <th scope="row">${requirementLink(requirement.id)}</th>
    <td>
      ${statement(requirement.title)}
      ${(facts?.rulings ?? []).map(
        (number) =>
          html`<br /><span class="note">Ruling ${number}: ${RULINGS[number] ?? ''}</span>`,
      )}
    </td>
    <td>
      ${seen === null ? (requirement.outcome === 'passed' ? 'as ruled' : 'not seen') : text(seen, 300)}
    </td>
    <td>${separated(requirement.exchanges.slice(0, 2).map((id) => evidence.link(id)))}</td>
  </tr> `;
}

/** Readings shown; a hostile file may hold any number. */
const READINGS = 150;

/** Where the specification contradicts itself or is silent, and what the target does there. */
export function behaviourSection(results: Results, evidence: EvidenceBook): Markup {
  const contradictions = results.requirements.filter(({ basis }) => basis === 'contradictory');
  const changed = new Map(
    (results.changes?.changes ?? [])
      .filter(({ kind }) => kind === 'behaviour')
      .map((one) => [one.subject, one.before]),
  );
  const readings = results.readings.slice(0, READINGS);
  return html`<h2>Behaviour</h2>
    <h3 id="contradictions">Where the specification contradicts itself</h3>
    ${
      contradictions.length === 0
        ? html`<p>None of the requirements of this run.</p>`
        : html`<table class="matrix">
            <thead>
              <tr>
                <th scope="col">outcome</th>
                <th scope="col">requirement</th>
                <th scope="col">statement and ruling</th>
                <th scope="col">seen</th>
                <th scope="col">evidence</th>
              </tr>
            </thead>
            <tbody>
              ${contradictions.map((one) => contradiction(one, evidence))}
            </tbody>
          </table>`
    }
    <h3 id="readings">Where the specification is silent or leaves a choice</h3>
    <p class="note">
      What the target was seen to do. Nothing here counts against it; the sentences could be added
      to the specification as they are.
    </p>
    ${
      readings.length === 0
        ? html`<p>Nothing was recorded.</p>`
        : html`<table class="readings">
            <thead>
              <tr>
                <th scope="col">question</th>
                <th scope="col">what the target does</th>
                <th scope="col">evidence</th>
              </tr>
            </thead>
            <tbody>
              ${readings.map((reading) => {
                const before = changed.get(reading.question);
                return html`<tr>
                  <th scope="row">${text(reading.question, 300)}</th>
                  <td>
                    ${reading.mixed && html`<strong class="chip warned">! mixed</strong> `}${before !== undefined && html`<strong class="chip new">~ was ${text(before, 200)}</strong> `}${text(reading.answer, 600)}
                    ${
                      !reading.mixed &&
                      html`<details>
                        <summary>sentence for the specification</summary>
                        <p class="command">${text(suggestedSentence(reading), 700)}</p>
                      </details>`
                    }
                  </td>
                  <td>
                    ${separated(reading.exchanges.slice(0, LINKS).map((id) => evidence.link(id)))}
                  </td>
                </tr> `;
              })}
            </tbody>
          </table>`
    }
    ${
      results.readings.length > READINGS &&
      html`<p class="note">${results.readings.length - READINGS} more are in results.json.</p>`
    }`;
}
