import type { Exchange, KeyRole } from '../../spec/exchange.ts';
import { RATE_HEADERS, RATE_LIMIT, RATE_WINDOW_MS, RESET_TOLERANCE_MS } from '../../spec/limits.ts';

/** One answer inside a window of one key. */
export interface WindowPoint {
  readonly exchange: string;
  /** Time of sending on the target's clock, epoch ms. */
  readonly at: number;
  readonly status: number;
  /** The end of the window as this answer tells it, epoch ms. */
  readonly reset: number;
  /** `X-RateLimit-Remaining`; null when it was not sent or is no number. */
  readonly remaining: number | null;
  readonly limit: number | null;
  readonly role: KeyRole;
}

/** One rate-limit window as the answers announce it (§8): its ends lie within a tolerance of each other. */
export interface RateWindow {
  /** Fingerprint of the key. */
  readonly key: string;
  /** Announced end on the target's clock, epoch ms; that of its first answer. */
  readonly reset: number;
  readonly points: readonly WindowPoint[];
  /** Answers that are neither a refusal nor an error. */
  readonly admitted: number;
  readonly refused: number;
}

/** What the headers of a run say about the limiter. */
export interface RateTimeline {
  readonly windows: readonly RateWindow[];
  /** Sentences about what does not fit together; empty when everything does. */
  readonly anomalies: readonly string[];
  /** Successful answers to requests with a key that carried no rate-limit headers. */
  readonly withoutHeaders: number;
  readonly withHeaders: number;
}

function header(exchange: Exchange, name: string): number | null {
  const text = exchange.response?.headers[name];
  if (text === undefined || !/^-?\d{1,15}$/.test(text.trim())) return null;
  return Number(text);
}

/**
 * Reads the rate-limit headers of all exchanges into windows by key. A pure reading: nothing is judged here.
 * @param limits requests that one window admits and how long it is, by the settings of the target
 */
export function rateTimeline(
  exchanges: readonly Exchange[],
  { requests: limit, windowMs } = { requests: RATE_LIMIT, windowMs: RATE_WINDOW_MS },
): RateTimeline {
  // Resets may be rounded to whole seconds; windows of a test target may be shorter than that.
  const tolerance = Math.min(RESET_TOLERANCE_MS, windowMs / 2);
  const byKey = new Map<string, { readonly reset: number; readonly points: WindowPoint[] }[]>();
  let withHeaders = 0;
  let withoutHeaders = 0;
  let inPast = 0;
  const limits = new Set<number>();
  for (const exchange of exchanges) {
    const { response, key } = exchange;
    if (response === null || key === null) continue;
    const reset = header(exchange, RATE_HEADERS.reset);
    if (reset === null) {
      if (response.status < 400) withoutHeaders += 1;
      continue;
    }
    withHeaders += 1;
    const at = exchange.sentAt + exchange.skewMs;
    const announced = header(exchange, RATE_HEADERS.limit);
    if (announced !== null) limits.add(announced);
    if (reset < at - 1_000) inPast += 1;
    const windows = byKey.get(key) ?? [];
    byKey.set(key, windows);
    let window = windows.findLast((one) => Math.abs(one.reset - reset) <= tolerance);
    if (window === undefined) windows.push((window = { reset, points: [] }));
    window.points.push({
      exchange: exchange.id,
      at,
      status: response.status,
      reset,
      remaining: header(exchange, RATE_HEADERS.remaining),
      limit: announced,
      role: exchange.role,
    });
  }
  const windows = [...byKey].flatMap(([key, list]) =>
    list
      .toSorted((a, b) => a.reset - b.reset)
      .map(({ reset, points }): RateWindow => ({
        key,
        reset,
        points,
        admitted: points.filter(({ status }) => status >= 200 && status < 400).length,
        refused: points.filter(({ status }) => status === 429).length,
      })),
  );
  return {
    windows,
    anomalies: anomaliesOf(windows, { inPast, limits, withHeaders, withoutHeaders, limit }),
    withHeaders,
    withoutHeaders,
  };
}

function anomaliesOf(
  windows: readonly RateWindow[],
  seen: {
    readonly inPast: number;
    readonly limits: ReadonlySet<number>;
    readonly withHeaders: number;
    readonly withoutHeaders: number;
    readonly limit: number;
  },
): readonly string[] {
  const { limit } = seen;
  const texts: string[] = [];
  const say = (count: number, words: string): void => {
    if (count > 0) texts.push(`${count} × ${words}`);
  };
  let rose = 0;
  let over = 0;
  let early = 0;
  for (const { points, admitted } of windows) {
    const last = new Map<number, number>();
    for (const { remaining, reset } of points) {
      if (remaining === null) continue;
      if (remaining > (last.get(reset) ?? remaining)) rose += 1;
      last.set(reset, remaining);
    }
    if (admitted > limit) over += 1;
    // A key whose month is used up is refused whatever its window has left.
    early += points.filter(
      ({ status, remaining, role }) =>
        status === 429 && (remaining ?? 0) > 0 && role !== 'nearQuota',
    ).length;
  }
  say(rose, 'remaining rose inside a window');
  say(over, `more than ${limit} requests were admitted in a window`);
  say(early, 'a request was refused while some were announced as remaining');
  say(seen.inPast, 'a reset time lies in the past');
  const others = [...seen.limits].filter((one) => one !== limit);
  if (others.length > 0) texts.push(`the announced limit is ${others.join(', ')}, not ${limit}`);
  if (seen.withHeaders > 0) {
    say(seen.withoutHeaders, 'a successful answer came without the headers that others have');
  }
  return texts;
}
