import { plural } from '../../text/text.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { Results } from '../results.ts';
import { groupUnjudged } from '../unjudged.ts';
import { badge, message, requirementLink, separated } from './parts.ts';

/** Ids listed for one reason; the matrix has all. */
const IDS = 24;
const GROUPS = 40;

/** What was not verified, by the setting that would change it. */
export function gapsSection(results: Results): Markup {
  const groups = groupUnjudged(results.requirements);
  const total = groups.reduce((sum, group) => sum + group.requirements.length, 0);
  return html`<h3 id="not-verified">Not verified: ${plural(total, 'requirement')}</h3>
    ${
      groups.length === 0
        ? html`<p>Every requirement was judged.</p>`
        : html`<table class="gaps">
            <thead>
              <tr>
                <th scope="col">outcome</th>
                <th scope="col">what would change it</th>
                <th scope="col">requirements</th>
              </tr>
            </thead>
            <tbody>
              ${groups.slice(0, GROUPS).map((group) => {
                const shown = group.requirements.slice(0, IDS);
                const more = group.requirements.length - shown.length;
                return html`<tr>
                  <td>${badge(group.outcome)}</td>
                  <td>
                    ${
                      group.setting !== null &&
                      html`<strong>set <code>${group.setting}</code></strong
                        ><br />`
                    }${group.reasons
                      .slice(0, 4)
                      .map((reason, index) => [index > 0 && '; ', message(reason, 300)])}
                  </td>
                  <td>
                    <strong>${group.requirements.length}</strong>:
                    ${separated(shown.map(({ id }) => requirementLink(id)))}${more > 0 && ` and ${more} more`}
                  </td>
                </tr> `;
              })}
            </tbody>
          </table>`
    }
    ${
      groups.length > GROUPS &&
      html`<p class="note">${groups.length - GROUPS} more reasons are in the matrix.</p>`
    }`;
}
