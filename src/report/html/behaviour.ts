import { RULINGS } from '../../contract/rulings.ts';
import { isRequirementId, requirementOf } from '../../requirements/catalogue.ts';
import { oneLine } from '../../text/text.ts';
import { html, preformatted } from '../markup.ts';
import type { Content, Markup } from '../markup.ts';
import type { ReadingResult, RequirementResult, Results } from '../results.ts';
import type { EvidenceBook } from './evidence.ts';
import { badge, LINKS, message, requirementLink, separated, statement, text } from './parts.ts';

/** A sentence that would close the gap, made of the question and what was seen. */
export function suggestedSentence({ question, answer }: ReadingResult): string {
  const topic = question.trim().replace(/[.?]$/, '');
  return `${topic}: ${answer.trim().replace(/[.]$/, '')}.`;
}

function rulingsOf({ id }: RequirementResult): readonly number[] {
  return isRequirementId(id) ? (requirementOf(id).rulings ?? []) : [];
}

function contradiction(requirement: RequirementResult, evidence: EvidenceBook): Markup {
  const { reading, findings, reason, outcome } = requirement;
  const seen = reading ?? findings[0]?.message ?? reason;
  const rulings = rulingsOf(requirement);
  return html`<tr>
    <td>${badge(outcome)}</td>
    <th scope="row">${requirementLink(requirement.id)}</th>
    <td>
      ${statement(requirement.title)}${
        rulings.length > 0 &&
        html`<small
          >judged by ${rulings.length > 1 ? 'rulings' : 'ruling'} ${rulings.join(', ')}</small
        >`
      }
    </td>
    <td>
      ${seen === null ? (outcome === 'passed' ? 'what the ruling asks for' : 'nothing') : message(seen, 300)}
    </td>
    <td>${separated(requirement.exchanges.slice(0, 2).map((id) => evidence.link(id)))}</td>
  </tr> `;
}

/** Questions that only differ in what they are about, with one answer to all of them. */
interface AnswerGroup {
  readonly question: string;
  readonly about: readonly string[];
  readonly reading: ReadingResult;
  readonly exchanges: readonly string[];
}

/** Fewer of a kind are easier to read one by one. */
const ALIKE = 3;

/** Readings, those of one kind with the same answer put together: `Fields that the specification does not name of …: none` is one line, not fourteen. */
function grouped(
  readings: readonly ReadingResult[],
  apart: ReadonlyMap<string, string>,
): readonly AnswerGroup[] {
  const keyOf = ({ question, answer, mixed }: ReadingResult): string | null => {
    const kind = / of [\w./{} -]+$/.exec(question);
    if (mixed || apart.has(question) || kind === null) return null;
    return JSON.stringify([question.slice(0, kind.index), answer]);
  };
  const sizes = new Map<string, number>();
  for (const reading of readings) {
    const key = keyOf(reading);
    if (key !== null) sizes.set(key, (sizes.get(key) ?? 0) + 1);
  }
  const groups = new Map<string, AnswerGroup>();
  for (const reading of readings) {
    const key = keyOf(reading);
    const { question, exchanges } = reading;
    if (key === null || (sizes.get(key) ?? 0) < ALIKE) {
      groups.set(JSON.stringify(question), { question, about: [], reading, exchanges });
      continue;
    }
    const kind = question.slice(0, question.lastIndexOf(' of '));
    const group = groups.get(key);
    groups.set(key, {
      question: kind,
      about: [...(group?.about ?? []), question.slice(kind.length + 4)],
      reading,
      exchanges: [...(group?.exchanges ?? []), ...exchanges.slice(0, 1)],
    });
  }
  return [...groups.values()];
}

/** A sentence a line for each answer that is not mixed. */
function sentencesFor(readings: readonly ReadingResult[]): Content {
  const lines = readings
    .filter(({ mixed }) => !mixed)
    .map((one) => `- ${oneLine(suggestedSentence(one), 700)}`);
  return preformatted(lines.length === 0 ? 'Every answer is mixed.' : lines.join('\n'));
}

/** Readings shown; a hostile file may hold any number. */
const READINGS = 150;

/** Where the specification contradicts itself or is silent, and what the target does there. */
export function behaviourSection(results: Results, evidence: EvidenceBook): Markup {
  const contradictions = results.requirements.filter(({ basis }) => basis === 'contradictory');
  const rulings = [...new Set(contradictions.flatMap(rulingsOf))].toSorted((a, b) => a - b);
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
        : html`<table class="matrix contradictions">
              <thead>
                <tr>
                  <th scope="col">outcome</th>
                  <th scope="col">requirement</th>
                  <th scope="col">statement</th>
                  <th scope="col">seen</th>
                  <th scope="col">evidence</th>
                </tr>
              </thead>
              <tbody>
                ${contradictions.map((one) => contradiction(one, evidence))}
              </tbody>
            </table>
            <dl class="facts">
              ${rulings.map(
                (number) =>
                  html`<dt>Ruling ${number}</dt>
                    <dd>${statement(RULINGS[number] ?? '')}</dd> `,
              )}
            </dl>`
    }
    <h3 id="readings">Where the specification is silent or leaves a choice</h3>
    <p class="note">What the target was seen to do. Nothing here counts against it.</p>
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
                ${grouped(readings, changed).map(({ question, about, reading, exchanges }) => {
                  const before = changed.get(question);
                  const shown = exchanges.slice(0, LINKS);
                  return html`<tr>
                    <th scope="row">
                      ${text(question, 300)}${about.length > 0 && html`<small>of ${text(about.join(', '), 600)}</small>`}
                    </th>
                    <td>
                      ${reading.mixed && html`<strong class="chip warned">! mixed</strong> `}${before !== undefined && html`<strong class="chip new">~ was ${text(before, 200)}</strong> `}${text(reading.answer, 600)}
                    </td>
                    <td>
                      ${separated(shown.map((id) => evidence.link(id)))}${exchanges.length > shown.length && ` +${exchanges.length - shown.length}`}
                    </td>
                  </tr> `;
                })}
              </tbody>
            </table>
            <details>
              <summary>As sentences for the specification</summary>
              <pre class="command">${sentencesFor(readings)}</pre>
            </details>`
    }
    ${
      results.readings.length > READINGS &&
      html`<p class="note">${results.readings.length - READINGS} more are in results.json.</p>`
    }`;
}
