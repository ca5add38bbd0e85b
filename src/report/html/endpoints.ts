import type { Exchange } from '../../contract/exchange.ts';
import { formatDuration } from '../labels.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { Results } from '../results.ts';
import { anchor, bar, text } from './parts.ts';

interface EndpointFacts {
  readonly path: string;
  readonly count: number;
  readonly statuses: ReadonlyMap<string, number>;
  readonly median: number;
  readonly slowest: number;
  readonly findings: number;
}

/** Nearest-rank percentile of a sorted list; NaN when it is empty. */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

function factsOf(results: Results): readonly EndpointFacts[] {
  const groups = new Map<string, Exchange[]>();
  const endpointOf = new Map<string, string>();
  for (const exchange of results.exchanges) {
    const path = exchange.endpoint ?? 'paths that the specification does not have';
    endpointOf.set(exchange.id, path);
    const list = groups.get(path);
    if (list === undefined) groups.set(path, [exchange]);
    else list.push(exchange);
  }
  const against = new Map<string, number>();
  for (const { findings } of results.requirements) {
    for (const { exchange } of findings) {
      const path = exchange === null ? undefined : endpointOf.get(exchange);
      if (path !== undefined) against.set(path, (against.get(path) ?? 0) + 1);
    }
  }
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, exchanges]) => {
      const times = exchanges
        .filter(({ response }) => response !== null)
        .map((one) => one.receivedAt - one.sentAt)
        .toSorted((a, b) => a - b);
      const statuses = new Map<string, number>();
      for (const { response, error } of exchanges) {
        const status = response === null ? (error?.kind ?? 'no answer') : String(response.status);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      return {
        path,
        count: exchanges.length,
        statuses,
        median: percentile(times, 0.5),
        slowest: times.at(-1) ?? Number.NaN,
        findings: against.get(path) ?? 0,
      };
    });
}

function classOf(status: string): string {
  if (status.startsWith('2')) return 'passed';
  if (status === '429') return 'warned';
  return status.startsWith('4') ? 'observed' : 'failed';
}

/** Endpoints with what they answered and how quickly. */
export function endpointsSection(results: Results): Markup {
  const facts = factsOf(results);
  return html`<h2>Endpoints</h2>
    ${
      facts.length === 0
        ? html`<p>No request was sent.</p>`
        : html`<table class="endpoints">
            <thead>
              <tr>
                <th scope="col">endpoint</th>
                <th scope="col">requests</th>
                <th scope="col">statuses</th>
                <th scope="col">median time</th>
                <th scope="col">slowest</th>
                <th scope="col">findings</th>
              </tr>
            </thead>
            <tbody>
              ${facts.map((one) => {
                const statuses = [...one.statuses].toSorted(([a], [b]) => (a < b ? -1 : 1));
                const words = statuses.map(([status, count]) => `${count} × ${status}`).join(', ');
                return html`<tr id="${anchor('e', one.path)}">
                  <th scope="row"><code>${text(one.path, 200)}</code></th>
                  <td>${one.count}</td>
                  <td>
                    ${words}
                    ${bar(
                      words,
                      statuses.map(([status, count]) => ({ name: classOf(status), count })),
                    )}
                  </td>
                  <td>${formatDuration(one.median)}</td>
                  <td>${formatDuration(one.slowest)}</td>
                  <td class="${one.findings === 0 ? 'zero' : 'failed'}">${one.findings}</td>
                </tr> `;
              })}
            </tbody>
          </table>`
    }
    <p class="note">
      Times are those of a conformance run, one request after the other: no load test. Refusals
      (401, 403, 404, 400) are part of the run and expected.
    </p>`;
}
