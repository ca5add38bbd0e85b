import http from 'k6/http';
import type { RefinedResponse } from 'k6/http';
import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import { RATE_HEADERS } from '../../src/contract/limits.ts';
import { bucketOf, HIGHEST, LOWEST } from '../../src/load/buckets.ts';
import type { PlannedRequest, Row } from '../../src/load/plan.ts';
import { plan } from './plan.ts';

const BODY_KEPT = 2000;

// A refusal is an answer like others here. The 401 opens connections.
http.setResponseCallback(http.expectedStatuses(200, 401, 403, 429));

/** Go writes header names its own way, `X-Ratelimit-Limit`, whatever was sent. */
function goName(name: string): string {
  return name
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('-');
}
const LIMIT = goName(RATE_HEADERS.limit);
const REMAINING = goName(RATE_HEADERS.remaining);
const RESET = goName(RATE_HEADERS.reset);

/** One counter for each bucket: counters of several machines add up, percentiles do not. */
const buckets = new Map<number, Counter>();
if (plan.buckets) {
  for (let index = LOWEST; index <= HIGHEST; index += 1) {
    buckets.set(index, new Counter(`latency_bucket_${index < 0 ? 'm' : 'p'}${Math.abs(index)}`));
  }
}

/** Parameters of k6 by key and endpoint: made once, since a copy for each request costs more than the request. */
const parameters = new Map<string, object>();

function parametersOf(endpoint: string, key: string | null): object {
  const id = `${key ?? ''} ${endpoint}`;
  let made = parameters.get(id);
  if (made === undefined) {
    made = {
      headers: {
        Accept: 'application/json',
        ...plan.headers,
        ...(key !== null && { [plan.keyHeader]: key }),
      },
      tags: { name: endpoint },
      timeout: plan.timeoutMs,
      redirects: 0,
      responseType: 'text',
    };
    parameters.set(id, made);
  }
  return made;
}

export interface Sending {
  readonly request: PlannedRequest;
  /** The key and its index; null sends none. */
  readonly key: { readonly value: string; readonly index: number } | null;
  readonly phase: string;
  readonly step?: number;
  /** When it should be sent, epoch ms. */
  readonly due?: number;
}

let refusals = 0;

/** Sends one request and records what came back. */
export function send(sending: Sending): RefinedResponse<'text'> {
  const { request, key } = sending;
  const url = plan.baseUrl + request.path;
  const options = parametersOf(request.endpoint, key === null ? null : key.value);
  const t0 = Date.now();
  const response = http.get<'text'>(url, options);
  record(sending, response, t0);
  return response;
}

function record(sending: Sending, response: RefinedResponse<'text'>, t0: number): void {
  const { status } = response;
  if (plan.buckets) buckets.get(bucketOf(response.timings.duration))?.add(1);
  let sampled = false;
  if (status === 429) {
    refusals += 1;
    if (plan.recordEvery > 1 && refusals % plan.recordEvery !== 1) return;
  } else if (status === 200) {
    // By the number of the iteration: by a count of each user's own, the first of every user would be in.
    sampled = plan.sampleEvery > 0 && (sending.step ?? 0) % plan.sampleEvery === 0;
    if (!sampled && !plan.recordAdmitted) return;
  } else {
    // What nobody expects is recorded whole.
    sampled = sending.key !== null && status !== 0;
  }
  const t1 = Date.now();
  const { headers } = response;
  const row: Row = {
    run: plan.runId,
    phase: sending.phase,
    step: sending.step ?? 0,
    vu: exec.vu.idInTest,
    key: sending.key === null ? null : sending.key.index,
    endpoint: sending.request.endpoint,
    due: sending.due ?? null,
    t0,
    t1,
    ms: response.timings.duration,
    status,
    error: status === 0 ? response.error : null,
    limit: headers[LIMIT] ?? null,
    remaining: headers[REMAINING] ?? null,
    reset: headers[RESET] ?? null,
    body: status === 200 || status === 0 ? null : (response.body ?? '').slice(0, BODY_KEPT),
    sample: sampled
      ? { path: sending.request.path, headers: lowerCased(headers), text: response.body ?? '' }
      : null,
  };
  console.log(JSON.stringify(row));
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/** The announced end of the window, epoch ms; NaN without the header. */
export function resetOf(response: RefinedResponse<'text'>): number {
  return Number(response.headers[RESET] ?? Number.NaN);
}

/** The request that limit scenarios repeat: no parameters, and a short answer. */
export function plainRequest(): PlannedRequest {
  const [request] = plan.requests;
  if (request === undefined) throw new Error('The plan holds no request.');
  return request;
}

/** Opens this virtual user's connection without spending a request of any key. */
export function warmUp(): void {
  send({ request: plainRequest(), key: null, phase: 'warm' });
}
