import { groupCauses } from './causes.ts';
import { createEvidence } from './html-exchange.ts';
import {
  countsSection,
  findingsSection,
  legendSection,
  matrixSection,
  readingsSection,
  unjudgedSection,
} from './html-sections.ts';
import { STYLE } from './html-style.ts';
import { VERDICT_WORDS, formatDuration, runLength } from './labels.ts';
import { html, styleElement } from './markup.ts';
import type { Markup } from './markup.ts';
import type { Results } from './results.ts';
import { plural } from '../text/text.ts';

function facts(results: Results): Markup {
  const { target, requests } = results;
  const roles = Object.entries(requests.byRole).filter(([, count]) => count > 0);
  const keys = Object.entries(target.keys).filter(([, prints]) => prints.length > 0);
  return html`<dl>
    <dt>Target</dt>
    <dd><code>${target.baseUrl}</code>${target.reference && ' (embedded reference server)'}</dd>
    <dt>Specification</dt>
    <dd>SHA-256 <code>${results.spec.sha256}</code></dd>
    <dt>Run</dt>
    <dd>
      ${results.startedAt} to ${results.endedAt} (${formatDuration(runLength(results))}), profile
      ${results.profile}, seed ${results.seed}
    </dd>
    <dt>Requests</dt>
    <dd>
      ${requests.total}${roles.length > 0 && ` (keys: ${roles.map(([role, count]) => `${count} ${role}`).join(', ')})`},
      ${formatDuration(requests.waitedMs)} spent waiting for the rate limit
    </dd>
    ${
      keys.length > 0 &&
      html`<dt>Keys</dt>
        <dd>${keys.map(([role, prints]) => `${role}: ${prints.join(', ')}`).join('; ')}</dd>`
    }
    ${
      target.envelope !== null &&
      html`<dt>Envelope</dt>
        <dd>the member <code>${target.envelope}</code> of every body is judged</dd>`
    }
    <dt>Assay</dt>
    <dd>${results.tool.version}</dd>
  </dl>`;
}

/**
 * Renders `report.html`: one file, no script, no request to anywhere. Everything that a target sent is escaped text;
 * the page's own policy forbids all but its one style, should an escape ever be missed.
 */
export function renderHtml(results: Results): string {
  const causes = groupCauses(results);
  const evidence = createEvidence(results.exchanges);
  const style = styleElement(STYLE);
  const policy = `default-src 'none'; style-src ${style.source}; base-uri 'none'; form-action 'none'`;
  const word = VERDICT_WORDS[results.verdict];
  const count = (outcome: 'failed' | 'warned'): string =>
    plural(causes.filter((cause) => cause.outcome === outcome).length, 'cause');
  // Findings come first: they show their exchanges in full, the rest of the page links to them.
  const findings = findingsSection(causes, results, evidence);
  const rest = evidence.remaining();
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${word}: conformance of ${results.target.baseUrl}</title>
        ${style.element}
      </head>
      <body>
        <header>
          <a class="skip" href="#main">Skip to the findings</a>
          <h1>Conformance to the Crypto Market Data Service</h1>
          <div class="verdict ${results.verdict}">
            <p class="word">${word}</p>
            <p>${results.sentence}</p>
          </div>
          ${countsSection(results)} ${facts(results)}
        </header>
        <nav aria-label="Sections">
          <ul>
            <li><a href="#violations">Violations (${count('failed')})</a></li>
            <li><a href="#warnings">Warnings (${count('warned')})</a></li>
            <li><a href="#not-verified">Not verified</a></li>
            <li><a href="#requirements">Requirements</a></li>
            <li><a href="#readings">Readings</a></li>
            <li><a href="#notes">Notes</a></li>
            <li><a href="#exchanges">Exchanges</a></li>
            <li><a href="#legend">Legend</a></li>
          </ul>
        </nav>
        <main id="main">
          ${findings} ${unjudgedSection(results)} ${matrixSection(causes, results, evidence)}
          ${readingsSection(results, evidence)}
          <h2 id="notes">Notes</h2>
          ${
            results.notes.length === 0
              ? html`<p>None.</p>`
              : html`<ul>
                  ${results.notes.map((note) => html`<li>${note}</li> `)}
                </ul>`
          }
          <h2 id="exchanges">Exchanges</h2>
          <p class="note">
            ${plural(results.exchanges.length, 'exchange')} on record; those of the findings are
            shown there, the others here.
          </p>
          ${rest.map((exchange) => evidence.show(exchange, null))} ${legendSection()}
        </main>
        <footer>
          <p class="note">
            Keys were redacted when they were recorded. Bodies may hold other data of the target.
          </p>
        </footer>
      </body>
    </html> `;
  return page.toString();
}
