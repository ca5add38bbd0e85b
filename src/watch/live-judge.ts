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

/**
 * Judges endless traffic in slices. Each slice starts with the end of the previous one, so that pages and windows are
 * compared across them; exchanges further apart are not compared. Memory is bounded.
 */
export class LiveJudge {
  readonly ledger = new TrafficLedger(KEEP_ALL);
  readonly #facts: Facts;
  #fresh: Exchange[] = [];
  #freshBytes = 0;
  #tail: Exchange[] = [];
  /** Exchanges for the limiter, without bodies. */
  #counted: Exchange[] = [];
  #lastAt = 0;
  #oldestAt = 0;

  /** @param facts facts about the target; the traffic may lack requests */
  constructor(facts: Facts) {
    this.#facts = { ...facts, partial: true };
  }

  get waiting(): number {
    return this.#fresh.length;
  }

  /** Adds an exchange. @param now local time, epoch ms */
  take(exchange: Exchange, now: number): void {
    if (this.#fresh.length === 0) this.#oldestAt = now;
    this.#lastAt = now;
    this.ledger.note(exchange);
    this.#fresh.push(exchange);
    this.#freshBytes += sizeOf(exchange);
  }

  isDue(now: number): boolean {
    if (this.#fresh.length === 0) return false;
    return (
      this.#freshBytes >= BATCH ||
      now - this.#oldestAt >= OLDEST_MS ||
      now - this.#lastAt >= QUIET_MS
    );
  }

  /** Judges waiting exchanges. @returns new findings */
  judge(): readonly Finding[] {
    const fresh = this.#fresh.toSorted(byTime);
    if (fresh.length === 0) return [];
    this.#fresh = [];
    this.#freshBytes = 0;
    const slice = [...this.#tail, ...fresh].toSorted(byTime);
    const { windowMs } = this.#facts.limits;
    const since = (fresh.at(-1)?.sentAt ?? 0) - WINDOWS * windowMs;
    this.#counted = [...this.#counted, ...fresh.map(limitsOnly)]
      .filter(({ sentAt }) => sentAt >= since)
      .toSorted(byTime)
      .slice(-MOST_COUNTED);
    const ids = new Set(fresh.map(({ id }) => id));
    const facts = { ...this.#facts, doubtfulIds: doubtfulIn(slice) };
    const judgement = judgeInParts(slice, this.#counted, facts, ids);
    // The limiter may have a finding on an exchange whose body was dropped: the evidence then lacks it.
    const all = [...this.#counted, ...slice];
    const found = this.ledger.add(judgement, all, facts, ids);
    this.#keepTail(slice);
    return found;
  }

  /**
   * Exchanges are missing at this point: nothing before it is compared with anything after it.
   * @returns findings in the waiting exchanges
   */
  gap(): readonly Finding[] {
    const found = this.judge();
    forgetViews(this.#tail);
    this.#tail = [];
    this.#counted = [];
    return found;
  }

  #keepTail(slice: readonly Exchange[]): void {
    const last = slice.at(-1)?.sentAt ?? 0;
    let bytes = 0;
    const before = slice.findLastIndex((exchange) => {
      bytes += sizeOf(exchange);
      return last - exchange.sentAt > TAIL_MS || bytes > TAIL;
    });
    const from = before + 1;
    // Parsed bodies take several times the memory of their text.
    forgetViews(slice.slice(0, from));
    this.#tail = slice.slice(from);
  }
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
