import { RATE_HEADERS } from '../spec/limits.ts';
import type { Exchange } from '../spec/exchange.ts';
import type { Finding } from '../spec/finding.ts';
import { judgeInParts } from '../requirements/judging.ts';
import type { Facts } from '../judge/facts.ts';
import { forgetViews } from '../judge/view.ts';
import { doubtfulIn } from '../run/check/check-judge.ts';
import { TrafficLedger } from '../run/check/traffic-ledger.ts';

/** What is not yet judged is judged when it has become so much, bytes of text. */
const BATCH = 4 * 1024 * 1024;
/** Or so old, ms. */
const OLDEST_MS = 10_000;
/** Or nothing more came for so long, ms. */
const QUIET_MS = 1500;
/** What was judged stays at hand, so that it can be compared with what follows: so much, and so long. */
const TAIL = 2 * 1024 * 1024;
const TAIL_MS = 60_000;
/** The limiter needs whole windows: so many of them, and so many exchanges at the most. */
const WINDOWS = 2.5;
const MOST_COUNTED = 20_000;
/** Bodies of refusals, which say what the limiter has to say, characters. */
const REFUSAL = 4096;
/** Evidence that shows nothing in particular, bytes. */
const KEEP_ALL = 2 * 1024 * 1024;

/**
 * Judges traffic that does not end, a slice at a time. Each slice begins with the end of the one before, so that pages and
 * windows are compared across it; what lies further apart is not compared. Memory is bounded, however long it takes.
 */
export class LiveJudge {
  readonly ledger: TrafficLedger;
  readonly #facts: Facts;
  #fresh: Exchange[] = [];
  #freshBytes = 0;
  #tail: Exchange[] = [];
  /** What the limiter said, without bodies. */
  #counted: Exchange[] = [];
  #lastAt = 0;
  #oldestAt = 0;

  /**
   * @param facts what is known of the target; taken as that of traffic which may lack requests
   * @param ledger what is known already, of an earlier part of the same traffic
   */
  constructor(facts: Facts, ledger: TrafficLedger = new TrafficLedger(KEEP_ALL)) {
    this.#facts = { ...facts, partial: true };
    this.ledger = ledger;
  }

  /** Exchanges that are taken and not judged yet. */
  get waiting(): number {
    return this.#fresh.length;
  }

  /** Takes an exchange. @param now local time, epoch ms */
  take(exchange: Exchange, now: number): void {
    if (this.#fresh.length === 0) this.#oldestAt = now;
    this.#lastAt = now;
    this.ledger.note(exchange);
    this.#fresh.push(exchange);
    this.#freshBytes += (exchange.response?.text.length ?? 0) + 500;
  }

  /** True when what is waiting is to be judged now. */
  isDue(now: number): boolean {
    if (this.#fresh.length === 0) return false;
    return (
      this.#freshBytes >= BATCH ||
      now - this.#oldestAt >= OLDEST_MS ||
      now - this.#lastAt >= QUIET_MS
    );
  }

  /** Judges what is waiting. @returns what was found and not known before */
  judge(): readonly Finding[] {
    const fresh = this.#fresh.toSorted((a, b) => a.sentAt - b.sentAt);
    if (fresh.length === 0) return [];
    this.#fresh = [];
    this.#freshBytes = 0;
    const slice = [...this.#tail, ...fresh].toSorted((a, b) => a.sentAt - b.sentAt);
    const { windowMs } = this.#facts.limits;
    const since = (fresh.at(-1)?.sentAt ?? 0) - WINDOWS * windowMs;
    this.#counted = [...this.#counted, ...fresh.map(limitsOnly)]
      .filter(({ sentAt }) => sentAt >= since)
      .toSorted((a, b) => a.sentAt - b.sentAt)
      .slice(-MOST_COUNTED);
    const ids = new Set(fresh.map(({ id }) => id));
    const facts = { ...this.#facts, doubtfulIds: doubtfulIn(slice) };
    const judgement = judgeInParts(slice, this.#counted, facts, ids);
    this.ledger.look(fresh, facts);
    // What the limiter said of an exchange that is known by its limits only: the evidence is then without its body.
    const all = [...this.#counted, ...slice];
    const found = this.ledger.merge(judgement, all, facts, ids);
    this.ledger.fill(fresh);
    this.#keepTail(slice);
    return found;
  }

  /**
   * Something that passed is missing from here on: nothing before it is compared with anything behind it.
   * @returns what was found in what was waiting
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
    let from = slice.length;
    while (from > 0) {
      const exchange = slice[from - 1];
      if (exchange === undefined || last - exchange.sentAt > TAIL_MS) break;
      bytes += (exchange.response?.text.length ?? 0) + 500;
      if (bytes > TAIL) break;
      from -= 1;
    }
    // The parsed bodies take several times the memory of their texts.
    forgetViews(slice.slice(0, from));
    this.#tail = slice.slice(from);
  }
}

/** The exchange as far as the limiter is concerned. */
function limitsOnly(exchange: Exchange): Exchange {
  const { response } = exchange;
  if (response === null) return exchange;
  const headers: Record<string, string> = {};
  for (const name of [...Object.values(RATE_HEADERS), 'date', 'retry-after']) {
    const value = response.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  const isRefusal = response.status >= 400;
  return {
    ...exchange,
    request: { ...exchange.request, headers: {} },
    response: {
      status: response.status,
      headers,
      text: isRefusal && response.text.length <= REFUSAL ? response.text : '',
      bytes: response.bytes,
      limitsOnly: true,
    },
  };
}
