import { plural } from '../../text/text.ts';
import { formatDuration, OUTCOME_LABELS } from '../labels.ts';
import type { LoadResult, LoadWindow } from '../load-results.ts';
import { readLoad } from '../load-view.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { Outcome, Results } from '../results.ts';
import { bar, clock, outcomeClass, text } from './parts.ts';

const WIDTH = 720;
const HEIGHT = 110;
/** Columns of the chart: wider windows of time are put together. */
const COLUMNS = 120;
const ROWS = 60;

function outcomeMark(outcome: string): Markup {
  const known = outcome in OUTCOME_LABELS ? OUTCOME_LABELS[outcome as Outcome] : null;
  const name = known === null ? 'untested' : outcomeClass(outcome as Outcome);
  return html`<span class="outcome ${name}"
    >${known?.icon ?? '?'} ${known?.word ?? text(outcome, 40)}</span
  >`;
}

interface Column {
  readonly admitted: number;
  readonly refused: number;
}

/** Admitted and refused requests over the time of a run, windows spread over the columns that they touch first. */
function columns(windows: readonly LoadWindow[], start: number, end: number): readonly Column[] {
  const list = Array.from({ length: COLUMNS }, () => ({ admitted: 0, refused: 0 }));
  for (const one of windows) {
    const share = (one.from - start) / Math.max(1, end - start);
    const column = list[Math.min(COLUMNS - 1, Math.max(0, Math.floor(share * COLUMNS)))];
    if (column === undefined) continue;
    column.admitted += one.admitted;
    column.refused += one.refused;
  }
  return list;
}

function chart(load: LoadResult): Markup {
  const start = Math.min(...load.windows.map(({ from }) => from));
  const end = Math.max(...load.windows.map(({ to }) => to), start + 1);
  const list = columns(load.windows, start, end);
  const most = Math.max(1, ...list.map(({ admitted, refused }) => admitted + refused));
  const step = WIDTH / COLUMNS;
  return html`<figure>
    <figcaption>
      Requests by window over ${formatDuration(end - start)}: admitted below, refused above; the
      highest column holds ${most}
    </figcaption>
    <svg
      class="chart"
      viewBox="0 0 ${WIDTH} ${HEIGHT}"
      role="img"
      aria-label="${plural(load.windows.length, 'window')}, ${load.requests.admitted} requests admitted, ${load.requests.refused} refused"
    >
      ${list.map(({ admitted, refused }, index) => {
        const low = (admitted / most) * HEIGHT;
        const high = (refused / most) * HEIGHT;
        return [
          admitted > 0 &&
            html`<rect
              class="passed"
              x="${(index * step).toFixed(1)}"
              y="${(HEIGHT - low).toFixed(1)}"
              width="${(step - 1).toFixed(1)}"
              height="${low.toFixed(1)}"
            />`,
          refused > 0 &&
            html`<rect
              class="warned"
              x="${(index * step).toFixed(1)}"
              y="${(HEIGHT - low - high).toFixed(1)}"
              width="${(step - 1).toFixed(1)}"
              height="${high.toFixed(1)}"
            />`,
        ];
      })}
    </svg>
  </figure>`;
}

const ms = formatDuration;

function scenario(load: LoadResult): Markup {
  const { requests, health } = load;
  return html`<h3>${text(load.scenario, 60)}: ${text(load.title, 200)}</h3>
    <p>${outcomeMark(load.outcome)} ${text(load.reason)}</p>
    <dl class="facts">
      <dt>Requests</dt>
      <dd>
        ${requests.sent} sent: ${requests.admitted} admitted, ${requests.refused} refused by the
        limiter, ${requests.other} other answers, ${requests.failed} without an answer
        ${bar('Requests by what became of them', [
          { name: 'passed', count: requests.admitted },
          { name: 'warned', count: requests.refused },
          { name: 'observed', count: requests.other },
          { name: 'failed', count: requests.failed },
        ])}
      </dd>
      <dt>Generator</dt>
      <dd>
        k6 ${text(load.k6.version, 40)}, ${health.vus} virtual users, ${health.iterations}
        iterations, ${health.dropped}
        dropped${health.spreadMs !== null && `, bursts start within ${ms(health.spreadMs)}`}
      </dd>
      <dt>Time</dt>
      <dd>${clock(load.startedAt)} to ${clock(load.endedAt)}</dd>
      <dt>Run it again</dt>
      <dd><pre class="command">${text(load.command)}</pre></dd>
    </dl>
    ${
      load.windows.length > 1
        ? chart(load)
        : html`<p class="note">
            No chart: the run had ${plural(load.windows.length, 'window')}, too few to show a
            course.
          </p>`
    }
    ${
      load.requirements.length > 0 &&
      html`<table class="matrix">
        <caption>
          Judged on what came back
        </caption>
        <thead>
          <tr>
            <th scope="col">outcome</th>
            <th scope="col">requirement</th>
            <th scope="col">judged on</th>
            <th scope="col">expected</th>
            <th scope="col">actual</th>
          </tr>
        </thead>
        <tbody>
          ${load.requirements.slice(0, ROWS).map((one) => {
            const [first] = one.findings;
            return html`<tr>
              <td>${outcomeMark(one.outcome)}</td>
              <th scope="row">
                <code>${text(one.id, 100)}</code> <span class="note">${text(one.title, 200)}</span>
              </th>
              <td>${one.judged}</td>
              <td>${first === undefined ? '–' : text(first.expected, 200)}</td>
              <td>
                ${first === undefined ? '–' : `${text(first.message, 200)} ${text(first.actual, 200)}`}${one.total > 1 && ` (${one.total} findings)`}
              </td>
            </tr> `;
          })}
        </tbody>
      </table>`
    }
    ${
      load.latency.length > 0 &&
      html`<table>
        <caption>
          Latency by endpoint and status
        </caption>
        <thead>
          <tr>
            <th scope="col">endpoint</th>
            <th scope="col">status</th>
            <th scope="col">answers</th>
            <th scope="col">median</th>
            <th scope="col">95 %</th>
            <th scope="col">99 %</th>
            <th scope="col">slowest</th>
          </tr>
        </thead>
        <tbody>
          ${load.latency.slice(0, ROWS).map(
            (one) =>
              html`<tr>
                <th scope="row"><code>${text(one.endpoint, 120)}</code></th>
                <td>${text(one.status, 20)}${one.status === '429' && ' (by design)'}</td>
                <td>${one.count}</td>
                <td>${ms(one.p50)}</td>
                <td>${ms(one.p95)}</td>
                <td>${ms(one.p99)}</td>
                <td>${ms(one.max)}</td>
              </tr> `,
          )}
        </tbody>
      </table>`
    }
    ${
      (load.readings.length > 0 || load.notes.length > 0) &&
      html`<ul>
        ${load.readings.map((one) => html`<li>${text(one.question, 300)}: ${text(one.answer, 300)}</li> `)}
        ${load.notes.map((note) => html`<li class="note">${text(note, 400)}</li> `)}
      </ul>`
    }`;
}

/** Load scenarios: what was sent, what came back, what it means for the requirements. Null when none was run. */
export function loadSection(results: Results): Markup | null {
  if (results.load.length === 0) return null;
  const { results: load, unreadable } = readLoad(results.load);
  return html`<h2>Load</h2>
    ${load.map(scenario)}
    ${
      unreadable > 0 &&
      html`<p class="note">
        ${plural(unreadable, 'load result')} in a form that this version cannot read; see
        results.json.
      </p>`
    }`;
}
