import { RATE_HEADERS } from '../spec/limits.ts';
import type { Exchange } from '../spec/exchange.ts';
import type { Finding } from '../spec/finding.ts';
import { judgeInParts } from '../requirements/judging.ts';
import type { Facts } from '../judge/facts.ts';
import { forgetViews } from '../judge/view.ts';
import { doubtfulIn } from '../run/check/check-judge.ts';
import { TrafficLedger } from '../run/check/traffic-ledger.ts';

/** Waiting exchanges are judged at this size, bytes of text, */
const BATCH = 4 * 1024 * 1024;
/** or this age, ms, */
const OLDEST_MS = 10_000;
/** or after this time without traffic, ms. */
const QUIET_MS = 1500;
/** Size and age of judged exchanges that are kept for comparison with later ones. */
const TAIL = 2 * 1024 * 1024;
const TAIL_MS = 60_000;
/** Number of windows kept for the limiter, and maximum number of exchanges. */
const WINDOWS = 2.5;
const MOST_COUNTED = 20_000;
/** Maximum length of refusal bodies kept for the limiter, characters. */
const REFUSAL = 4096;
/** Maximum size of evidence without a finding, bytes. */
const KEEP_ALL = 2 * 1024 * 1024;

/** The judge of a stream. */
export type LiveJudge = ReturnType<typeof liveJudge>;

/**
 * Judges endless traffic in slices. Each slice starts with the end of the previous one, so that pages and windows are
 * compared across them; exchanges further apart are not compared. Memory is bounded.
 * @param given facts about the target; the traffic may lack requests
 */
export function liveJudge(given: Facts) {
  const always: Facts = { ...given, partial: true };
  const ledger = new TrafficLedger(KEEP_ALL);
  let fresh: Exchange[] = [];
  let [freshBytes, oldestAt, lastAt] = [0, 0, 0];
  let tail: readonly Exchange[] = [];
  /** Exchanges for the limiter, without bodies. */
  let counted: readonly Exchange[] = [];

  const keepTail = (slice: readonly Exchange[]): void => {
    const last = slice.at(-1)?.sentAt ?? 0;
    let bytes = 0;
    const before = slice.findLastIndex((exchange) => {
      bytes += sizeOf(exchange);
      return last - exchange.sentAt > TAIL_MS || bytes > TAIL;
    });
    // Parsed bodies take several times the memory of their text.
    forgetViews(slice.slice(0, before + 1));
    tail = slice.slice(before + 1);
  };
  /** Judges waiting exchanges. @returns new findings */
  const judge = (): readonly Finding[] => {
    const waiting = fresh.toSorted(byTime);
    if (waiting.length === 0) return [];
    fresh = [];
    freshBytes = 0;
    const slice = [...tail, ...waiting].toSorted(byTime);
    const since = (waiting.at(-1)?.sentAt ?? 0) - WINDOWS * always.limits.windowMs;
    counted = [...counted, ...waiting.map(limitsOnly)]
      .filter(({ sentAt }) => sentAt >= since)
      .toSorted(byTime)
      .slice(-MOST_COUNTED);
    const ids = new Set(waiting.map(({ id }) => id));
    const facts = { ...always, doubtfulIds: doubtfulIn(slice, always) };
    const judgement = judgeInParts(slice, counted, facts, ids);
    // The limiter may have a finding on an exchange whose body was dropped: the evidence then lacks it.
    const found = ledger.add(judgement, [...counted, ...slice], facts, ids);
    keepTail(slice);
    return found;
  };
  return {
    ledger,
    waiting: (): number => fresh.length,
    /** Adds an exchange. @param now local time, epoch ms */
    take(exchange: Exchange, now: number): void {
      if (fresh.length === 0) oldestAt = now;
      lastAt = now;
      ledger.note(exchange);
      fresh.push(exchange);
      freshBytes += sizeOf(exchange);
    },
    isDue: (now: number): boolean =>
      fresh.length > 0 &&
      (freshBytes >= BATCH || now - oldestAt >= OLDEST_MS || now - lastAt >= QUIET_MS),
    judge,
    /**
     * Exchanges are missing at this point: nothing before it is compared with anything after it.
     * @returns findings in the waiting exchanges
     */
    gap(): readonly Finding[] {
      const found = judge();
      forgetViews(tail);
      tail = [];
      counted = [];
      return found;
    },
  };
}

const byTime = (a: Exchange, b: Exchange): number => a.sentAt - b.sentAt;

const sizeOf = ({ response }: Exchange): number => (response?.text.length ?? 0) + 500;

/** The part of an exchange that the limiter rules need. */
function limitsOnly(exchange: Exchange): Exchange {
  const { response } = exchange;
  if (response === null) return exchange;
  const names: readonly string[] = [...Object.values(RATE_HEADERS), 'date', 'retry-after'];
  const headers = Object.entries(response.headers).filter(([name]) => names.includes(name));
  const isRefusal = response.status >= 400;
  return {
    ...exchange,
    request: { ...exchange.request, headers: {} },
    response: {
      status: response.status,
      headers: Object.fromEntries(headers),
      text: isRefusal && response.text.length <= REFUSAL ? response.text : '',
      bytes: response.bytes,
      limitsOnly: true,
    },
  };
}
