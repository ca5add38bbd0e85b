import type { EndpointPath } from '../../spec/endpoints.ts';
import type { Exchange } from '../../spec/exchange.ts';
import type { Finding } from '../../spec/finding.ts';
import type { RequirementId } from '../../spec/requirement-id.ts';
import { expectationOf } from '../../judge/expectation.ts';
import type { Facts } from '../../judge/facts.ts';
import { MAX_FINDINGS, type Judgement, type Reading } from '../../judge/judgement.ts';
import { isAlive } from '../../judge/origin/liveness.ts';
import { viewOf } from '../../judge/view.ts';

/** What was found about one requirement in traffic that others sent. */
export interface Found {
  /** Exchanges that it was judged on. */
  count: number;
  /** Findings, of which `findings` holds the first ones. */
  violations: number;
  /** Some of them: those with findings, and the first ones. */
  readonly exchanges: Set<string>;
  readonly findings: Finding[];
  readonly readings: Reading[];
  /** True when at least one of the exchanges is no refusal, or a refusal of which the cause is known. */
  controlled: boolean;
}

/** Exchanges kept as evidence for the reports, as text, bytes; beyond it only those that show something are kept. */
const KEEP_ALL = 16 * 1024 * 1024;
/** What is kept at the most, whatever it shows: a target that makes every answer a finding must not fill the memory, bytes. */
const KEEP_MOST = 4 * KEEP_ALL;

const EVIDENCE = 3;
/** Readings kept for one question and answer. */
const MAX_READINGS = 3;
/** Different answers kept for one question; an answer that depends on the data has as many as there is data. */
const MAX_ANSWERS = 200;

/** A ledger as JSON, without the exchanges that it keeps. */
export interface LedgerDump {
  readonly judged: number;
  readonly first: number | null;
  readonly last: number | null;
  readonly alive: boolean;
  readonly trimmed: boolean;
  readonly endpoints: readonly EndpointPath[];
  readonly succeeded: readonly EndpointPath[];
  readonly readings: readonly Reading[];
  readonly requirements: readonly {
    readonly id: RequirementId;
    readonly count: number;
    readonly violations: number;
    readonly exchanges: readonly string[];
    readonly findings: readonly Finding[];
    readonly controlled: boolean;
  }[];
}

/**
 * What is known of traffic by now, in memory that does not grow with it: counts of everything, the first findings and
 * readings of each requirement, and the exchanges that show them.
 */
export class TrafficLedger {
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
  readonly #keepAll: number;
  readonly #succeeded = new Set<EndpointPath>();
  readonly #readingCounts = new Map<string, number>();
  readonly #answerCounts = new Map<string, number>();
  #keptBytes = 0;
  #newlyKept: Exchange[] = [];

  /** @param keepAll how much is kept that shows nothing in particular, bytes */
  constructor(keepAll = KEEP_ALL) {
    this.#keepAll = keepAll;
  }

  /** Exchanges that are kept since this was asked last. */
  newlyKept(): readonly Exchange[] {
    const kept = this.#newlyKept;
    this.#newlyKept = [];
    return kept;
  }

