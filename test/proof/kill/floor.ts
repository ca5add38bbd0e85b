import type { Exchange } from '#src/contract/exchange.ts';
import { RATE_LIMIT } from '#src/contract/limits.ts';
import type { Results } from '#src/report/model/results.ts';
import type { ProofResult } from './task.ts';

/** Stands for every request that costs a valid key nothing. */
const FREE = '';

/**
 * Requests that a finding of each red requirement names, told apart by what was asked and not by when: `GET path?query`,
 * with `#2` for the second of the same. Requests that carry no valid key are one and the same: they cost nothing.
 */
export function evidenceOf(results: Results): Readonly<Record<string, readonly string[]>> {
  const names = nameRequests(results.exchanges);
  return Object.fromEntries(
    results.requirements
      .filter(({ outcome }) => outcome === 'failed' || outcome === 'warned')
      .map(({ id, findings }) => [
        id,
        [
          ...new Set(
            findings.flatMap(({ exchange }) => {
              const name = exchange === null ? undefined : names.get(exchange);
              return name === undefined ? [] : [name];
            }),
          ),
        ],
      ]),
  );
}

function nameRequests(exchanges: readonly Exchange[]): ReadonlyMap<string, string> {
  const times = new Map<string, number>();
  return new Map(
    exchanges.map(({ id, role, request }) => {
      if (role !== 'valid') return [id, FREE];
      const query = request.query.map(([name, value]) => `${name}=${value}`).toSorted();
      const asked = `${request.method} ${request.path}?${query.join('&')}`;
      const time = (times.get(asked) ?? 0) + 1;
      times.set(asked, time);
      return [id, time === 1 ? asked : `${asked}#${time}`];
    }),
  );
}

/** The smallest number of requests with valid keys that still sees every fault that `standard` sees. */
export interface Floor {
  /** Pairs of a fault and a requirement that it turned red. */
  readonly kills: number;
  /** Of these, seen by a request that costs a valid key nothing. */
  readonly free: number;
  /** Of these, shown by the run as a whole and not by a request. */
  readonly whole: number;
  /** Requests that together see all others; greedy, so at most a few above the true minimum. */
  readonly requests: number;
}

/**
 * Greedy set cover over the kill matrix: the request that shows most of what is still unseen comes first. A finding
 * counts for the one request it names, also where it compares two, so the floor errs to the low side. It never falls
 * below a full window and one more: the limiter shows itself to nobody who asks for less (§8).
 */
export function floorOf(results: readonly ProofResult[]): Floor {
  const open = new Map<string, readonly string[]>();
  let kills = 0;
  let free = 0;
  let whole = 0;
  for (const { task, evidence } of results) {
    if (task.profile !== 'standard' || task.faults.length !== 1) continue;
    for (const [requirement, requests] of Object.entries(evidence)) {
      kills += 1;
      if (requests.includes(FREE)) free += 1;
      else if (requests.length === 0) whole += 1;
      else open.set(`${task.faults[0] ?? ''} ${requirement}`, requests);
    }
  }
  let chosen = 0;
  while (open.size > 0) {
    const shows = new Map<string, number>();
    for (const requests of open.values()) {
      for (const request of requests) shows.set(request, (shows.get(request) ?? 0) + 1);
    }
    const best = [...shows].reduce((a, b) => (b[1] > a[1] ? b : a))[0];
    for (const [kill, requests] of open) if (requests.includes(best)) open.delete(kill);
    chosen += 1;
  }
  const requests = kills === 0 ? 0 : Math.max(chosen, RATE_LIMIT + 1);
  return { kills, free, whole, requests };
}
