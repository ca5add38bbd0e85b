import { errorNamed } from '../contract/error-codes.ts';
import { RATE_HEADERS } from '../contract/limits.ts';
import type { Context } from './context.ts';
import { codeOf } from './errors.ts';
import { isObject, type View } from './view.ts';

/**
 * What one answer says about the window of its key (§8). `served`: 2xx to a GET; `failed`: another answer that is no
 * refusal by the limiter, which may or may not have been counted (ruling 13); `limited`: the limiter's refusal.
 */
export interface RateAnswer {
  readonly view: View;
  readonly key: string;
  readonly kind: 'served' | 'failed' | 'limited';
  /** Figures of the headers; null where one is missing or not a whole number. */
  readonly remaining: number | null;
  /** Announced end of the window, target's time, epoch ms; null unless it can be one (§8: Unix time in ms). */
  readonly reset: number | null;
  /** The target dealt with the request between these times of its own clock, epoch ms; infinite when not known. */
  readonly earliest: number;
  readonly latest: number;
  /** By how much the recorded times of requests may be wrong, ms. */
  readonly doubtMs: number;
}

/** Requests of one key, in the order sent. */
export interface KeyTraffic {
  readonly key: string;
  readonly answers: readonly RateAnswer[];
  /** True when the figures show requests that were not ours: the key is used by someone else, too. */
  readonly shared: boolean;
  /** True when requests of the key may be missing here. */
  readonly partial: boolean;
}

/** Servers read the clock for `Date` once a second, and some of them a little late. */
const DATE_SPAN_MS = 1100;

/** Tools that record traffic round times, and leave some of the waiting out. */
const FOREIGN_DOUBT_MS = 250;

/** The value of a header as a whole number; null when it is missing or anything else. */
export function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : null;
}

/** Keys that the limiter counts. The others are refused before it, and what it announces to them is its own matter. */
export function isCounted(view: View): boolean {
  const { role, key } = view.exchange;
  const counted = role === 'valid' || role === 'restricted' || role === 'nearQuota';
  return counted && key !== null && view.status !== 401;
}

/** Other methods may be counted, but what they are answered is not specified (ruling 20). */
export function isGet(view: View): boolean {
  return view.exchange.request.method === 'GET';
}

/**
 * True for a refusal by the rate limiter: a 429 where keys are accepted otherwise. A target that answers 429 to
 * everything has no limiter that could be judged. A used-up quota may be refused with 429, too (ruling 15): the key near
 * its quota is left to the rules of the quota, and so is a body that speaks of a month.
 */
export function isRateRefusal(view: View, context: Context): boolean {
  if (view.status !== 429 || !isCounted(view) || !isGet(view)) return false;
  if (view.exchange.role === 'nearQuota') return false;
  if (context.partial === true && !showsLimiter(view)) return false;
  return context.acceptedKeys.size > 0 && !speaksOfQuota(view.body);
}

/** Whose quota is used up is not known in the traffic of others: there the refusal itself must show whose it is. */
function showsLimiter({ response, body }: View): boolean {
  const remaining = response.headers[RATE_HEADERS.remaining];
  if (remaining !== undefined) return remaining === '0';
  const details = isObject(body) ? body['details'] : undefined;
  return isObject(details) && ('window' in details || 'retry_after' in details);
}

/** True for the refusal of the limiter with a status other than 429. */
export function isDisguisedRefusal(view: View): boolean {
  if (!isCounted(view) || view.exchange.role === 'nearQuota' || view.status === 429) return false;
  return errorNamed(codeOf(view) ?? 0) === 'tooManyRequests';
}

function speaksOfQuota(body: unknown): boolean {
  if (!isObject(body)) return false;
  const { message, details } = body;
  if (isObject(details) && ('window' in details || 'retry_after' in details)) return false;
  return typeof message === 'string' && /quota|month/i.test(message);
}

