import { plural } from '../../text/text.ts';
import { formatDuration, OUTCOME_LABELS } from '../labels.ts';
import type { LoadResult, LoadWindow } from '../load-results.ts';
import { readLoad } from '../load-view.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { Outcome, Results } from '../results.ts';
import { bar, clock, message, outcomeClass, text } from './parts.ts';

const WIDTH = 720;
const HEIGHT = 110;
const LEFT = 34;
const TOP = 6;
const BOTTOM = 20;
/** Columns of the chart that can be told from each other. */
const COLUMNS = 60;
const ROWS = 60;

function outcomeMark(outcome: string): Markup {
  const known = outcome in OUTCOME_LABELS ? OUTCOME_LABELS[outcome as Outcome] : null;
  const name = known === null ? 'untested' : outcomeClass(outcome as Outcome);
  return html`<span class="outcome ${name}"
    >${known?.icon ?? '?'} ${known?.word ?? text(outcome, 40)}</span
  >`;
}

interface Column {
  readonly from: number;
  readonly to: number;
  readonly windows: number;
  readonly admitted: number;
  readonly refused: number;
}

/** One column for each window of a key; when there are more than fit, neighbours in time are put together. */
function columns(windows: readonly LoadWindow[]): readonly Column[] {
  const sorted = windows.toSorted((a, b) => a.from - b.from || (a.key < b.key ? -1 : 1));
  const each = Math.ceil(sorted.length / COLUMNS);
  const list: Column[] = [];
  for (let start = 0; start < sorted.length; start += each) {
    const part = sorted.slice(start, start + each);
    list.push({
      from: Math.min(...part.map(({ from }) => from)),
      to: Math.max(...part.map(({ to }) => to)),
      windows: part.length,
      admitted: part.reduce((sum, one) => sum + one.admitted, 0),
      refused: part.reduce((sum, one) => sum + one.refused, 0),
    });
  }
  return list;
}

/** `+3.5 s` after the start. */
const after = (at: number, start: number): string => `+${((at - start) / 1000).toFixed(1)} s`;

function chart(load: LoadResult): Markup {
  const list = columns(load.windows);
  const start = list[0]?.from ?? 0;
  const each = list[0]?.windows ?? 1;
  const most = Math.max(1, ...list.map(({ admitted, refused }) => admitted + refused));
  const step = (WIDTH - LEFT) / Math.max(1, list.length);
  const wide = Math.min(40, Math.max(1, step * 0.7));
  const height = (count: number): number => (count / most) * HEIGHT;
  const limit = each === 1 ? load.limits.requests : null;
  const line = limit === null || limit > most ? null : TOP + HEIGHT - height(limit);
  // As many labels as do not touch each other.
  const every = Math.ceil(list.length / 12);
  return html`<figure>
    <figcaption>
      Requests in ${each === 1 ? 'each window' : `each ${each} windows`}, by the time of the first
      one:
      <b class="passed">admitted</b> below,
      <b class="warned">refused</b>
      above${line !== null && `; the line is the limit of ${limit ?? ''}`}
    </figcaption>
    <div class="scroll" tabindex="0" role="group" aria-label="Chart of ${text(load.scenario, 60)}">
      <svg
        class="chart"
        viewBox="0 0 ${WIDTH} ${HEIGHT + TOP + BOTTOM}"
        role="img"
        aria-label="${plural(load.windows.length, 'window')}, ${load.requests.admitted} requests admitted, ${load.requests.refused} refused"
      >
        <text x="${LEFT - 6}" y="${TOP + 9}" text-anchor="end">${most}</text>
        <text x="${LEFT - 6}" y="${TOP + HEIGHT}" text-anchor="end">0</text>
        ${list.map((column, index) => {
          const { admitted, refused } = column;
          const middle = LEFT + (index + 0.5) * step;
          const x = (middle - wide / 2).toFixed(1);
          const low = height(admitted);
          const high = height(refused);
          return html`<g>
            <title>${after(column.from, start)}: ${admitted} admitted, ${refused} refused</title>
            <rect
              class="passed"
              x="${x}"
              y="${(TOP + HEIGHT - low).toFixed(1)}"
              width="${wide.toFixed(1)}"
              height="${low.toFixed(1)}"
            />
            <rect
              class="warned"
              x="${x}"
              y="${(TOP + HEIGHT - low - high).toFixed(1)}"
              width="${wide.toFixed(1)}"
              height="${high.toFixed(1)}"
            />
            ${
              index % every === 0 &&
              html`<text x="${middle.toFixed(1)}" y="${TOP + HEIGHT + 14}" text-anchor="middle"
                >${after(column.from, start)}</text
              >`
            }
          </g>`;
        })}
        <line class="axis" x1="${LEFT}" x2="${WIDTH}" y1="${TOP + HEIGHT}" y2="${TOP + HEIGHT}" />
        ${
          line !== null &&
          html`<line
            class="limit"
            x1="${LEFT}"
            x2="${WIDTH}"
            y1="${line.toFixed(1)}"
            y2="${line.toFixed(1)}"
          />`
        }
      </svg>
    </div>
  </figure>`;
}

