import type { VNode } from 'preact';
import type { Exchange } from '../../contract/exchange.ts';
import { formatDuration } from '../labels.ts';
import type { Results } from '../results.ts';
import { anchor, Bar, Table, text } from './parts.tsx';

interface EndpointFacts {
  readonly path: string;
  readonly count: number;
  /** How often each status was answered, by status. */
  readonly statuses: readonly (readonly [status: string, count: number])[];
  readonly median: number;
  readonly slowest: number;
  readonly findings: number;
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : 1;

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
  return [...groups].toSorted(byName).map(([path, exchanges]) => {
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
      statuses: [...statuses].toSorted(byName),
      median: times[Math.max(0, Math.ceil(times.length / 2) - 1)] ?? Number.NaN,
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

const COLUMNS = ['endpoint', 'requests', 'statuses', 'median time', 'slowest', 'findings'];

/** Endpoints with what they answered and how quickly. */
export function Endpoints({ results }: { readonly results: Results }): VNode {
  const facts = factsOf(results);
  return (
    <>
      <h2>Endpoints</h2>
      {facts.length === 0 ? (
        <p>No request was sent.</p>
      ) : (
        <Table name="endpoints" columns={COLUMNS}>
          {facts.map(({ path, count, statuses, median, slowest, findings }) => {
            const words = statuses.map(([status, times]) => `${times} × ${status}`).join(', ');
            return (
              <tr id={anchor('e', path)}>
                <th scope="row">
                  <code>{text(path, 200)}</code>
                </th>
                <td>{count}</td>
                <td>
                  {words}
                  <Bar
                    label={words}
                    parts={statuses.map(([status, times]) => [classOf(status), times])}
                  />
                </td>
                <td>{formatDuration(median)}</td>
                <td>{formatDuration(slowest)}</td>
                <td class={findings === 0 ? 'zero' : 'failed'}>{findings}</td>
              </tr>
            );
          })}
        </Table>
      )}
      <p class="note">
        Times are those of a conformance run, one request after the other: no load test. Refusals
        (401, 403, 404, 400) are part of the run and expected.
      </p>
    </>
  );
}