/** Time of the `Date` header, epoch ms; null when there is none that can be read. */
export function dateOf(view: View): number | null {
  const text = view.response.headers['date'] ?? '';
  const time = /^[A-Z][a-z]{2}, \d{2} [A-Z]/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

/** Answers of the keys that the limiter counts, without those near the end of their quota. */
export function trafficOf(views: readonly View[], context: Context): readonly KeyTraffic[] {
  const byKey = new Map<string, RateAnswer[]>();
  for (const view of views) {
    const answer = rateAnswer(view, context);
    if (answer === null) continue;
    const known = byKey.get(answer.key);
    if (known === undefined) byKey.set(answer.key, [answer]);
    else known.push(answer);
  }
  const recorded = new Set(views.map(({ exchange }) => exchange.id));
  return [...byKey].map(([key, answers]) => ({
    key,
    answers,
    partial: context.partial === true,
    shared: context.partial === true || pairs(answers).some((pair) => hasGap(pair, recorded)),
  }));
}

function rateAnswer(view: View, context: Context): RateAnswer | null {
  const { key, role } = view.exchange;
  if (!isCounted(view) || role === 'nearQuota' || key === null) return null;
  const limited = isRateRefusal(view, context);
  const told = limited || isInformative(view);
  const { headers } = view.response;
  const reset = told ? wholeNumber(headers[RATE_HEADERS.reset]) : null;
  return {
    view,
    key,
    kind: limited ? 'limited' : view.ok && told && isGet(view) ? 'served' : 'failed',
    remaining: told ? wholeNumber(headers[RATE_HEADERS.remaining]) : null,
    reset: reset !== null && reset > 1e12 && reset < 1e14 ? reset : null,
    ...timesOf(view),
    doubtMs: context.partial === true ? FOREIGN_DOUBT_MS : 0,
  };
}

/**
 * Whether the figures of an answer that is no refusal of the limiter mean something. A failing server may announce
 * anything, a used-up quota is another count, and a refusal with the wrong status is judged as such.
 */
function isInformative(view: View): boolean {
  return view.status < 500 && view.status !== 429 && !isDisguisedRefusal(view);
}

function timesOf(view: View): { earliest: number; latest: number } {
  const date = dateOf(view);
  if (date === null) {
    return { earliest: Number.NEGATIVE_INFINITY, latest: Number.POSITIVE_INFINITY };
  }
  const { sentAt, receivedAt } = view.exchange;
  return { earliest: date - Math.max(0, receivedAt - sentAt), latest: date + DATE_SPAN_MS };
}

/** True when the target was done with `a` before `b` was sent. Requests under way together have no order. */
export function isBefore(a: RateAnswer, b: RateAnswer): boolean {
  return a.view.exchange.receivedAt + a.doubtMs <= b.view.exchange.sentAt;
}

/** Time between the sending of one request and the arrival of the answer to another, ms of the target's time. */
export function span(a: RateAnswer, b: RateAnswer): number {
  return b.view.now - (a.view.exchange.sentAt + a.view.exchange.skewMs);
}

/** Neighbours among the answers of a key of which the first was done before the second was sent. */
export function pairs(
  answers: readonly RateAnswer[],
): readonly (readonly [RateAnswer, RateAnswer])[] {
  return answers.flatMap((second, index) => {
    const first = answers[index - 1];
    return first !== undefined && isBefore(first, second) ? [[first, second] as const] : [];
  });
}

/** True when both answers announce the same window. */
export function sameWindow(a: RateAnswer, b: RateAnswer): boolean {
  return a.reset !== null && a.reset === b.reset;
}

/** By how much Remaining went down between two answers of a window; null when that is not told. */
export function step([a, b]: readonly [RateAnswer, RateAnswer]): number | null {
  if (!sameWindow(a, b) || a.remaining === null || b.remaining === null) return null;
  return a.remaining - b.remaining;
}

/** More was used up between two answers than the second one; and nothing in between went unrecorded. */
function hasGap(pair: readonly [RateAnswer, RateAnswer], recorded: ReadonlySet<string>): boolean {
  const [a, b] = pair;
  if (b.kind === 'limited' || a.remaining === 0) return false;
  return (step(pair) ?? 0) > 1 && isContiguous(a.view.exchange.id, b.view.exchange.id, recorded);
}

/** False when an exchange between the two is not among those at hand: it may have used up what is missing. */
export function isContiguous(a: string, b: string, recorded: ReadonlySet<string>): boolean {
  const [from, to] = [Number(a.slice(1)), Number(b.slice(1))];
  if (!Number.isInteger(from) || !Number.isInteger(to) || to - from > recorded.size) return false;
  for (let id = from + 1; id < to; id += 1) if (!recorded.has(`x${id}`)) return false;
  return true;
}

/**
 * Whether answers that were refused for another reason (4xx) count against the limit, as Remaining shows it: null when
 * nothing was seen, or when one did and another did not.
 */
export function failuresCount(traffic: readonly KeyTraffic[]): boolean | null {
  // A step may be that of a request which is missing here.
  if (traffic.some(({ partial }) => partial)) return null;
  const steps = traffic.flatMap(({ answers }) =>
    pairs(answers)
      .filter(([, b]) => b.kind === 'failed')
      .map(step),
  );
  const counted = steps.includes(1);
  return counted === steps.includes(0) ? null : counted;
}
