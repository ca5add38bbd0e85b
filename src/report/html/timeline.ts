import { RATE_LIMIT } from '../../contract/limits.ts';
import { plural } from '../../text/text.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { rateTimeline, windowStart } from '../rate-windows.ts';
import type { RateWindow } from '../rate-windows.ts';
import type { Results } from '../results.ts';
import { clock, text } from './parts.ts';

/** Windows drawn for one key, and keys drawn: what a person can take in. The table has more. */
const WINDOWS = 24;
const KEYS = 8;
const ROWS = 200;
const HEIGHT = 96;
const TOP = 8;
/** Room for the times of the resets. */
const BOTTOM = 18;
const LEFT = 34;

function y(remaining: number, limit: number): string {
  const share = Math.min(1, Math.max(0, remaining / Math.max(1, limit)));
  return (TOP + (1 - share) * HEIGHT).toFixed(1);
}

function band(window: RateWindow, index: number, limit: number, wide: number): Markup {
  const start = windowStart(window);
  const length = Math.max(1, window.reset - start);
  const x = (at: number): number =>
    LEFT + index * wide + Math.min(1, Math.max(0, (at - start) / length)) * (wide - 6) + 3;
  const points = window.points.slice(0, 60);
  const line = points
    .flatMap(({ at, remaining }) =>
      remaining === null ? [] : [`${x(at).toFixed(1)},${y(remaining, limit)}`],
    )
    .join(' ');
  const edge = (LEFT + (index + 1) * wide).toFixed(0);
  const time = new Date(Math.min(8.64e15, Math.max(0, window.reset))).toISOString().slice(11, 19);
  return html`<line class="edge" x1="${edge}" x2="${edge}" y1="${TOP}" y2="${TOP + HEIGHT}" />
    ${wide >= 60 && html`<text x="${edge}" y="${TOP + HEIGHT + 12}" text-anchor="end">${time}</text>`}
    <polyline class="left" points="${line}" />
    ${points.map((point) =>
      point.status === 429
        ? html`<path
            class="refused"
            d="M${(x(point.at) - 3).toFixed(1)} ${TOP + HEIGHT - 7}l6 6m0 -6l-6 6"
          />`
        : html`<circle
            class="sent"
            cx="${x(point.at).toFixed(1)}"
            cy="${y(point.remaining ?? 0, limit)}"
            r="1.8"
          />`,
    )}`;
}

function chart(key: string, windows: readonly RateWindow[]): Markup {
  const shown = windows.slice(0, WINDOWS);
  const limit = Math.max(
    RATE_LIMIT,
    ...shown.flatMap(({ points }) => points.map((point) => Math.min(10_000, point.limit ?? 0))),
  );
  const wide = Math.max(60, Math.min(260, Math.floor(300 / Math.max(1, shown.length))));
  const width = LEFT + shown.length * wide + 8;
  const sent = windows.reduce((sum, { points }) => sum + points.length, 0);
  const refused = windows.reduce((sum, one) => sum + one.refused, 0);
  const name = `Key ${text(key, 40)}: ${plural(windows.length, 'window')}, ${plural(sent, 'request')}, ${refused} refused`;
  return html`<figure>
    <figcaption>
      ${name}${windows.length > shown.length && `, the first ${shown.length} windows are drawn`}
    </figcaption>
    <div class="scroll" tabindex="0" role="group" aria-label="Chart of key ${text(key, 40)}">
      <svg
        class="timeline"
        width="${width}"
        height="${HEIGHT + TOP + BOTTOM}"
        viewBox="0 0 ${width} ${HEIGHT + TOP + BOTTOM}"
        role="img"
        aria-label="${name}"
      >
        <text x="${LEFT - 6}" y="${TOP + 6}" text-anchor="end">${limit}</text>
        <text x="${LEFT - 6}" y="${TOP + HEIGHT}" text-anchor="end">0</text>
        <line class="edge" x1="${LEFT}" x2="${LEFT}" y1="${TOP}" y2="${TOP + HEIGHT}" />
        <line
          class="axis"
          x1="${LEFT}"
          x2="${width - 8}"
          y1="${TOP + HEIGHT}"
          y2="${TOP + HEIGHT}"
        />
        ${shown.map((one, index) => band(one, index, limit, wide))}
      </svg>
    </div>
  </figure>`;
}

/** Rate-limit windows by key: what was left, what was refused, what does not fit together. */
export function timelineSection(results: Results): Markup {
  const { windows, anomalies, withHeaders, withoutHeaders } = rateTimeline(results.exchanges);
  const byKey = new Map<string, RateWindow[]>();
  for (const window of windows) {
    byKey.set(window.key, [...(byKey.get(window.key) ?? []), window]);
  }
  const keys = [...byKey];
  return html`<h2>Rate limit</h2>
    ${
      windows.length === 0
        ? html`<p>
            No answer carried <code>X-RateLimit-Reset</code>, so there are no windows to draw.
            ${withoutHeaders > 0 && `${plural(withoutHeaders, 'successful answer')} came without it; the headers are only required on refusals.`}
          </p>`
        : html`<p class="note">
              Each band is one window up to the reset that the target announced, drawn equally wide;
              the line is what <code>X-RateLimit-Remaining</code> said was left, dots are answers,
              crosses are refusals. The time under a band is its reset, UTC.
            </p>
            <h3>Anomalies</h3>
            ${
              anomalies.length === 0
                ? html`<p>None: the headers of ${plural(withHeaders, 'answer')} fit together.</p>`
                : html`<ul>
                    ${anomalies.map((one) => html`<li class="warned">${one}</li> `)}
                  </ul>`
            }
            <h3>Windows</h3>
            <div class="charts">${keys.slice(0, KEYS).map(([key, list]) => chart(key, list))}</div>
            ${keys.length > KEYS && html`<p class="note">${keys.length - KEYS} more keys are in the table.</p>`}
            <details>
              <summary>The same as a table</summary>
              <table class="windows">
                <thead>
                  <tr>
                    <th scope="col">key</th>
                    <th scope="col">reset (UTC)</th>
                    <th scope="col">answers</th>
                    <th scope="col">remaining, first to last</th>
                    <th scope="col">refused</th>
                  </tr>
                </thead>
                <tbody>
                  ${windows.slice(0, ROWS).map(({ key, reset, points, refused }) => {
                    const left = points.flatMap(({ remaining }) => remaining ?? []);
                    return html`<tr>
                      <td><code>${text(key, 40)}</code></td>
                      <td>${clock(reset)}</td>
                      <td>${points.length}</td>
                      <td>${left[0] ?? '–'} to ${left.at(-1) ?? '–'}</td>
                      <td>${refused}</td>
                    </tr> `;
                  })}
                </tbody>
              </table>
            </details>`
    }`;
}
