import { plural } from '../../text/text.ts';
import { historyWords, readHistory } from '../history.ts';
import { OUTCOME_LABELS } from '../labels.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { Outcome, OutcomeHistory, RequirementResult, Results } from '../results.ts';
import { clock, outcomeClass, requirementLink } from './parts.ts';

const ROWS = 120;

/** Outcomes over time as a row of signs, the oldest first, with the same in words for those who cannot see it. */
function outcomeRow(past: readonly (Outcome | null)[], now: Outcome): Markup {
  const all = [...past, now];
  const label = all.map((one) => (one === null ? 'not in the run' : OUTCOME_LABELS[one].word));
  return html`<span class="row" role="img" aria-label="${label.join(', ')}"
    >${all.map((one) =>
      one === null
        ? html`<i>·</i>`
        : html`<i class="${outcomeClass(one)}">${OUTCOME_LABELS[one].icon}</i>`,
    )}</span
  >`;
}

/** How requirements came out over the earlier runs that lie beside this one; nothing when there are none. */
export function historySection(results: Results): Markup | null {
  const history = readHistory(results);
  if (history === undefined) return null;
  const rows = results.requirements.flatMap((requirement) => {
    const past = history.outcomes[requirement.id];
    return past === undefined ? [] : [{ requirement, past }];
  });
  return html`<h3 id="history">History over ${plural(history.runs.length + 1, 'run')}</h3>
    <p class="note">
      Runs of this target beside this one since
      ${clock(history.runs[0]?.startedAt ?? results.startedAt)}, the oldest first, this one last.
      Requirements that were never violated are left out.
    </p>
    ${rows.length === 0 ? html`<p>None was violated in any of them.</p>` : historyTable(rows, history)}`;
}

interface Row {
  readonly requirement: RequirementResult;
  readonly past: readonly (Outcome | null)[];
}

function historyTable(rows: readonly Row[], { runs }: OutcomeHistory): Markup {
  return html`<table class="matrix history">
      <thead>
        <tr>
          <th scope="col">requirement</th>
          <th scope="col">outcomes</th>
          <th scope="col">in words</th>
        </tr>
      </thead>
      <tbody>
        ${rows.slice(0, ROWS).map(
          ({ requirement, past }) =>
            html`<tr>
              <th scope="row">${requirementLink(requirement.id)}</th>
              <td>${outcomeRow(past, requirement.outcome)}</td>
              <td>
                ${historyWords(past, requirement.outcome) ?? 'judged in one of the runs only'}
              </td>
            </tr> `,
        )}
      </tbody>
    </table>
    ${rows.length > ROWS && html`<p class="note">${rows.length - ROWS} more are in results.json.</p>`}
    <details>
      <summary>The ${plural(runs.length, 'earlier run')}</summary>
      <ol>
        ${runs.map(({ startedAt, verdict }) => html`<li>${clock(startedAt)}: ${verdict}</li> `)}
      </ol>
    </details>`;
}