  /** What {@link restore} needs besides the exchanges that are kept. */
  dump(): LedgerDump {
    const { judged, first, last, alive, trimmed, readings } = this;
    return {
      judged,
      first: Number.isFinite(first) ? first : null,
      last: Number.isFinite(last) ? last : null,
      alive,
      trimmed,
      endpoints: [...this.endpoints],
      succeeded: [...this.#succeeded],
      readings,
      requirements: [...this.requirements].map(
        ([id, { count, violations, exchanges, findings, controlled }]) => ({
          id,
          count,
          violations,
          exchanges: [...exchanges],
          findings,
          controlled,
        }),
      ),
    };
  }

  /**
   * Takes up what another ledger knew.
   * @param exchanges those that it kept
   */
  restore(dump: LedgerDump, exchanges: Iterable<Exchange>): void {
    for (const exchange of exchanges) this.#keep(exchange);
    this.#newlyKept = [];
    this.judged = dump.judged;
    this.first = dump.first ?? this.first;
    this.last = dump.last ?? this.last;
    this.alive = dump.alive;
    this.trimmed = dump.trimmed;
    for (const endpoint of dump.endpoints) this.endpoints.add(endpoint);
    for (const endpoint of dump.succeeded) this.#succeeded.add(endpoint);
    for (const { id, ...rest } of dump.requirements) {
      const found = this.#found(id);
      found.count = rest.count;
      found.violations = rest.violations;
      found.controlled = rest.controlled;
      found.findings.push(...rest.findings);
      for (const one of rest.exchanges) found.exchanges.add(one);
    }
    for (const reading of dump.readings) this.#read(reading, () => true);
  }

  /** Counts an exchange that is going to be judged. */
  note(exchange: Exchange): void {
    this.judged += 1;
    this.first = Math.min(this.first, exchange.sentAt);
    this.last = Math.max(this.last, exchange.receivedAt);
    if (exchange.endpoint !== null && exchange.response !== null) {
      this.endpoints.add(exchange.endpoint);
      if (exchange.response.status < 300) this.#succeeded.add(exchange.endpoint);
    }
  }

  /** Whether exchanges are those of a service at all, as far as these show it. */
  look(slice: readonly Exchange[], facts: Facts): void {
    this.alive ||= isAlive(slice, facts);
  }

  /** Keeps exchanges that show nothing in particular, as long as there is room. */
  fill(slice: readonly Exchange[]): void {
    for (const exchange of slice) {
      const bytes = exchange.response?.text.length ?? 0;
      if (this.#keptBytes + bytes > this.#keepAll) this.trimmed = true;
      else this.#keep(exchange);
    }
  }

  /**
   * Takes in a judgement.
   * @param slice the exchanges that were judged
   * @param fresh those that were not judged before; all by default
   * @returns findings that are new
   */
  merge(
    { requirements, readings }: Judgement,
    slice: readonly Exchange[],
    facts: Facts,
    fresh?: ReadonlySet<string>,
  ): readonly Finding[] {
    const byId = new Map(slice.map((exchange) => [exchange.id, exchange]));
    const show = (id: string): boolean => {
      const exchange = byId.get(id);
      if (exchange !== undefined) this.#keep(exchange);
      return this.kept.has(id);
    };
    const told: Finding[] = [];
    for (const [id, { exchanges, findings }] of requirements) {
      const found = this.#found(id);
      found.count += fresh === undefined ? exchanges.size : countIn(exchanges, fresh);
      for (const finding of findings) {
        if (found.findings.some((one) => isSame(one, finding))) continue;
        if (fresh !== undefined && !fresh.has(finding.exchange)) {
          // Found before and not kept, unless what came since is what shows it.
          if (found.violations >= MAX_FINDINGS) continue;
        }
        found.violations += 1;
        if (found.findings.length >= MAX_FINDINGS || !show(finding.exchange)) continue;
        found.findings.push(finding);
        found.exchanges.add(finding.exchange);
        told.push(finding);
      }
      for (const one of exchanges) {
        const exchange = byId.get(one);
        if (exchange === undefined) continue;
        found.controlled ||= this.#isControlled(exchange, facts);
        if (
          found.exchanges.size >= EVIDENCE &&
          !this.kept.has(one) &&
          this.#keptBytes > this.#keepAll
        ) {
          continue;
        }
        if (show(one)) found.exchanges.add(one);
      }
    }
    for (const reading of readings) this.#read(reading, show);
    return told;
  }

  #read(reading: Reading, show: (id: string) => boolean): void {
    const question = JSON.stringify([reading.requirement, reading.question]);
    const key = `${question} ${reading.answer}`;
    const count = this.#readingCounts.get(key) ?? 0;
    const answers = this.#answerCounts.get(question) ?? 0;
    if (count >= MAX_READINGS || (count === 0 && answers >= MAX_ANSWERS)) return;
    if (
      this.readings.some((one) => one.exchange === reading.exchange && isSameReading(one, reading))
    )
      return;
    this.#readingCounts.set(key, count + 1);
    if (count === 0) this.#answerCounts.set(question, answers + 1);
    if (!show(reading.exchange)) return;
    this.readings.push(reading);
    if (reading.requirement !== null) this.#found(reading.requirement).readings.push(reading);
  }

  /** Whether a refusal at the endpoint of an exchange has a good request beside it. */
  #isControlled(exchange: Exchange, facts: Facts): boolean {
    const view = viewOf(exchange, facts);
    if (view === undefined || exchange.endpoint === null || view.ok) return true;
    if (expectationOf(view, facts).kind !== 'refused') return true;
    return this.#succeeded.has(exchange.endpoint);
  }

  #found(id: RequirementId): Found {
    let found = this.requirements.get(id);
    if (found === undefined) {
      found = {
        count: 0,
        violations: 0,
        exchanges: new Set(),
        findings: [],
        readings: [],
        controlled: false,
      };
      this.requirements.set(id, found);
    }
    return found;
  }

  #keep(exchange: Exchange): void {
    if (this.kept.has(exchange.id)) return;
    const bytes = exchange.response?.text.length ?? 0;
    if (this.#keptBytes + bytes > KEEP_MOST) {
      this.trimmed = true;
      return;
    }
    this.kept.set(exchange.id, exchange);
    this.#newlyKept.push(exchange);
    this.#keptBytes += bytes;
  }
}

function countIn(ids: ReadonlySet<string>, fresh: ReadonlySet<string>): number {
  let count = 0;
  for (const id of ids) if (fresh.has(id)) count += 1;
  return count;
}

const isSame = (a: Finding, b: Finding): boolean =>
  a.exchange === b.exchange && a.message === b.message && a.pointer === b.pointer;

const isSameReading = (a: Reading, b: Reading): boolean =>
  a.requirement === b.requirement && a.question === b.question && a.answer === b.answer;
