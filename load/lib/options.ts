import type { Options, Scenario } from 'k6/options';
import { clientCertificate, plan } from './plan.ts';

const STATUSES = ['0', '200', '400', '401', '403', '404', '429', '500', '503'];

/**
 * Options of a scenario: what every run needs, around its executors. Empty lists of thresholds make k6 keep a row of
 * its summary for the tag; the judge draws the conclusions.
 */
export function options(scenarios: Record<string, Scenario>): Options {
  // k6 reads the options of the first run of the script only; it is run once more for each user.
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
    summaryTrendStats: ['count', 'avg', 'min', 'med', 'p(95)', 'p(99)', 'max'],
    // Only what the summary asks for: each further tag makes a series of its own.
    systemTags: ['status'],
    noCookiesReset: true,
    // No answer is followed elsewhere with a key, and bodies are kept where a request says so.
    maxRedirects: 0,
    discardResponseBodies: true,
    setupTimeout: '120s',
  };
}

/** A virtual user for each request of a burst, all of them ready beforehand. */
export function burst(vus: number, iterations: number): Scenario {
  return {
    executor: 'per-vu-iterations',
    vus,
    iterations,
    maxDuration: `${maxSeconds()}s`,
  };
}

/** Requests that come at a rate, whether or not earlier ones were answered. */
export function arrivals(rate: number, durationMs: number, vus: number): Scenario {
  return {
    executor: 'constant-arrival-rate',
    // Per ten seconds: k6 takes whole numbers only.
    rate: Math.max(1, Math.round(rate * 10)),
    timeUnit: '10s',
    duration: `${Math.ceil(durationMs)}ms`,
    ...usersFor(rate, vus),
    gracefulStop: '10s',
  };
}

/** A rate that moves linearly from stage to stage. */
export function ramp(
  start: number,
  stages: readonly { readonly rate: number; readonly ms: number }[],
  vus: number,
): Scenario {
  return {
    executor: 'ramping-arrival-rate',
    startRate: Math.max(1, Math.round(start)),
    timeUnit: '1s',
    stages: stages.map(({ rate, ms }) => ({
      target: Math.max(1, Math.round(rate)),
      duration: `${Math.ceil(ms)}ms`,
    })),
    ...usersFor(Math.max(...stages.map(({ rate }) => rate)), vus),
    gracefulStop: '10s',
  };
}

/**
 * Users that are made beforehand: enough for answers that take 50 ms, since each costs memory and time to start. k6
 * makes more on the way, up to `vus`.
 */
function usersFor(rate: number, vus: number): { preAllocatedVUs: number; maxVUs: number } {
  return { preAllocatedVUs: Math.min(vus, Math.max(50, Math.ceil(rate / 20))), maxVUs: vus };
}

/** The planned rate from beginning to end. */
export function steady(): Scenario {
  const { rate, durationMs, vus } = plan.shape;
  return arrivals(rate, durationMs, vus);
}

/** From a twentieth of the planned rate up to all of it. */
export function rising(): Scenario {
  const { rate, durationMs, vus } = plan.shape;
  return ramp(rate / 20, [{ rate, ms: durationMs }], vus);
}

/** Up to the planned rate in half of the time, and on at it. */
export function flooding(): Scenario {
  const { rate, durationMs, vus } = plan.shape;
  const half = { rate, ms: durationMs / 2 };
  return ramp(rate / 10, [half, half], vus);
}

/** Longest time for scenarios that end by themselves: their windows, time to start, and some more. */
function maxSeconds(): number {
  return Math.ceil((plan.windowMs * (plan.shape.windows + 3) * 1.1 + 60_000) / 1000);
}
