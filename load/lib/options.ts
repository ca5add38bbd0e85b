import type { Options, Scenario } from 'k6/options';
import { clientCertificate, plan } from './plan.ts';

const { rate: peak, durationMs: whole, vus: users } = plan.shape;

const STATUSES = ['0', '200', '400', '401', '403', '404', '429', '500', '503'];

/**
 * Options of a scenario: its executors and what every run needs. Empty threshold lists make k6 keep a summary row for
 * the tag.
 */
export function options(scenarios: Record<string, Scenario>): Options {
  // k6 only reads the options of the first execution of the script, and executes it again for each user.
  if (__VU > 0) return {};
  const thresholds: Record<string, string[]> = {};
  for (const status of STATUSES) {
    thresholds[`http_reqs{status:${status}}`] = [];
  }
  const names = [...new Set(plan.requests.map(({ endpoint }) => endpoint))];
  for (const name of names) {
    thresholds[`http_req_duration{name:${name},status:200}`] = [];
  }
  thresholds['http_req_duration{status:429}'] = [];
  return {
    scenarios,
    thresholds,
    insecureSkipTLSVerify: plan.insecure,
    tlsAuth: clientCertificate === null ? [] : [clientCertificate],
    userAgent: 'assay-load',
    summaryTrendStats: ['count', 'min', 'med', 'p(95)', 'p(99)', 'max'],
    // Only the tags that the summary needs: each one creates a separate series.
    systemTags: ['status'],
    noCookiesReset: true,
    // Redirects are not followed with a key. Bodies are kept only for requests that ask for it.
    maxRedirects: 0,
    discardResponseBodies: true,
    setupTimeout: '120s',
  };
}

/** One virtual user per request of a burst, all of them started in advance. */
export function burst(vus: number, iterations: number): Scenario {
  return {
    executor: 'per-vu-iterations',
    vus,
    iterations,
    // The windows, time to start, and a reserve.
    maxDuration: `${Math.ceil(plan.windowMs * (plan.shape.windows + 3) * 1.1 + 60_000)}ms`,
  };
}

/** Requests at a rate, whether or not earlier ones were answered. */
export function arrivals(rate: number, durationMs: number, vus: number): Scenario {
  return {
    executor: 'constant-arrival-rate',
    // Per ten seconds, because k6 only takes integers.
    rate: Math.max(1, Math.round(rate * 10)),
    timeUnit: '10s',
    duration: `${Math.ceil(durationMs)}ms`,
    ...usersFor(rate, vus),
    gracefulStop: '10s',
  };
}

/** A rate that changes linearly between stages. */
function ramp(
  start: number,
  stages: readonly { readonly rate: number; readonly ms: number }[],
): Scenario {
  return {
    executor: 'ramping-arrival-rate',
    startRate: Math.max(1, Math.round(start)),
    timeUnit: '1s',
    stages: stages.map(({ rate, ms }) => ({
      target: Math.max(1, Math.round(rate)),
      duration: `${Math.ceil(ms)}ms`,
    })),
    ...usersFor(Math.max(...stages.map(({ rate }) => rate)), users),
    gracefulStop: '10s',
  };
}

/**
 * Users that are started in advance: enough for answers that take 50 ms, because each costs memory and time. k6 adds
 * more during the run, up to `vus`.
 */
function usersFor(rate: number, vus: number): { preAllocatedVUs: number; maxVUs: number } {
  return { preAllocatedVUs: Math.min(vus, Math.max(50, Math.ceil(rate / 20))), maxVUs: vus };
}

/** The planned rate throughout. */
export const steady = (): Scenario => arrivals(peak, whole, users);

/** From a twentieth of the planned rate to the full rate. */
export const rising = (): Scenario => ramp(peak / 20, [{ rate: peak, ms: whole }]);

/** Rises to the planned rate in the first half, and stays there. */
export function flooding(): Scenario {
  const half = { rate: peak, ms: whole / 2 };
  return ramp(peak / 10, [half, half]);
}

/** A tenth of the planned rate, then suddenly the full rate, then a tenth again. */
export function spiking(): Scenario {
  const calm = { rate: peak / 10, ms: whole / 3 };
  const jump = { rate: peak, ms: 100 };
  return ramp(calm.rate, [calm, jump, { ...jump, ms: whole / 3 }, { ...calm, ms: 100 }, calm]);
}
