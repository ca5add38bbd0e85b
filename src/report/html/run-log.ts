import { RULINGS } from '../../contract/rulings.ts';
import { plural } from '../../text/text.ts';
import { exchangeLine } from '../evidence-text.ts';
import { formatDuration, OUTCOME_LABELS } from '../labels.ts';
import { html } from '../markup.ts';
import type { Content, Markup } from '../markup.ts';
import { OUTCOMES } from '../results.ts';
import type { Results } from '../results.ts';
import type { EvidenceBook } from './evidence.ts';
import { badge, clock, requirementLink, separated, statement, text } from './parts.ts';
import { proofSection } from './proof.ts';

/** Waits shorter than this are not worth a line, ms. */
const WAIT_MS = 2_000;
const LINES = 200;

interface LogLine {
  readonly at: number;
  readonly words: string;
  readonly exchange: string | null;
}

/** What is worth telling of the course of a run, taken from its exchanges. */
function logLines(results: Results): readonly LogLine[] {
  const lines: LogLine[] = [];
  let last: number | null = null;
  for (const exchange of results.exchanges) {
    const { sentAt, receivedAt, attempt, error, response, id } = exchange;
    if (last !== null && sentAt - last >= WAIT_MS) {
      lines.push({
        at: last,
        words: `nothing sent for ${formatDuration(sentAt - last)}`,
        exchange: null,
      });
    }
    last = receivedAt;
    if (attempt > 1)
      lines.push({
        at: sentAt,
        words: `attempt ${attempt}: ${exchangeLine(exchange)}`,
        exchange: id,
      });
    if (error !== null) lines.push({ at: receivedAt, words: exchangeLine(exchange), exchange: id });
    else if (response?.status === 429 || (response?.status ?? 0) >= 500) {
      lines.push({ at: receivedAt, words: exchangeLine(exchange), exchange: id });
    }
  }
  return lines;
}

function waiversTable(results: Results): Markup | null {
  if (results.waivers === undefined) return null;
  return html`<h3 id="waivers">Waivers</h3>
    ${
      results.waivers.length === 0
        ? html`<p>The waiver file is empty.</p>`
        : html`<table class="waivers">
            <thead>
              <tr>
                <th scope="col">requirement</th>
                <th scope="col">state</th>
                <th scope="col">owner</th>
                <th scope="col">reason</th>
                <th scope="col">ticket</th>
                <th scope="col">expires</th>
              </tr>
            </thead>
            <tbody>
              ${results.waivers.map(
                (one) =>
                  html`<tr>
                    <th scope="row">
                      ${results.requirements.some(({ id }) => id === one.id) ? requirementLink(one.id) : text(one.id, 120)}
                    </th>
                    <td>
                      <strong
                        class="${one.state === 'applied' || one.state === 'idle' ? 'waived' : 'failed'}"
                        >${one.state === 'applied' ? '~' : one.state === 'idle' ? '–' : '✗'}
                        ${one.state}</strong
                      ><br />${text(one.detail, 400)}
                    </td>
                    <td>${text(one.owner, 120)}</td>
                    <td>${text(one.reason, 400)}</td>
                    <td>${text(one.ticket ?? '–', 200)}</td>
                    <td>${one.expires}</td>
                  </tr> `,
              )}
            </tbody>
          </table>`
    }`;
}

const EXIT_WORDS: Readonly<Record<number, string>> = {
  0: 'conforms, or no violation was found',
  1: 'a must is violated, or what --fail-on, a waiver file or a baseline names',
  2: 'usage or configuration',
  3: 'no verdict was reached',
  4: 'fault of Assay itself',
  5: 'load thresholds crossed',
  130: 'interrupted',
};

/** What was asked of the run, as far as it decides what is sent. No keys: only their fingerprints are on record. */
function settingsList({ settings, profile, seed, target }: Results): Markup | null {
  if (settings === undefined) return null;
  const { only, skip, maxRequests, path, keyHeader, limits, fixtures, forbidden } = settings;
  const names = Object.entries(fixtures);
  const list = (items: readonly string[]): Content =>
    separated(items.slice(0, 20).map((one) => html`<code>${text(one, 120)}</code>`));
  return html`<h3 id="settings">Settings</h3>
    <dl class="facts">
      <dt>Profile, seed</dt>
      <dd>${profile}, ${seed}</dd>
      ${
        (only.length > 0 || skip.length > 0) &&
        html`<dt>Checks</dt>
          <dd>
            ${only.length > 0 && html`only ${list(only)} `}${skip.length > 0 && html`without ${list(skip)}`}
          </dd>`
      }
      ${
        maxRequests !== null &&
        html`<dt>At most</dt>
          <dd>${plural(maxRequests, 'request')} with valid keys</dd>`
      }
      ${
        path !== null &&
        html`<dt>One case</dt>
          <dd><code>${text(path, 200)}</code></dd>`
      }
      <dt>Limits</dt>
      <dd>
        ${plural(limits.requests, 'request')} in ${formatDuration(limits.windowMs)} with one key,
        ${limits.monthlyQuota} a month
      </dd>
      <dt>Key header</dt>
      <dd>
        <code>${text(keyHeader, 120)}</code>${
          Object.keys(target.keys).length > 0 &&
          `, keys: ${Object.entries(target.keys)
            .map(([role, prints]) => `${prints.length} ${role}`)
            .join(', ')}`
        }
      </dd>
      ${
        names.length > 0 &&
        html`<dt>Fixtures</dt>
          <dd>
            ${separated(
              names
                .slice(0, 20)
                .map(([name, value]) => html`${name} <code>${text(String(value), 120)}</code>`),
            )}
          </dd>`
      }
      ${
        forbidden.length > 0 &&
        html`<dt>Forbidden</dt>
          <dd>to the restricted key: ${list(forbidden)}</dd>`
      }
    </dl>`;
}

