import type { Cause } from './causes.ts';
import { curlLine } from '../text/curl.ts';
import { rerunCommand } from './rerun.ts';
import { placeText } from './evidence-text.ts';
import { anchor } from './html-exchange.ts';
import type { EvidenceBook } from './html-exchange.ts';
import { LEVELS, OUTCOME_LABELS, bySection, countOutcomes, outcomesSeen } from './labels.ts';
import { html } from './markup.ts';
import type { Content, Markup } from './markup.ts';
import { OUTCOMES } from './results.ts';
import type { Outcome, RequirementResult, Results } from './results.ts';
import { cut, plural } from '../text/text.ts';
import { groupUnjudged } from './unjudged.ts';

/** Longest message, value or reason shown; recorded in full in results.json. */
const TEXT = 1_000;
const LINKS = 8;

function badge(outcome: Outcome): Markup {
  const { icon, word } = OUTCOME_LABELS[outcome];
  return html`<span class="outcome ${outcome === 'error' ? 'o-error' : outcome}"
    >${icon} ${word}</span
  >`;
}

function requirementLink(id: string): Markup {
  return html`<a href="#${anchor('r', id)}"><code>${id}</code></a>`;
}

function separated(items: readonly Markup[]): Content {
  return items.map((item, index) => (index === 0 ? item : html`, ${item}`));
}

