import type { Exchange, KeyRole } from '../../spec/exchange.ts';
import { RATE_HEADERS, RATE_LIMIT, RATE_WINDOW_MS, RESET_TOLERANCE_MS } from '../../spec/limits.ts';

/** One response in a window of one key. */
export interface WindowPoint {
  readonly exchange: string;
  /** When it was sent, by the target's clock, epoch ms. */
  readonly at: number;
  readonly status: number;
  /** End of the window according to this response, epoch ms. */
  readonly reset: number;
  /** `X-RateLimit-Remaining`; null when missing or not a number. */
  readonly remaining: number | null;
  readonly limit: number | null;
  readonly role: KeyRole;
}

/** One rate-limit window (§8): responses that announce about the same reset. */
export interface RateWindow {
  /** Fingerprint of the key. */
  readonly key: string;
  /** Reset announced by its first response, epoch ms. */
  readonly reset: number;
  readonly points: readonly WindowPoint[];
  /** Responses below 400. */
  readonly admitted: number;
  readonly refused: number;
}

/** What the headers of a run say about the limiter. */
export interface RateTimeline {
  readonly windows: readonly RateWindow[];
  /** Inconsistencies, as sentences. */
  readonly anomalies: readonly string[];
  /** Successful responses to requests with a key but without rate-limit headers. */
  readonly withoutHeaders: number;
  readonly withHeaders: number;
}

function header(exchange: Exchange, name: string): number | null {
  const text = exchange.response?.headers[name];
  if (text === undefined || !/^-?\d{1,15}$/.test(text.trim())) return null;
  return Number(text);
}

/**
 * Groups the exchanges into rate-limit windows by key. Judges nothing.
 * @param limits requests per window and its length, from the settings of the target
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
    // A key without quota is refused whatever remains of its window.
    early += points.filter(
      ({ status, remaining, role }) =>
        status === 429 && (remaining ?? 0) > 0 && role !== 'nearQuota',
    ).length;
  }
  say(rose, 'X-RateLimit-Remaining rose within a window');
  say(over, `more than ${limit} requests admitted in a window`);
  say(early, 'refused although requests remained');
  say(seen.inPast, 'reset time in the past');
  const others = [...seen.limits].filter((one) => one !== limit);
  if (others.length > 0) texts.push(`X-RateLimit-Limit is ${others.join(', ')}, not ${limit}`);
  if (seen.withHeaders > 0) {
    say(seen.withoutHeaders, 'successful response without rate-limit headers');
  }
  return texts;
}
