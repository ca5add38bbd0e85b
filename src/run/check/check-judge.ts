import { completes } from '../../../suites/4.4-etf-history/settlement.ts';
import { judgedAs } from '../../requirements/catalogue.ts';
import { numberOf, type Exchange } from '../../spec/exchange.ts';
import { contextOf } from '../../judge/context.ts';
import type { Facts } from '../../judge/facts.ts';
import { judgeAll, judgeFor } from '../../requirements/judging.ts';
import { TrafficLedger } from './traffic-ledger.ts';

/** Recorded exchanges further apart than this are not compared, ms. */
const SLICE_MS = 600_000;
/** Size of a batch of exchanges, bytes of text; parsed, it takes several times as much memory. */
const FOREIGN_BATCH = 8 * 1024 * 1024;
const OWN_BATCH = 64 * 1024 * 1024;
const MAX_HISTORIES = 200;

/**
 * Judges recordings one after the other in bounded memory. The recording of an Assay run is judged as a whole, like the
 * run itself. Other traffic is judged in time slices: exchanges further apart, or from recorders with different clocks,
 * are not compared.
 */
export class RecordedJudge extends TrafficLedger {
  #batch: Exchange[] = [];
  #batchBytes = 0;
  #histories: Exchange[] = [];

  take(exchange: Exchange, facts: Facts): void {
    this.note(exchange);
    this.#batch.push(exchange);
    this.#batchBytes += (exchange.response?.text.length ?? 0) + 500;
    const bound = facts.partial === true ? FOREIGN_BATCH : OWN_BATCH;
    if (this.#batchBytes > bound) this.#judgeBatch(facts);
  }

  flush(facts: Facts): void {
    this.#judgeBatch(facts);
    if (facts.partial !== true) return;
    // The only requirement that compares one day with the next.
    const requirement = judgedAs(completes);
    if (requirement !== null) {
      const context = contextOf(facts, this.#histories);
      this.add(judgeFor(requirement, this.#histories, context), this.#histories, facts);
    }
    this.#histories = [];
  }

  #judgeBatch(facts: Facts): void {
    const batch = this.#batch;
    this.#batch = [];
    this.#batchBytes = 0;
    if (batch.length === 0) return;
    if (facts.partial !== true) {
      const sorted = batch.toSorted((a, b) => numberOf(a.id) - numberOf(b.id));
      this.add(judgeAll(sorted, facts), sorted, facts);
      return;
    }
    for (const slice of slicesOf(batch)) {
      const ofSlice = { ...facts, doubtfulIds: doubtfulIn(slice, facts) };
      this.add(judgeAll(slice, ofSlice), slice, ofSlice);
    }
    const histories = batch.filter(({ endpoint }) => endpoint === '/etfs/{ticker}/history');
    this.#histories.push(...histories.slice(0, MAX_HISTORIES - this.#histories.length));
  }
}

/** Slices of ten minutes in chronological order. */
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
 * Identifiers that the target rejected at least once. Whether they exist is unknown, so no answer to them is wrong (§7:
 * 404, or 400001 for a malformed one). Not those whose nature the target file tells.
 */
export function doubtfulIn(
  slice: readonly Exchange[],
  { unknownIds, malformedCurrencyIds }: Facts,
): Record<string, readonly string[]> {
  const told = { ...unknownIds };
  told['currency_id'] = [...(told['currency_id'] ?? []), ...malformedCurrencyIds];
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
      if (told[name]?.includes(id) === true) continue;
      // A request may be rejected for other reasons: for an identifier that works elsewhere, only a 404 counts.
      if (status !== 404 && known.has(`${name} ${id}`)) continue;
      ids.set(name, (ids.get(name) ?? new Set()).add(id));
    }
  }
  return Object.fromEntries([...ids].map(([name, set]) => [name, [...set]]));
}
