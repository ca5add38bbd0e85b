import { REPEATED } from '../../har/foreign-exchange.ts';
import type { EndpointPath } from '../../spec/endpoints.ts';
import { inferredRole, type Exchange, type KeyRole } from '../../spec/exchange.ts';
import type { Finding } from '../../spec/finding.ts';
import type { RequirementId } from '../../spec/requirement-id.ts';
import { expectationOf } from '../../judge/expectation.ts';
import type { Facts } from '../../judge/facts.ts';
import {
  MAX_FINDINGS,
  MAX_VARIETIES,
  type Judgement,
  type Reading,
} from '../../judge/judgement.ts';
import { isAlive } from '../../judge/origin/recognition.ts';
import { viewOf } from '../../judge/view.ts';

/** Evidence about one requirement in recorded traffic. */
export interface Found {
  count: number;
  violations: number;
  /** Ids of exchanges with findings, and of the first others. */
  readonly exchanges: Set<string>;
  readonly findings: Finding[];
  /** Kept exchanges of findings that were dropped because of the limit. */
  readonly dropped: Set<string>;
  readonly readings: Reading[];
  /** True when at least one exchange is not a refusal, or a refusal with a control. */
  controlled: boolean;
}

/** Size of exchanges kept for the reports, bytes of text; beyond it, only those with evidence are kept. */
const KEEP_ALL = 16 * 1024 * 1024;
/** Hard limit, so that a target with a finding in every answer cannot fill the memory, bytes. */
const KEEP_MOST = 4 * KEEP_ALL;

const EVIDENCE = 3;
/** Readings kept per question and answer. */
const MAX_READINGS = 3;
/** Distinct answers kept per question; data-dependent questions can have very many. */
const MAX_ANSWERS = 200;

/** A ledger as JSON, without its exchanges. */
export type LedgerDump = ReturnType<TrafficLedger['dump']>;

/**
 * Accumulates judgements of traffic in bounded memory: counts of everything, the first findings and readings of each
 * requirement, and the exchanges that show them.
 */
export class TrafficLedger {
  readonly requirements = new Map<RequirementId, Found>();
  readonly readings: Reading[] = [];
  readonly kept = new Map<string, Exchange>();
  readonly endpoints = new Set<EndpointPath>();
  /** Why the last recorded response of an endpoint that was not judged was not. */
  readonly leftOut = new Map<EndpointPath, string>();
  /** Requests by role of their key. */
  readonly byRole: Partial<Record<KeyRole, number>> = {};
  alive = false;
  first = Number.POSITIVE_INFINITY;
  last = Number.NEGATIVE_INFINITY;
  judged = 0;
  /** True when exchanges were omitted from the reports to limit their size. */
  trimmed = false;
  /** True when responses were ignored that may be duplicates, or further admitted requests. */
  isInDoubt = false;
  readonly #keepAll: number;
  readonly #succeeded = new Set<EndpointPath>();
  readonly #readingCounts = new Map<string, number>();
  readonly #answerCounts = new Map<string, number>();
  #keptBytes = 0;
  #newlyKept: Exchange[] = [];

  /** @param keepAll limit for exchanges without evidence, bytes */
  constructor(keepAll = KEEP_ALL) {
    this.#keepAll = keepAll;
  }

  /** Exchanges kept since the last call. */
  newlyKept(): readonly Exchange[] {
    const kept = this.#newlyKept;
    this.#newlyKept = [];
    return kept;
  }