/** Settings, notes, waivers and the course of the run. */
export function runSection(results: Results, evidence: EvidenceBook): Markup {
  const lines = logLines(results);
  const redacted = results.exchanges.filter(({ key }) => key !== null).length;
  return html`<h2>Run</h2>
    <dl class="facts">
      <dt>Started</dt>
      <dd>${clock(results.startedAt)} (<code>${results.startedAt}</code>)</dd>
      <dt>Ended</dt>
      <dd>${clock(results.endedAt)}</dd>
      <dt>Specification</dt>
      <dd>SHA-256 <code>${results.spec.sha256}</code></dd>
      <dt>Envelope</dt>
      <dd>
        ${results.target.envelope === null ? 'none: bare bodies are judged' : html`the member <code>${text(results.target.envelope)}</code> of every body is judged`}
      </dd>
      <dt>Exit code</dt>
      <dd>
        ${results.exitCode}: ${EXIT_WORDS[results.exitCode] ?? 'not one of the documented codes'}
      </dd>
      <dt>Redacted</dt>
      <dd>
        the key header of ${plural(redacted, 'request')}, when it was recorded; bodies may hold
        other data of the target
      </dd>
    </dl>
    ${settingsList(results)}
    <h3 id="notes">Notes</h3>
    ${
      results.notes.length === 0
        ? html`<p>None.</p>`
        : html`<ul>
            ${results.notes.map((note) => html`<li>${text(note)}</li> `)}
          </ul>`
    }
    ${waiversTable(results)}
    <h3 id="log">Log</h3>
    <p class="note">
      Pauses of ${formatDuration(WAIT_MS)} and more, refusals by the limiter, server errors,
      requests without an answer and repetitions. <a href="#exchanges">All exchanges</a>
    </p>
    <ol class="log">
      <li><time>${clock(results.startedAt)}</time> started</li>
      ${lines
        .slice(0, LINES)
        .map(
          ({ at, words, exchange }) =>
            html`<li>
              <time>${clock(at)}</time> ${text(words, 300)}
              ${exchange !== null && evidence.link(exchange)}
            </li> `,
        )}
      ${lines.length > LINES && html`<li>${lines.length - LINES} more lines are left out.</li>`}
      <li><time>${clock(results.endedAt)}</time> ended: ${results.verdict}</li>
    </ol>`;
}

/** What the words of the report mean, and how it judges. */
export function legendSection(results: Results): Markup {
  return html`<h2>Legend and method</h2>
    <dl class="facts">
      ${OUTCOMES.map(
        (outcome) =>
          html`<dt>${badge(outcome)}</dt>
            <dd>${OUTCOME_LABELS[outcome].meaning}</dd> `,
      )}
      <dt>must</dt>
      <dd>the specification states it; a violation fails the run</dd>
      <dt>should</dt>
      <dd>it follows from a stated meaning; a departure is a warning</dd>
      <dt>observe</dt>
      <dd>
        the specification is silent or contradicts itself; behaviour is recorded, never failed
      </dd>
      <dt>control</dt>
      <dd>
        the request that differs from a refused one in a single parameter and succeeds; without it a
        refusal proves nothing
      </dd>
    </dl>
    ${proofSection(results)}
    <h3 id="verdict">Verdict</h3>
    <p>
      Any must violated: violates. Else any must inconclusive, or the run cut short, or nothing
      verified: incomplete. Else, when every must is verified, waived, or shows nothing to verify
      today: conforms. Else no violation found, with the number of musts that were verified.
    </p>
    <h3 id="rulings">Rulings</h3>
    <p>How clauses that can be read in more than one way are judged.</p>
    <ol class="rulings">
      ${Object.values(RULINGS).map((ruling) => html`<li>${statement(ruling)}</li> `)}
    </ol>`;
}
