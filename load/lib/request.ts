import http from 'k6/http';
import type { RefinedResponse } from 'k6/http';
import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import { RATE_HEADERS } from '../../src/spec/limits.ts';
import { BUCKETED, bucketedAs, bucketOf, HIGHEST, LOWEST } from '../../src/load/buckets.ts';
import type { PlannedRequest, Row } from '../../src/load/plan.ts';
import { nobody } from './keys.ts';
import type { Sender } from './keys.ts';
import { plan } from './plan.ts';

const BODY_KEPT = 2000;

// Names of this module's own: k6 looks an imported one up at every use, which adds up in what each request goes through.
const { baseUrl, recordAdmitted, recordEvery, sampleEvery, buckets: countsBuckets } = plan;
const { get } = http;
const { now } = Date;

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
if (countsBuckets) {
  for (const status of BUCKETED) {
    for (let index = LOWEST; index <= HIGHEST; index += 1) {
      const name = `latency_${status}_${index < 0 ? 'm' : 'p'}${Math.abs(index)}`;
      buckets.set(`${status} ${index}`, new Counter(name));
    }
  }
}

/**
 * What k6 is given for a request. One object for all of them, since k6 reads it before it sends, and each user sends few
 * requests: making it costs more than using it.
 */
const tags = { name: '' };
const bare = { headers: {}, tags, timeout: plan.timeoutMs };
const whole = { ...bare, responseType: 'text' as const };

/** True when every answer is recorded. */
const complete = recordAdmitted && recordEvery <= 1;
/** After an answer that nobody expects, bodies are kept for so many requests: the next one of its kind is evidence. */
const CURIOUS_FOR = 5;
let curious = 0;
/** Each user begins elsewhere: else the first refusal of every one of them were recorded, all at once. */
let refusals = recordEvery <= 1 ? 0 : __VU % recordEvery;
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
  if (recordAdmitted) return status === 429 && refusals % recordEvery !== 1 % recordEvery;
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
  if (recordAdmitted) return refusals % recordEvery === 0;
  return sampleEvery > 0 && step % sampleEvery === 0;
}

/**
 * Sends one request and records what came back.
 *
 * @param phase what it is for, for the judge
 * @param step burst, iteration or step within the phase, from 0
 * @param due when it should be sent, epoch ms; null when at no moment in particular
 */
export function send(
  request: PlannedRequest,
  sender: Sender,
  phase: string,
  step = 0,
  due: number | null = null,
): RefinedResponse<'text'> {
  const kept = keepsBody(step);
  const params = kept ? whole : bare;
  params.headers = sender.headers;
  tags.name = request.endpoint;
  const t0 = now();
  const response = get<'text'>(baseUrl + request.path, params);
  const { status } = response;
  if (countsBuckets) {
    buckets.get(`${bucketedAs(status)} ${bucketOf(response.timings.duration)}`)?.add(1);
  }
  // Nothing more is done for most answers of an open scenario.
  if (status === 200 ? kept || recordAdmitted : !isLeftOut(status)) {
    record(response, kept, { request, sender, phase, step, due, t0 });
  }
  return response;
}

/** What was sent, and when. */
interface Sent {
  readonly request: PlannedRequest;
  readonly sender: Sender;
  readonly phase: string;
  readonly step: number;
  readonly due: number | null;
  readonly t0: number;
}

function record(
  response: RefinedResponse<'text'>,
  kept: boolean,
  { request, sender, phase, step, due, t0 }: Sent,
): void {
  const { status } = response;
  let sampled = false;
  if (status === 200) {
    // By the number of the iteration: by a count of each user's own, the first of every user would be in.
    sampled = kept && sampleEvery > 0 && step % sampleEvery === 0;
    if (!sampled && !recordAdmitted) return;
  } else if (status !== 429) {
    // What nobody expects is recorded, and whole if there is a body.
    if (sender.index !== null) curious = CURIOUS_FOR;
    sampled = kept && sender.index !== null && status !== 0;
  }
  const t1 = now();
  const { headers } = response;
  const row: Row = {
    run: plan.runId,
    phase,
    step,
    vu: exec.vu.idInTest,
    key: sender.index,
    endpoint: request.endpoint,
    due,
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
      ? { path: request.path, headers: lowerCased(headers), text: response.body ?? '' }
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
  send(plainRequest(), nobody, 'warm');
}