  /** The state for {@link restore}, without the exchanges. */
  dump() {
    const { judged, byRole, first, last, alive, trimmed, readings } = this;
    return {
      judged,
      byRole,
      alive,
      trimmed,
      readings,
      first: Number.isFinite(first) ? first : null,
      last: Number.isFinite(last) ? last : null,
      endpoints: [...this.endpoints],
      succeeded: [...this.#succeeded],
      requirements: [...this.requirements].map(([id, { readings: _readings, ...found }]) => ({
        ...found,
        id,
        exchanges: [...found.exchanges],
        dropped: [...found.dropped],
      })),
    };
  }

  /**
   * Restores the state of another ledger.
   * @param exchanges the exchanges it kept
   */
  restore(dump: LedgerDump, exchanges: Iterable<Exchange>): void {
    for (const exchange of exchanges) this.#keep(exchange);
    this.#newlyKept = [];
    this.judged = dump.judged;
    Object.assign(this.byRole, dump.byRole);
    this.first = dump.first ?? this.first;
    this.last = dump.last ?? this.last;
    this.alive = dump.alive;
    this.trimmed = dump.trimmed;
    for (const endpoint of dump.endpoints) this.endpoints.add(endpoint);
    for (const endpoint of dump.succeeded) this.#succeeded.add(endpoint);
    for (const { id, ...found } of dump.requirements) {
      const dropped = new Set(found.dropped);
      const of = new Set(found.exchanges);
      this.requirements.set(id, { ...found, exchanges: of, dropped, readings: [] });
    }
    for (const reading of dump.readings) this.#read(reading, () => true);
  }

  note(exchange: Exchange): void {
    this.judged += 1;
    const role = inferredRole(exchange);
    this.byRole[role] = (this.byRole[role] ?? 0) + 1;
    this.first = Math.min(this.first, exchange.sentAt);
    this.last = Math.max(this.last, exchange.receivedAt);
    if (exchange.endpoint !== null && exchange.response !== null) {
      this.endpoints.add(exchange.endpoint);
      if (exchange.response.status < 300) this.#succeeded.add(exchange.endpoint);
    }
  }

  /** Notes a response that is not judged. */
  leave(endpoint: EndpointPath | undefined, reason: string): void {
    this.isInDoubt ||= reason === REPEATED;
    if (endpoint !== undefined) this.leftOut.set(endpoint, reason);
  }

  /**
   * Adds a judgement.
   * @param slice the judged exchanges
   * @param fresh ids of those not judged before; default: all
   * @returns new findings
   */
  add(
    { requirements, readings }: Judgement,
    slice: readonly Exchange[],
    facts: Facts,
    fresh: ReadonlySet<string> = new Set(slice.map(({ id }) => id)),
  ): readonly Finding[] {
    this.alive ||= isAlive(slice, facts);
    const byId = new Map(slice.map((exchange) => [exchange.id, exchange]));
    const show = (id: string): boolean => {
      const exchange = byId.get(id);
      if (exchange !== undefined) this.#keep(exchange);
      return this.kept.has(id);
    };
    const reported: Finding[] = [];
    const isFresh = slice.every(({ id }) => fresh.has(id));
    for (const [id, { exchanges, findings, total }] of requirements) {
      const found = this.#found(id);
      found.count += [...exchanges].filter((one) => fresh.has(one)).length;
      for (const finding of findings) {
        if (found.findings.some((one) => isSame(one, finding))) continue;
        const isRepeated = found.findings.some((one) => isAlike(one, finding));
        const isFull = found.findings.length >= (isRepeated ? MAX_FINDINGS : MAX_VARIETIES);
        // Probably found before and dropped because of the limit.
        if (isFull && !fresh.has(finding.exchange)) continue;
        found.violations += 1;
        if (isFull || !show(finding.exchange)) continue;
        found.findings.push(finding);
        found.exchanges.add(finding.exchange);
        reported.push(finding);
      }
      // Of exchanges judged again, what the judgement dropped may have been counted before.
      if (isFresh) found.violations += total - findings.length;
      else found.violations = Math.max(found.violations, total);
      for (const one of exchanges) {
        const exchange = byId.get(one);
        if (exchange === undefined) continue;
        found.controlled ||= this.#isControlled(exchange, facts);
        const isNeeded = found.exchanges.size < EVIDENCE || this.#keptBytes <= this.#keepAll;
        if ((isNeeded || this.kept.has(one)) && show(one)) found.exchanges.add(one);
      }
    }
    for (const reading of readings) this.#read(reading, show);
    // Exchanges without evidence are kept while there is room.
    for (const exchange of byId.values()) {
      if (!fresh.has(exchange.id)) continue;
      if (this.#keptBytes + sizeOf(exchange) > this.#keepAll) this.trimmed = true;
      else this.#keep(exchange);
    }
    for (const [id, { findings, dropped }] of requirements) {
      const found = this.#found(id);
      const shown = new Set(found.findings.map(({ exchange }) => exchange));
      for (const one of [...dropped, ...findings.map(({ exchange }) => exchange)])
        if (this.kept.has(one) && !shown.has(one)) found.dropped.add(one);
    }
    return reported;
  }

  #read(reading: Reading, show: (id: string) => boolean): void {
    const question = JSON.stringify([reading.requirement, reading.question]);
    const key = `${question} ${reading.answer}`;
    const count = this.#readingCounts.get(key) ?? 0;
    const answers = this.#answerCounts.get(question) ?? 0;
    if (count >= MAX_READINGS || (count === 0 && answers >= MAX_ANSWERS)) return;
    if (this.readings.some((one) => isSameReading(one, reading))) return;
    this.#readingCounts.set(key, count + 1);
    if (count === 0) this.#answerCounts.set(question, answers + 1);
    if (!show(reading.exchange)) return;
    this.readings.push(reading);
    if (reading.requirement !== null) this.#found(reading.requirement).readings.push(reading);
  }

  /** True unless the exchange is a refusal at an endpoint without any successful request. */
  #isControlled(exchange: Exchange, facts: Facts): boolean {
    const view = viewOf(exchange, facts);
    if (view === undefined || exchange.endpoint === null || view.ok) return true;
    if (expectationOf(view, facts).kind !== 'refused') return true;
    return this.#succeeded.has(exchange.endpoint);
  }

  #found(id: RequirementId): Found {
    const none = { count: 0, violations: 0, controlled: false, findings: [], readings: [] };
    const [exchanges, dropped] = [new Set<string>(), new Set<string>()];
    const found = this.requirements.get(id) ?? { ...none, exchanges, dropped };
    this.requirements.set(id, found);
    return found;
  }

  #keep(exchange: Exchange): void {
    if (this.kept.has(exchange.id)) return;
    if (this.#keptBytes + sizeOf(exchange) > KEEP_MOST) {
      this.trimmed = true;
      return;
    }
    this.kept.set(exchange.id, exchange);
    this.#newlyKept.push(exchange);
    this.#keptBytes += sizeOf(exchange);
  }
}

const sizeOf = ({ response }: Exchange): number => response?.text.length ?? 0;

const isSame = (a: Finding, b: Finding): boolean =>
  a.exchange === b.exchange && a.message === b.message && a.pointer === b.pointer;

/** Shows a defect at the same place, for the same key. */
const isAlike = (a: Finding, b: Finding): boolean =>
  a.kind === b.kind &&
  a.endpoint === b.endpoint &&
  a.role === b.role &&
  a.parameter === b.parameter;

const isSameReading = (a: Reading, b: Reading): boolean =>
  a.exchange === b.exchange &&
  a.requirement === b.requirement &&
  a.question === b.question &&
  a.answer === b.answer;
