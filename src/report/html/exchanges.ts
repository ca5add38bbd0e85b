import { plural } from '../../text/text.ts';
import { exchangeLine } from '../evidence-text.ts';
import { formatDuration } from '../labels.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { Results } from '../results.ts';
import type { EvidenceBook } from './evidence.ts';
import { anchor } from './parts.ts';

/** Rows written without a script; the explorer lists all. */
const ROWS = 300;

/** Exchanges as a list. With a script the explorer takes its place; without, it tells what was sent. */
export function exchangesSection(results: Results, evidence: EvidenceBook): Markup {
  const rest = evidence.remaining();
  return html`<h2>Exchanges</h2>
    <p class="note">
      ${plural(results.exchanges.length, 'exchange')} on record. Those that a finding points to are
      shown with it; bodies of all are in <code>results.json</code> and <code>exchanges.har</code>.
    </p>
    <table class="matrix exchanges">
      <thead>
        <tr>
          <th scope="col">id</th>
          <th scope="col">request and status</th>
          <th scope="col">key</th>
          <th scope="col">time</th>
        </tr>
      </thead>
      <tbody>
        ${rest.slice(0, ROWS).map(
          (exchange) =>
            html`<tr id="${anchor('x', exchange.id)}">
              <th scope="row">${exchange.id}</th>
              <td>${exchangeLine(exchange)}</td>
              <td>${exchange.role}</td>
              <td>${formatDuration(exchange.receivedAt - exchange.sentAt)}</td>
            </tr> `,
        )}
      </tbody>
    </table>
    ${rest.length > ROWS && html`<p class="note">${rest.length - ROWS} more are in results.json.</p>`}`;
}
