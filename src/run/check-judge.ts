import { ETF_SETTLEMENT } from '../rules/etf-settlement.ts';
import type { EndpointPath } from '../contract/endpoints.ts';
import { numberOf, type Exchange } from '../contract/exchange.ts';
import type { Finding } from '../contract/finding.ts';
import type { RequirementId } from '../contract/requirement-id.ts';
import { contextOf } from '../rules/context.ts';
import { expectationOf } from '../rules/expectation.ts';
import type { Facts } from '../rules/facts.ts';
import { MAX_FINDINGS, type Judgement, type Reading } from '../rules/judgement.ts';
import { isAlive } from '../rules/liveness.ts';
import { judgeAll, judgeFor, requirementJudgedBy } from '../requirements/judging.ts';
import { viewOf } from '../rules/view.ts';

/** What was found about one requirement in a whole recording. */
export interface Found {
  /** Exchanges that it was judged on. */
  count: number;
  /** Some of them: those with findings, and the first ones. */
  readonly exchanges: Set<string>;
  readonly findings: Finding[];
  readonly readings: Reading[];
  /** True when at least one of the exchanges is no refusal, or a refusal of which the cause is known. */
  controlled: boolean;
}

/** Exchanges of others that lie further apart than this are not compared, ms. */
const SLICE_MS = 600_000;
/** Text of exchanges that are judged together; what is parsed takes several times as much memory, bytes. */
const FOREIGN_BATCH = 8 * 1024 * 1024;
const OWN_BATCH = 64 * 1024 * 1024;
/** Exchanges kept as evidence for the reports, as text, bytes; beyond it only those that show something are kept. */
const KEEP_ALL = 16 * 1024 * 1024;

const EVIDENCE = 3;
/** Readings kept for one question and answer. */
const MAX_READINGS = 3;

const MAX_HISTORIES = 200;

/**
 * Judges the exchanges of recordings, one recording after the other, in memory that does not grow with them. The
 * traffic of a run is judged as a whole, as the run did it. That of others is judged in slices of time: what lies
 * further apart, or comes from another recorder with another clock, is not compared.
 */
export class RecordedJudge {
  readonly requirements = new Map<RequirementId, Found>();
  readonly readings: Reading[] = [];
  readonly kept = new Map<string, Exchange>();
  readonly endpoints = new Set<EndpointPath>();
  alive = false;
  first = Number.POSITIVE_INFINITY;
  last = Number.NEGATIVE_INFINITY;
  judged = 0;
  /** True when exchanges were left out of the reports to bound their size. */
  trimmed = false;
  readonly #succeeded = new Set<EndpointPath>();
  readonly #readingCounts = new Map<string, number>();
  #batch: Exchange[] = [];
  #batchBytes = 0;
  #keptBytes = 0;
  #histories: Exchange[] = [];

  /** Takes one exchange of the current recording. */
  take(exchange: Exchange, facts: Facts): void {
    this.judged += 1;
    this.first = Math.min(this.first, exchange.sentAt);
    this.last = Math.max(this.last, exchange.receivedAt);
    if (exchange.endpoint !== null && exchange.response !== null) {
      this.endpoints.add(exchange.endpoint);
      if (exchange.response.status < 300) this.#succeeded.add(exchange.endpoint);
    }
    this.#batch.push(exchange);
    this.#batchBytes += (exchange.response?.text.length ?? 0) + 500;
    const bound = facts.partial === true ? FOREIGN_BATCH : OWN_BATCH;
    if (this.#batchBytes > bound) this.#judgeBatch(facts);
  }

  /** Judges what is left of a recording. Called at its end. */
  flush(facts: Facts): void {
    this.#judgeBatch(facts);
    if (facts.partial !== true) return;
    // The one thing that only shows from one day to the next.
    const completes = requirementJudgedBy(ETF_SETTLEMENT.t1Completes);
    if (completes !== undefined) {
      const context = contextOf(facts, this.#histories);
      this.#merge(judgeFor(completes, this.#histories, context), this.#histories, facts);
    }
    this.#histories = [];
  }

  /** Whether a refusal at the endpoint of an exchange has a good request beside it. */
  #isControlled(exchange: Exchange, facts: Facts): boolean {
    const view = viewOf(exchange, facts);
    if (view === undefined || exchange.endpoint === null || view.ok) return true;
    if (expectationOf(view, facts).kind !== 'refused') return true;
    return this.#succeeded.has(exchange.endpoint);
  }

  #judgeBatch(facts: Facts): void {
    const batch = this.#batch;
    this.#batch = [];
    this.#batchBytes = 0;
    if (batch.length === 0) return;
    if (facts.partial !== true) {
      const sorted = batch.toSorted((a, b) => numberOf(a.id) - numberOf(b.id));
      this.#judgeSlice(sorted, facts);
      return;
    }
    for (const slice of slicesOf(batch)) {
      this.#judgeSlice(slice, { ...facts, doubtfulIds: doubtfulIn(slice) });
    }
    const histories = batch.filter(({ endpoint }) => endpoint === '/etfs/{ticker}/history');
    this.#histories.push(...histories.slice(0, MAX_HISTORIES - this.#histories.length));
  }