/** Counts by level, with a bar for each level. */
export function countsSection(results: Results): Markup {
  const outcomes = outcomesSeen(results.requirements);
  const counts = countOutcomes(results.requirements);
  const bars = LEVELS.map((level) => {
    const total = outcomes.reduce((sum, outcome) => sum + counts[level][outcome], 0);
    if (total === 0) return null;
    let x = 0;
    const parts = outcomes.map((outcome) => {
      const width = (counts[level][outcome] / total) * 100;
      const start = x;
      x += width;
      return html`<rect
        class="${outcome === 'error' ? 'o-error' : outcome}"
        x="${start.toFixed(3)}"
        y="0"
        width="${width.toFixed(3)}"
        height="4"
      />`;
    });
    const words = outcomes
      .filter((outcome) => counts[level][outcome] > 0)
      .map((outcome) => `${counts[level][outcome]} ${OUTCOME_LABELS[outcome].word}`)
      .join(', ');
    return html`<svg
      class="bar"
      viewBox="0 0 100 4"
      preserveAspectRatio="none"
      role="img"
      aria-label="${level}: ${words}"
    >
      ${parts}
    </svg> `;
  });
  return html`<table class="counts">
      <caption>
        Requirements by level and outcome
      </caption>
      <thead>
        <tr>
          <th scope="col">level</th>
          ${outcomes.map((outcome) => html`<th scope="col">${badge(outcome)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${LEVELS.map(
          (level) =>
            html`<tr>
              <th scope="row">${level}</th>
              ${outcomes.map(
                (outcome) =>
                  html`<td class="${counts[level][outcome] === 0 ? 'zero' : ''}">
                    ${counts[level][outcome]}
                  </td>`,
              )}
            </tr> `,
        )}
      </tbody>
    </table>
    ${bars}`;
}

function causeArticle(cause: Cause, results: Results, evidence: EvidenceBook): Markup {
  const { finding, requirement } = cause.example;
  const place = placeText(finding, cause.exchange);
  const extent = [
    plural(cause.members.length, 'finding'),
    plural(cause.requirements.length, 'requirement'),
    ...(cause.endpoints.length > 0 ? [plural(cause.endpoints.length, 'endpoint')] : []),
  ].join(', ');
  const others =
    cause.members.length === 1
      ? null
      : html`<details>
          <summary>All ${cause.members.length} findings of this cause</summary>
          <ul>
            ${cause.members.map(
              (member) =>
                html`<li>
                  ${requirementLink(member.requirement.id)} ${cut(member.finding.message, TEXT)}
                  Expected <code>${cut(member.finding.expected, TEXT)}</code>, actual
                  <code>${cut(member.finding.actual, TEXT)}</code>${
                    member.finding.pointer === null
                      ? null
                      : html` at <code>${member.finding.pointer}</code>`
                  }${member.finding.exchange === null ? null : html` in ${evidence.link(member.finding.exchange)}`}
                </li> `,
            )}
          </ul>
        </details>`;
  return html`<article
    id="${anchor('f', cause.id)}"
    class="${cause.outcome === 'failed' ? 'violation' : 'warning'}"
  >
    <h3>${badge(cause.outcome)} ${cut(cause.message, TEXT)}</h3>
    <p class="note">${extent}</p>
    <dl>
      <dt>Requirement</dt>
      <dd>
        ${separated(cause.requirements.map((one) => requirementLink(one.id)))}<br />${cut(requirement.title, TEXT)}
        (§${requirement.section}, ${requirement.level})
      </dd>
      <dt>Expected</dt>
      <dd><code>${cut(finding.expected, TEXT)}</code></dd>
      <dt>Actual</dt>
      <dd><code>${cut(finding.actual, TEXT)}</code></dd>
      ${
        place === ''
          ? null
          : html`<dt>At</dt>
              <dd><code>${place}</code></dd>`
      }
      ${
        cause.endpoints.length === 0
          ? null
          : html`<dt>Endpoints</dt>
              <dd>${separated(cause.endpoints.map((path) => html`<code>${path}</code>`))}</dd>`
      }
      ${
        cause.advice === null
          ? null
          : html`<dt>Advice</dt>
              <dd>${cause.advice}</dd>`
      }
    </dl>
    ${
      cause.exchange === null
        ? null
        : html`<h4>Repeat the request</h4>
            <pre>${curlLine(cause.exchange)}</pre>`
    }
    <h4>Judge it again</h4>
    <pre>${rerunCommand(results, requirement.id)}</pre>
    ${cause.exchange === null ? null : evidence.show(cause.exchange, finding.pointer)} ${others}
  </article> `;
}

/** Findings by cause, violations first. */
export function findingsSection(
  causes: readonly Cause[],
  results: Results,
  evidence: EvidenceBook,
): Markup {
  const of = (outcome: Cause['outcome']): readonly Cause[] =>
    causes.filter((cause) => cause.outcome === outcome);
  const group = (title: string, id: string, list: readonly Cause[], none: string): Markup =>
    html`<h2 id="${id}">${title}: ${plural(list.length, 'cause')}</h2>
      ${list.length === 0 ? html`<p>${none}</p>` : list.map((cause) => causeArticle(cause, results, evidence))}`;
  return html`${group('Violations', 'violations', of('failed'), 'No violation was found in what was judged.')}
  ${group('Warnings', 'warnings', of('warned'), 'No warning.')}`;
}

/** What was not verified, by the setting that would change it. */
export function unjudgedSection(results: Results): Markup {
  const groups = groupUnjudged(results.requirements);
  const total = groups.reduce((sum, group) => sum + group.requirements.length, 0);
  return html`<h2 id="not-verified">Not verified: ${plural(total, 'requirement')}</h2>
    ${
      groups.length === 0
        ? html`<p>Every requirement was judged.</p>`
        : html`<ul>
            ${groups.map(
              (group) =>
                html`<li>
                  ${badge(group.outcome)}
                  ${group.setting === null ? null : html`<strong>setting <code>${group.setting}</code>:</strong> `}${group.reasons
                    .map((reason) => cut(reason, TEXT))
                    .join('; ')}
                  <br />${separated(group.requirements.map((one) => requirementLink(one.id)))}
                </li> `,
            )}
          </ul>`
    }`;
}

function remarks(requirement: RequirementResult, inCause: string | undefined): Content {
  const { reason, reading, checks, findings, outcome } = requirement;
  const withFindings = outcome !== 'failed' && outcome !== 'warned' ? findings : [];
  return [
    inCause !== undefined && html`<a href="#${anchor('f', inCause)}">see the finding</a> `,
    reason !== null && html`${cut(reason, TEXT)} `,
    reading !== null && html`<span>Reading: ${cut(reading, TEXT)}</span> `,
    withFindings.length > 0 &&
      html`<ul>
        ${withFindings.map((finding) => html`<li>${cut(finding.message, TEXT)}</li>`)}
      </ul>`,
    checks.length > 1 &&
      html`<details>
        <summary>${checks.length} checks</summary>
        <ul>
          ${checks.map(
            (check) =>
              html`<li>
                ${badge(check.outcome)}
                ${cut(check.title, TEXT)}${check.reason === null ? null : html`: ${cut(check.reason, TEXT)}`}
              </li> `,
          )}
        </ul>
      </details>`,
  ];
}

/** Every requirement by section of the specification, with its outcome and evidence. */
export function matrixSection(
  causes: readonly Cause[],
  results: Results,
  evidence: EvidenceBook,
): Markup {
  const causeOf = new Map<string, string>();
  for (const cause of causes) {
    for (const one of cause.requirements) if (!causeOf.has(one.id)) causeOf.set(one.id, cause.id);
  }
  const row = (requirement: RequirementResult): Markup => {
    const shown = requirement.exchanges.slice(0, LINKS).map((id) => evidence.link(id));
    const more = requirement.exchanges.length - shown.length;
    return html`<tr id="${anchor('r', requirement.id)}">
      <td>${badge(requirement.outcome)}</td>
      <th scope="row"><code>${requirement.id}</code></th>
      <td>${requirement.level}</td>
      <td>${cut(requirement.title, TEXT)}</td>
      <td>${remarks(requirement, causeOf.get(requirement.id))}</td>
      <td>${separated(shown)}${more > 0 && ` and ${more} more`}</td>
    </tr> `;
  };
  return html`<h2 id="requirements">Requirements: ${results.requirements.length}</h2>
    ${bySection(results.requirements).map(
      ([section, requirements]) =>
        html`<h3 id="${anchor('s', section)}">§${section}</h3>
          <table class="matrix">
            <thead>
              <tr>
                <th scope="col">outcome</th>
                <th scope="col">requirement</th>
                <th scope="col">level</th>
                <th scope="col">statement</th>
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

/** Which of the allowed behaviours the target follows. */
export function readingsSection(results: Results, evidence: EvidenceBook): Markup {
  return html`<h2 id="readings">Readings: ${results.readings.length}</h2>
    <p class="note">
      Where the specification allows several behaviours, this is what the target does. Nothing here
      counts against it.
    </p>
    <dl>
      ${results.readings.map(
        (reading) =>
          html`<dt>${cut(reading.question, TEXT)}</dt>
            <dd>
              ${cut(reading.answer, TEXT)}${reading.mixed && html` <strong class="warned">(! mixed)</strong>`}
              ${separated(reading.exchanges.slice(0, LINKS).map((id) => evidence.link(id)))}
            </dd> `,
      )}
    </dl>`;
}

/** What the outcomes mean. */
export function legendSection(): Markup {
  return html`<h2 id="legend">Legend</h2>
    <dl>
      ${OUTCOMES.map(
        (outcome) =>
          html`<dt>${badge(outcome)}</dt>
            <dd>${OUTCOME_LABELS[outcome].meaning}</dd> `,
      )}
    </dl>`;
}
