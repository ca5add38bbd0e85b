import type { Exchange, KeyRole } from '../contract/exchange.ts';
import {
  RATE_HEADERS,
  RATE_LIMIT,
  RATE_WINDOW_MS,
  RESET_TOLERANCE_MS,
} from '../contract/limits.ts';
import type { Results } from './results.ts';

/**
 * What became of a request. `admitted`: answered; `beyond`: answered although the window had taken as many as the limit
 * allows; `refused`: 429; `failed`: no answer, or a server error; `other`: an error that is about the request itself.
 */
export type MarkKind = 'admitted' | 'beyond' | 'refused' | 'failed' | 'other';

/** One request on the lane of its key. */
export interface Mark {
  readonly exchange: string;
  readonly endpoint: string;
  readonly status: number;
  readonly kind: MarkKind;
  /** Time of sending on the target's clock, epoch ms. */
  readonly at: number;
  /** How many requests its window had admitted with it, from 1; 0 before the first. */
  readonly place: number;
}

/** A window of the rate limit, as the answers announce it (§8). Times are epoch ms on the target's clock. */
export interface Band {
  readonly from: number;
  readonly to: number;
  readonly admitted: number;
  readonly refused: number;
}

/** The requests of one key. */
export interface Lane {
  /** Name of the key, such as `valid[1]`. */
  readonly name: string;
  readonly bands: readonly Band[];
  readonly marks: readonly Mark[];
}

/** The requests of a run over time. Times are epoch ms on the target's clock. */
export interface RequestTimeline {
  readonly from: number;
  readonly to: number;
  /** Lanes of keys that answers announce windows for. */
  readonly lanes: readonly Lane[];
  /** Requests on other keys, or on none: nothing limits them. */
  readonly others: readonly Mark[];
  /** Stretches in which nothing was sent with any key. */
  readonly waits: readonly { readonly from: number; readonly to: number }[];
  /** Requests that one window admits, by the target's settings. */
  readonly limit: number;
}

const ROLES: readonly KeyRole[] = ['valid', 'restricted', 'nearQuota'];

/** A pause that is told apart from the time between two requests: a tenth of a window. */
const PAUSE = 0.1;

/** Reads where each request stands in the windows of its key. A pure reading: nothing is judged here. */
export function requestTimeline(results: Results): RequestTimeline {
  const limit = results.settings?.limits.requests ?? RATE_LIMIT;
  const windowMs = results.settings?.limits.windowMs ?? RATE_WINDOW_MS;
  const sent = [...results.exchanges].toSorted((a, b) => timeOf(a) - timeOf(b));
  const byKey = new Map<string, Exchange[]>();
  for (const exchange of sent) {
    const own = byKey.get(exchange.key ?? '');
    if (own === undefined) byKey.set(exchange.key ?? '', [exchange]);
    else own.push(exchange);
  }
  const lanes: (Lane & { readonly role: KeyRole })[] = [];
  const others: Mark[] = [];
  for (const [key, own] of byKey) {
    const role = own[0]?.role ?? 'none';
    if (key !== '' && own.some((one) => resetOf(one) !== null)) {
      lanes.push({ ...laneOf(own, { windowMs, limit }), name: key, role });
    } else others.push(...own.map((one) => markOf(one, 0, limit)));
  }
  const from = sent[0] === undefined ? 0 : timeOf(sent[0]);
  const last = sent.at(-1);
  const ends = lanes.flatMap(({ bands }) => bands.map(({ to }) => to));
  const reached = last === undefined ? from : timeOf(last) + (last.receivedAt - last.sentAt);
  const rank = ({ role }: { readonly role: KeyRole }): number => {
    const place = ROLES.indexOf(role);
    return place === -1 ? ROLES.length : place;
  };
  return {
    from,
    // The end of the last window is of interest as far as it is near: the run did not wait for it.
    to: Math.max(reached, ...ends.map((end) => Math.min(end, reached + windowMs))),
    lanes: lanes.toSorted(
      (a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, 'en', { numeric: true }),
    ),
    others,
    waits: pauses(sent, Math.max(1000, windowMs * PAUSE)),
    limit,
  };
}

/** Time of sending on the target's clock, epoch ms. */
const timeOf = ({ sentAt, skewMs }: Exchange): number => sentAt + skewMs;

/** The announced end of the window, epoch ms; null when there is none that can be read. */
function resetOf({ response }: Exchange): number | null {
  const text = response?.headers[RATE_HEADERS.reset]?.trim();
  return text === undefined || !/^\d{1,15}$/.test(text) ? null : Number(text);
}

interface Limits {
  readonly windowMs: number;
  readonly limit: number;
}

interface OpenBand {
  from: number;
  to: number;
  admitted: number;
  refused: number;
}

/** Gives every request of a key its place in the window that its answer announces, or in the one that is open then. */
function laneOf(
  exchanges: readonly Exchange[],
  { windowMs, limit }: Limits,
): Pick<Lane, 'bands' | 'marks'> {
  const bands: OpenBand[] = [];
  const marks = exchanges.map((exchange) => {
    const at = timeOf(exchange);
    const reset = resetOf(exchange);
    let band =
      reset === null
        ? bands.findLast((one) => one.from <= at && at < one.to)
        : bands.findLast(({ to }) => Math.abs(to - reset) <= RESET_TOLERANCE_MS);
    if (band === undefined && reset !== null) {
      band = { from: Math.min(at, reset - windowMs), to: reset, admitted: 0, refused: 0 };
      bands.push(band);
    }
    const status = exchange.response?.status ?? 0;
    if (band !== undefined && status === 429) band.refused += 1;
    if (band !== undefined && status >= 200 && status < 400) band.admitted += 1;
    return markOf(exchange, band?.admitted ?? 0, limit);
  });
  return { bands, marks };
}

function markOf(exchange: Exchange, place: number, limit: number): Mark {
  const status = exchange.response?.status ?? 0;
  const admitted = status >= 200 && status < 400;
  const kind =
    status === 0 || status >= 500
      ? 'failed'
      : status === 429
        ? 'refused'
        : !admitted
          ? 'other'
          : place > limit
            ? 'beyond'
            : 'admitted';
  return {
    exchange: exchange.id,
    endpoint: exchange.endpoint ?? exchange.request.path,
    status,
    kind,
    at: timeOf(exchange),
    place,
  };
}

function pauses(sent: readonly Exchange[], least: number): RequestTimeline['waits'] {
  return sent.flatMap((exchange, index) => {
    const before = sent[index - 1];
    if (before === undefined) return [];
    const [from, to] = [timeOf(before) + (before.receivedAt - before.sentAt), timeOf(exchange)];
    return to - from >= least ? [{ from, to }] : [];
  });
}