  #judgeSlice(slice: readonly Exchange[], facts: Facts): void {
    const judgement = judgeAll(slice, facts);
    this.alive ||= isAlive(slice, facts);
    this.#merge(judgement, slice, facts);
    for (const exchange of slice) {
      const bytes = exchange.response?.text.length ?? 0;
      if (this.#keptBytes + bytes > KEEP_ALL) this.trimmed = true;
      else this.#keep(exchange);
    }
  }

  #merge({ requirements, readings }: Judgement, slice: readonly Exchange[], facts: Facts): void {
    const byId = new Map(slice.map((exchange) => [exchange.id, exchange]));
    const show = (id: string): void => {
      const exchange = byId.get(id);
      if (exchange !== undefined) this.#keep(exchange);
    };
    for (const [id, { exchanges, findings }] of requirements) {
      const found = this.#found(id);
      found.count += exchanges.size;
      for (const finding of findings.slice(0, MAX_FINDINGS - found.findings.length)) {
        found.findings.push(finding);
        found.exchanges.add(finding.exchange);
        show(finding.exchange);
      }
      for (const one of exchanges) {
        const exchange = byId.get(one);
        if (exchange === undefined) continue;
        found.controlled ||= this.#isControlled(exchange, facts);
        if (found.exchanges.size >= EVIDENCE && !this.kept.has(one) && this.#keptBytes > KEEP_ALL) {
          continue;
        }
        found.exchanges.add(one);
        show(one);
      }
    }
    for (const reading of readings) {
      const key = JSON.stringify([reading.requirement, reading.question, reading.answer]);
      const count = this.#readingCounts.get(key) ?? 0;
      if (count >= MAX_READINGS) continue;
      this.#readingCounts.set(key, count + 1);
      this.readings.push(reading);
      if (reading.requirement !== null) this.#found(reading.requirement).readings.push(reading);
      show(reading.exchange);
    }
  }

  #found(id: RequirementId): Found {
    let found = this.requirements.get(id);
    if (found === undefined) {
      found = { count: 0, exchanges: new Set(), findings: [], readings: [], controlled: false };
      this.requirements.set(id, found);
    }
    return found;
  }

  #keep(exchange: Exchange): void {
    if (this.kept.has(exchange.id)) return;
    this.kept.set(exchange.id, exchange);
    this.#keptBytes += exchange.response?.text.length ?? 0;
  }
}

/** Parts of the traffic within ten minutes, in the order of time. */
function slicesOf(batch: readonly Exchange[]): readonly (readonly Exchange[])[] {
  const sorted = batch.toSorted((a, b) => a.sentAt - b.sentAt);
  const slices: Exchange[][] = [];
  let start = Number.NEGATIVE_INFINITY;
  for (const exchange of sorted) {
    const slice = slices.at(-1);
    if (slice === undefined || exchange.sentAt - start > SLICE_MS) {
      slices.push([exchange]);
      start = exchange.sentAt;
    } else slice.push(exchange);
  }
  return slices;
}

/**
 * Identifiers that the target refused at least once. Nobody says whether they exist, so no answer to them is wrong
 * (§7: 404, or 400001 for a form that it does not accept).
 */
function doubtfulIn(slice: readonly Exchange[]): Record<string, readonly string[]> {
  const known = new Set<string>();
  for (const { response, pathParameters } of slice) {
    if (response === null || response.status > 299) continue;
    for (const pair of Object.entries(pathParameters)) known.add(pair.join(' '));
  }
  const ids = new Map<string, Set<string>>();
  for (const { response, pathParameters } of slice) {
    const status = response?.status ?? 0;
    if (status < 400 || status >= 500 || [401, 403, 429].includes(status)) continue;
    for (const [name, id] of Object.entries(pathParameters)) {
      // Anything may be wrong with a request; an identifier that works elsewhere is at fault only when it is not found.
      if (status !== 404 && known.has(`${name} ${id}`)) continue;
      ids.set(name, (ids.get(name) ?? new Set()).add(id));
    }
  }
  return Object.fromEntries([...ids].map(([name, set]) => [name, [...set]]));
}
