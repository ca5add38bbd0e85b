import type { Exchange } from '../../spec/exchange.ts';
import type { Results } from '../model/results.ts';

/** Responses of an endpoint: how many and how fast. Times are in ms, NaN without a response. */
export interface EndpointFacts {
  readonly path: string;
  readonly count: number;
  /** Responses by status. */
  readonly statuses: readonly (readonly [status: string, count: number])[];
  readonly median: number;
  readonly slowest: number;
  /** Id of the slowest exchange; null without a response. */
  readonly slowestExchange: string | null;
  readonly findings: number;
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : 1;

/** Facts of every requested endpoint, by path. */
export function endpointFacts(results: Results): readonly EndpointFacts[] {
  const groups = new Map<string, Exchange[]>();
  const endpointOf = new Map<string, string>();
  for (const exchange of results.exchanges) {
    const path = exchange.endpoint ?? 'other paths';
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
    const answered = exchanges
      .filter(({ response }) => response !== null)
      .map((one) => ({ id: one.id, ms: one.receivedAt - one.sentAt }))
      .toSorted((a, b) => a.ms - b.ms);
    const times = answered.map(({ ms }) => ms);
    const statuses = new Map<string, number>();
    for (const { response, error } of exchanges) {
      const status = response === null ? (error?.kind ?? 'no response') : String(response.status);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    return {
      path,
      count: exchanges.length,
      statuses: [...statuses].toSorted(byName),
      median: times[Math.max(0, Math.ceil(times.length / 2) - 1)] ?? Number.NaN,
      slowest: times.at(-1) ?? Number.NaN,
      slowestExchange: answered.at(-1)?.id ?? null,
      findings: against.get(path) ?? 0,
    };
  });
}