/** What a scenario found against the target, and what it judged beyond that. */
function judgements({ requirements }: LoadResult): Markup | null {
  if (requirements.length === 0) return null;
  const against = requirements.filter(({ findings }) => findings.length > 0).slice(0, ROWS);
  const rest = requirements.filter(({ findings }) => findings.length === 0).slice(0, ROWS);
  return html`${
    against.length > 0 &&
    html`<table class="matrix against">
      <caption>
        Found against the target
      </caption>
      <thead>
        <tr>
          <th scope="col">outcome</th>
          <th scope="col">requirement</th>
          <th scope="col">finding</th>
          <th scope="col">expected</th>
          <th scope="col">actual</th>
        </tr>
      </thead>
      <tbody>
        ${against.map((one) => {
          const [first] = one.findings;
          return html`<tr>
            <td>${outcomeMark(one.outcome)}</td>
            <th scope="row">
              <code>${text(one.id, 100)}</code><small>${message(one.title, 200)}</small>
            </th>
            <td>
              ${message(first?.message ?? '', 300)}<small
                >${plural(one.total, 'finding')}, judged on ${one.judged}</small
              >
            </td>
            <td>${text(first?.expected ?? '', 200)}</td>
            <td>${text(first?.actual ?? '', 200)}</td>
          </tr> `;
        })}
      </tbody>
    </table>`
  }
  ${
    rest.length > 0 &&
    html`<details>
      <summary>
        ${plural(rest.length, 'requirement')} judged without a finding, with the number of answers,
        windows or bursts looked at
      </summary>
      <table class="matrix">
        <thead>
          <tr>
            <th scope="col">outcome</th>
            <th scope="col">requirement</th>
            <th scope="col">statement</th>
            <th scope="col">judged on</th>
          </tr>
        </thead>
        <tbody>
          ${rest.map(
            (one) =>
              html`<tr>
                <td>${outcomeMark(one.outcome)}</td>
                <th scope="row"><code>${text(one.id, 100)}</code></th>
                <td>${message(one.title, 200)}</td>
                <td>${one.judged}</td>
              </tr> `,
          )}
        </tbody>
      </table>
    </details>`
  }`;
}

const ms = formatDuration;

/** Id of the place of a scenario, by its number. */
export function loadAnchor(index: number): string {
  return `load-${index + 1}`;
}

function scenario(load: LoadResult, index: number): Markup {
  const { requests, health } = load;
  return html`<h3 id="${loadAnchor(index)}">
      ${text(load.scenario, 60)}: ${text(load.title, 200)}
    </h3>
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
    ${judgements(load)}
    ${
      load.latency.length > 0 &&
      html`<table class="latency">
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
