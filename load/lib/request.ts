import http from 'k6/http';
import type { RefinedResponse } from 'k6/http';
import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import { RATE_HEADERS } from '../../src/contract/limits.ts';
import { BUCKETED, bucketedAs, bucketOf, HIGHEST, LOWEST } from '../../src/load/buckets.ts';
import type { PlannedRequest, Row } from '../../src/load/plan.ts';
import { plan } from './plan.ts';

const BODY_KEPT = 2000;

// Nothing is a failure by itself here, and what k6 need not decide it need not count either.
http.setResponseCallback(null as unknown as ReturnType<typeof http.expectedStatuses>);

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

/** One counter for each status and bucket: counters of several machines add up, percentiles do not. */
const buckets = new Map<string, Counter>();
if (plan.buckets) {
  for (const status of BUCKETED) {
    for (let index = LOWEST; index <= HIGHEST; index += 1) {
      const name = `latency_${status}_${index < 0 ? 'm' : 'p'}${Math.abs(index)}`;
      buckets.set(`${status} ${index}`, new Counter(name));
    }
  }
}

/** What k6 is given for a request: made once, since making it costs more than sending. */
interface Prepared {
  readonly url: string;
  /** Throws the body of the answer away. */
  readonly bare: object;
  /** Keeps it. Made when it is first needed: every object of every user is work for k6's memory. */
  whole?: object;
}

/** By index of the key; `NO_KEY` for requests without one. */
const prepared = new Map<number, Map<PlannedRequest, Prepared>>();
const NO_KEY = -1;

function preparedOf(request: PlannedRequest, key: Sending['key']): Prepared {
  const index = key === null ? NO_KEY : key.index;
  let ofKey = prepared.get(index);
  if (ofKey === undefined) {
    ofKey = new Map();
    prepared.set(index, ofKey);
  }
  let made = ofKey.get(request);
  if (made === undefined) {
    const bare = {
      headers: {
        Accept: 'application/json',
        ...plan.headers,
        ...(key !== null && { [plan.keyHeader]: key.value }),
      },
      tags: { name: request.endpoint },
      timeout: plan.timeoutMs,
    };
    made = { url: plan.baseUrl + request.path, bare };
    ofKey.set(request, made);
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

/** True when every answer is recorded. */
const complete = plan.recordAdmitted && plan.recordEvery <= 1;
/** After an answer that nobody expects, bodies are kept for so many requests: the next one of its kind is evidence. */
const CURIOUS_FOR = 5;
let curious = 0;
let refusals = 0;
/**
 * Of answers that should not come, each user records so many one by one, and then one in so many: a target that fails for
 * hours must not fill the disk.
 */
const SURPRISES_KEPT = 200;
const SURPRISES_EVERY = 100;
let surprises = 0;

/** Whether an answer other than 200 is left out. Scenarios that judge each answer leave out refusals at most. */
function isLeftOut(status: number): boolean {
  if (status === 429) refusals += 1;
  if (plan.recordAdmitted)
    return status === 429 && refusals % plan.recordEvery !== 1 % plan.recordEvery;
  surprises += 1;
  return surprises > SURPRISES_KEPT && surprises % SURPRISES_EVERY !== 0;
}

/** Whether the answer to come is to be recorded whole: only then is its body worth reading. */
function keepsBody(step: number): boolean {
  if (complete) return true;
  if (curious > 0) {
    curious -= 1;
    return true;
  }
  if (plan.recordAdmitted) return refusals % plan.recordEvery === 0;
  return plan.sampleEvery > 0 && step % plan.sampleEvery === 0;
}

/** Sends one request and records what came back. */
export function send(sending: Sending): RefinedResponse<'text'> {
  const made = preparedOf(sending.request, sending.key);
  const kept = keepsBody(sending.step ?? 0);
  if (kept) made.whole ??= { ...made.bare, responseType: 'text' };
  const t0 = Date.now();
  const response = http.get<'text'>(made.url, kept ? made.whole : made.bare);
  record(sending, response, t0, kept);
  return response;
}

function record(
  sending: Sending,
  response: RefinedResponse<'text'>,
  t0: number,
  kept: boolean,
): void {
  const { status } = response;
  if (plan.buckets)
    buckets.get(`${bucketedAs(status)} ${bucketOf(response.timings.duration)}`)?.add(1);
  let sampled = false;
  if (status !== 200 && isLeftOut(status)) return;
  if (status === 200) {
    // By the number of the iteration: by a count of each user's own, the first of every user would be in.
    sampled = kept && plan.sampleEvery > 0 && (sending.step ?? 0) % plan.sampleEvery === 0;
    if (!sampled && !plan.recordAdmitted) return;
  } else if (status !== 429) {
    // What nobody expects is recorded, and whole if there is a body.
    if (sending.key !== null) curious = CURIOUS_FOR;
    sampled = kept && sending.key !== null && status !== 0;
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
    body: status === 200 || !kept ? null : (response.body ?? '').slice(0, BODY_KEPT),
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
