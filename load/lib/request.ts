import http from 'k6/http';
import type { RefinedResponse } from 'k6/http';
import exec from 'k6/execution';
import { RATE_HEADERS } from '../../src/spec/limits.ts';
import { STEADY, type PlannedRequest, type Row } from '../../src/load/plan.ts';
import { nobody, type Sender } from './keys.ts';
import { plan } from './plan.ts';

const BODY_KEPT = 2000;

// Local variables: k6 looks up an import at every use, which adds up over all requests.
const { baseUrl, recordAdmitted, recordEvery, sampleEvery } = plan;
const { get } = http;
const { now } = Date;

// No status is a failure here, so k6 does not count failures.
http.setResponseCallback(null as unknown as ReturnType<typeof http.expectedStatuses>);

/** Go normalizes header names, such as `X-Ratelimit-Limit`. */
const goName = (name: string): string =>
  name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
const LIMIT = goName(RATE_HEADERS.limit);
const REMAINING = goName(RATE_HEADERS.remaining);
const RESET = goName(RATE_HEADERS.reset);

/** Parameters of all requests. k6 reads the object before it sends, and creating one costs more than using it. */
const tags = { name: '' };
const bare = { headers: {}, tags, timeout: plan.timeoutMs };
const whole = { ...bare, responseType: 'text' as const };

const complete = recordAdmitted && recordEvery <= 1;
/** Number of requests whose bodies are kept after an unexpected answer: the next one like it is evidence. */
const CURIOUS_FOR = 5;
let curious = 0;
/** Each user starts at another count, or the first refusal of every user would be recorded at the same time. */
let refusals = recordEvery <= 1 ? 0 : __VU % recordEvery;
/**
 * Each user records this many unexpected answers individually, then one in this many, so that a target that fails for
 * hours does not fill the disk.
 */
const SURPRISES_KEPT = 200;
const SURPRISES_EVERY = 100;
let surprises = 0;

/** Whether an answer other than 200 is skipped. Scenarios that judge each answer only skip refusals in a flood. */
function isLeftOut(status: number, phase: string): boolean {
  if (phase === STEADY) return false;
  if (status === 429) refusals += 1;
  if (recordAdmitted) return status === 429 && refusals % recordEvery !== 1 % recordEvery;
  surprises += 1;
  return surprises > SURPRISES_KEPT && surprises % SURPRISES_EVERY !== 0;
}

/** Whether the next answer is recorded completely; only then is its body read. */
function keepsBody(step: number, phase: string): boolean {
  if (complete || phase === STEADY) return true;
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
 * @param phase purpose of the request, for the judge
 * @param step burst, iteration or step within the phase, from 0
 * @param due scheduled time, epoch ms; null without one
 */
export function send(
  request: PlannedRequest,
  sender: Sender,
  phase: string,
  step = 0,
  due: number | null = null,
): RefinedResponse<'text'> {
  const kept = keepsBody(step, phase);
  const params = kept ? whole : bare;
  params.headers = sender.headers;
  tags.name = request.endpoint;
  const t0 = now();
  const response = get<'text'>(baseUrl + request.path, params);
  const { status } = response;
  // Most answers of an open scenario end here.
  if (status === 200 ? kept || recordAdmitted : !isLeftOut(status, phase)) {
    record(response, kept, { request, sender, phase, step, due, t0 });
  }
  return response;
}

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
    // By iteration number: a count per user would include the first answer of every user.
    sampled = kept && sampleEvery > 0 && step % sampleEvery === 0;
    if (!sampled && !recordAdmitted) return;
  } else if (status !== 429) {
    // Unexpected answers are recorded, completely if there is a body.
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
  if (request === undefined) throw new Error('The plan has no request.');
  return request;
}

/** Opens this virtual user's connection without a key, at no cost. */
export function warmUp(): void {
  send(plainRequest(), nobody, 'warm');
}
