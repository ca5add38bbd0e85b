import { curlLine } from '../../text/curl.ts';
import { plural } from '../../text/text.ts';
import type { Cause } from '../causes.ts';
import { ageWords } from '../diff-words.ts';
import { exchangeLine } from '../evidence-text.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { wordsById } from '../history.ts';
import { rerunCommand, rerunNote } from '../rerun.ts';
import type { Results } from '../results.ts';
import type { EvidenceBook } from './evidence.ts';
import { anchor, badge, message, requirementLink, separated, statement, text } from './parts.ts';
import { isNew, nothingFound } from './summary.ts';

/** Causes shown in full; more would hide each other. The rest is a list. */
const FULL = 25;
const LISTED = 150;
/** Single findings of one cause. */
const MEMBERS = 10;

function age(cause: Cause, results: Results): Markup | null {
  if (isNew(cause, results)) return html`<strong class="chip new">new</strong>`;
  const since = cause.requirements.map((one) => one.since).find((one) => one !== undefined);
  const words = ageWords(since, results.startedAt);
  return words === '' ? null : html`<span class="chip plain">${words}</span>`;
}

function extent(cause: Cause): string {
  return [
    plural(cause.members.length, 'finding'),
    plural(cause.requirements.length, 'requirement'),
    ...(cause.endpoints.length > 0 ? [plural(cause.endpoints.length, 'endpoint')] : []),
  ].join(', ');
}

function members(cause: Cause, evidence: EvidenceBook): Markup | null {
  if (cause.members.length === 1) return null;
  const shown = cause.members.slice(0, MEMBERS);
  const more = cause.members.length - shown.length;
  return html`<details>
    <summary>All ${cause.members.length} findings of this cause</summary>
    <ul>
      ${shown.map(
        ({ requirement, finding }) =>
          html`<li>
            ${requirementLink(requirement.id)} ${message(finding.message, 300)}: expected
            <code>${text(finding.expected, 200)}</code>, actual
            <code>${text(finding.actual, 200)}</code>${
              finding.pointer !== null &&
              finding.pointer !== '' &&
              html` at <code>${text(finding.pointer, 200)}</code>`
            }${finding.exchange !== null && html` in ${evidence.link(finding.exchange)}`}
          </li> `,
      )}
    </ul>
    ${more > 0 && html`<p class="note">${more} more are with their requirements.</p>`}
  </details>`;
}

function card(
  cause: Cause,
  number: number,
  results: Results,
  evidence: EvidenceBook,
  history: ReadonlyMap<string, string>,
): Markup {
  const { finding, requirement } = cause.example;
  const { exchange } = cause;
  const told = cause.requirements.map(({ id }) => history.get(id)).find((one) => one !== undefined);
  const pointer =
    finding.pointer === null ? null : finding.pointer === '' ? 'the whole body' : finding.pointer;
  return html`<article
    id="${anchor('f', cause.id)}"
    class="finding ${cause.outcome}"
    data-cause="${cause.id}"
  >
    <h4><span class="number">${number}</span> ${message(cause.message)}</h4>
    <p class="meta">
      ${badge(cause.outcome)} ${age(cause, results)} <span class="note">${extent(cause)}</span>
      ${told !== undefined && html`<span class="chip plain">${told}</span>`}
    </p>
    <p class="claim">
      ${requirementLink(requirement.id)} (§${requirement.section}, ${requirement.level}):
      ${statement(requirement.title)}
    </p>
    <div class="compare">
      <p class="expected"><b>Expected</b> <code>${text(finding.expected)}</code></p>
      <p class="actual"><b>Actual</b> <code>${text(finding.actual)}</code></p>
    </div>
    ${
      (pointer !== null || exchange !== null) &&
      html`<p>
        ${pointer !== null && html`At <code>${text(pointer, 300)}</code> `}${
          exchange !== null &&
          html`in ${evidence.link(exchange.id)} <code>${exchangeLine(exchange)}</code>`
        }
      </p>`
    }
    ${
      cause.endpoints.length > 1 &&
      html`<p>
        Endpoints:
        ${separated(cause.endpoints.slice(0, 12).map((path) => html`<code>${text(path, 120)}</code>`))}${
          cause.endpoints.length > 12 && ` and ${cause.endpoints.length - 12} more`
        }
      </p>`
    }
    ${
      cause.requirements.length > 1 &&
      html`<p>
        Also against
        ${separated(
          cause.requirements
            .filter(({ id }) => id !== requirement.id)
            .slice(0, 12)
            .map(({ id }) => requirementLink(id)),
        )}${cause.requirements.length > 13 && ` and ${cause.requirements.length - 13} more`}
      </p>`
    }
    ${cause.advice !== null && html`<p class="advice">${cause.advice}</p>`}
    <dl class="commands">
      ${
        exchange !== null &&
        html`<dt>Send it again</dt>
          <dd><pre class="command">${curlLine(exchange)}</pre></dd>`
      }
      <dt>Judge it again</dt>
      <dd><pre class="command">${rerunCommand(results, { id: requirement.id })}</pre></dd>
      ${
        finding.replay != null &&
        html`<dt>Judge this case alone</dt>
          <dd>
            <pre class="command">
${rerunCommand(results, { id: requirement.id, path: finding.replay })}</pre>
          </dd>`
      }
    </dl>
    ${exchange !== null && evidence.show(exchange, finding.pointer)} ${members(cause, evidence)}
  </article> `;
}

/** Findings by cause, violations first: each one can be decided from what stands here. */
export function findingsSection(
  causes: readonly Cause[],
  results: Results,
  evidence: EvidenceBook,
): Markup {
  const history = wordsById(results);
  const note = rerunNote(results);
  const rest = causes.slice(FULL);
  const of = (outcome: Cause['outcome']): number =>
    causes.filter((cause) => cause.outcome === outcome).length;
  return html`<h3 id="findings">
      Findings: ${plural(of('failed'), 'violation')}, ${plural(of('warned'), 'warning')} by cause
    </h3>
    ${causes.length === 0 ? html`<p>${nothingFound(results)}</p>` : note !== null && html`<p class="note">In the commands below: ${note}</p>`}
    ${causes.slice(0, FULL).map((cause, index) => card(cause, index + 1, results, evidence, history))}
    ${
      rest.length > 0 &&
      html`<h4>${rest.length} more, in short</h4>
        <ul class="index">
          ${rest
            .slice(0, LISTED)
            .map(
              (cause) =>
                html`<li id="${anchor('f', cause.id)}">
                  ${badge(cause.outcome)} ${requirementLink(cause.example.requirement.id)}
                  ${message(cause.message, 200)} <span class="note">(${extent(cause)})</span>
                </li> `,
            )}
        </ul>
        ${
          rest.length > LISTED &&
          html`<p class="note">
            ${rest.length - LISTED} more are with their requirements in
            <a href="#requirements">the matrix</a>.
          </p>`
        }`
    }`;
}
