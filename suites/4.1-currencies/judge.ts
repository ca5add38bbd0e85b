import {
  MIN_PAIRS,
  MIN_PAIRS_OF_EXCHANGE,
  FEW_PAIRS,
  FILTERED_SHARE,
  SAME_MINUTES_MS,
  MANY_SORTED,
  STALE_SHARE,
  SWAPS_BY_CHANCE,
} from '../numbers.ts';
import { type Context, isJudgeable } from '../../src/judge/context.ts';
import { decimalOf } from '../../src/judge/text/decimals.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeAll, judgeEach } from '../../src/judge/judge.ts';
import { objectsOf } from '../../src/judge/values-at.ts';
import { type View, isObject, type RecordAt } from '../../src/judge/view.ts';
import { areNear, currencyOf, hasSide, namesOf } from '../families/of-currency.ts';
import { PAGE_PARAMETERS, PAGES, pageOf } from '../../src/judge/pages.ts';
import { counted, sameList, opensOnly, wholeNumber } from '../../src/judge/relations.ts';
import { describeAnswer } from '../../src/judge/errors.ts';
import { isInvalidRequestStatus } from '../../src/judge/expectation.ts';

// 4.1/own-record: a currency gets its own snapshot and pairs.

/** Figures that together identify a currency. */
const FIGURES = ['price', 'turnover_24h', 'marketcap', 'ath', 'circulating_supply'];

/** A fingerprint of the record; undefined if it has too little data, as without trading. */
function fingerprintOf(view: View, context: Context): string | undefined {
  const [snapshot] = objectsOf(view, context, 'currency-snapshot');
  if (snapshot !== undefined) {
    const figures = FIGURES.map((name) => decimalOf(snapshot.value[name]));
    const conclusive = figures.filter((figure) => figure !== undefined && figure !== 0).length;
    return conclusive < FIGURES.length - 1 ? undefined : figures.join(' ');
  }
  const pairs = objectsOf(view, context, 'trading-pair');
  if (pairs.length < 3 || view.query.has('exchange')) return undefined;
  const rows = pairs.map(({ value }) => [value['market'], value['base'], value['target']]);
  // Only the same page of a list is comparable.
  return JSON.stringify([view.query.get('page'), view.query.get('page_size'), rows]);
}

/** A snapshot or list of pairs differs from those of other currencies. */
const distinct = judgeAll((views, context, it) => {
  const names = namesOf(views, context);
  const fingerprinted = views.flatMap((view) => {
    const isUnknown = context.unknownIds['currency_id']?.includes(currencyOf(view) ?? '') === true;
    const fingerprint = isUnknown ? undefined : fingerprintOf(view, context);
    return fingerprint === undefined ? [] : [{ view, fingerprint }];
  });
  for (const [index, { view, fingerprint }] of fingerprinted.entries()) {
    const others = fingerprinted
      .slice(0, index)
      .filter(
        (other) =>
          other.view.exchange.endpoint === view.exchange.endpoint &&
          areNear(other.view, view) &&
          currencyOf(other.view) !== currencyOf(view),
      );
    if (others.length === 0) continue;
    const same = others.find((other) => other.fingerprint === fingerprint)?.view;
    // One currency under two identifiers.
    const symbol = names.get(currencyOf(view))?.symbol;
    const alias =
      same !== undefined &&
      symbol !== undefined &&
      symbol === names.get(currencyOf(same))?.symbol &&
      names.size > 1;
    if (alias) continue;
    it.none(view, [same ?? []].flat(), (other) => ({
      kind: 'same-record',
      expected: `a ${view.endpoint?.response.kind === 'page' ? 'list' : 'snapshot'} other than that in ${other.exchange.id}`,
      against: [other],
      actual: `the same for ${currencyOf(view)} and ${currencyOf(other)}`,
      pointer: view.root,
    }));
  }
});

/** A list of pairs without the currency belongs to another one (§2.5). */
const withOwnPairs = judgeAll((views, context, it) => {
  const known = namesOf(views, context);
  for (const view of views) {
    const names = known.get(currencyOf(view));
    const pairs = objectsOf(view, context, 'trading-pair');
    if (names === undefined || pairs.length < MIN_PAIRS) continue;
    const [first] = pairs;
    const own = pairs.some(({ value }) => hasSide(value, names));
    it.expect(view, own, () => ({
      kind: 'no-own-pair',
      expected: `${names.symbol} as base or target`,
      actual: `base ${show(first?.value['base'])}, target ${show(first?.value['target'])}`,
      pointer: first?.pointer ?? view.root,
    }));
  }
});

/** Ruling 22: two currencies do not share records. */
export const ownRecord = [distinct, withOwnPairs];

// The exchange filter of pairs (§4.1), compared with the unfiltered list.

const PAIRS = '/currencies/{currency_id}/pairs';
const LIST = PAGES[PAIRS];
const PARTS = [...PAGE_PARAMETERS, 'exchange'];

/** Exchange names compare by letters and digits only, since a filter may use ids. */
const normalized = (name: unknown): string =>
  typeof name === 'string' ? name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '') : '';

/** A name as a typical identifier: `Crypto.com` becomes `crypto-com`. */
export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');

const marketOf = (record: unknown): unknown => (isObject(record) ? record['market'] : undefined);

/** Whether a pair belongs to the requested exchange, by normalised name. */
export const matchesExchange = (record: unknown, requested: string): boolean =>
  normalized(marketOf(record)) === normalized(requested);

/** The exchange shared by all pairs; undefined if they differ or are too few. */
export function onlyMarketOf(records: readonly RecordAt[]): string | undefined {
  const [first] = records;
  const market = marketOf(first?.value);
  if (typeof market !== 'string' || records.length < MIN_PAIRS_OF_EXCHANGE) return undefined;
  return records.every(({ value }) => matchesExchange(value, market)) ? market : undefined;
}

/** An answer filtered by exchange, with pairs. */
interface Filtered {
  readonly view: View;
  readonly requested: string;
  /** Whether pairs show the value as a name. Otherwise it may be the id of any exchange, but only of one. */
  readonly isName: boolean;
  readonly market: string;
  readonly rows: readonly RecordAt[];
  readonly foreign: readonly RecordAt[];
}

/** Filtered and unfiltered answers to one list of pairs. */
interface Answers {
  readonly filtered: readonly Filtered[];
  readonly unfiltered: readonly View[];
  /** Normalised names of exchanges in the unfiltered answers. */
  readonly names: ReadonlySet<string>;
}

function answersIn(
  views: readonly View[],
  context: Context,
  parts: readonly string[] = PARTS,
): readonly Answers[] {
  return sameList(views, PAIRS, parts, context).map((group) => {
    const unfiltered = group.filter((view) => view.ok && !view.query.has('exchange'));
    const names = new Set(
      unfiltered.flatMap(pairsIn).map(({ value }) => normalized(marketOf(value))),
    );
    const filtered = group.flatMap((view): Filtered[] => {
      const requested = view.query.get('exchange') ?? '';
      const rows = pairsIn(view);
      if (!view.ok || requested === '' || rows.length === 0) return [];
      const ofMarket = (market: string) => (row: RecordAt) => matchesExchange(row.value, market);
      const isName = names.has(normalized(requested)) || rows.some(ofMarket(requested));
      const lead = marketOf(rows[0]?.value);
      const market = isName || typeof lead !== 'string' ? requested : lead;
      const foreign = rows.filter((row) => !ofMarket(market)(row));
      return [{ view, requested, isName, market, rows, foreign }];
    });
    return { filtered, unfiltered, names };
  });
}

const pairsIn = (view: View): readonly RecordAt[] =>
  view.records.filter(({ value }) => isObject(value));

const totalIn = (view: View): number | undefined => pageOf(LIST, view)?.total;

/** Whether all pairs have the value of the filter as it was sent. */
const isNamed = ({ requested, rows }: Filtered): boolean =>
  rows.every(({ value }) => marketOf(value) === requested);

/**
 * §4.1 exchange: only pairs of that exchange. What the filter accepts is unspecified, so a value is known only if the
 * target file lists it, if it works on another page, or if pairs show it and the filter accepts such names. If several
 * values are ignored, none works and the target file lists none, the filter does nothing.
 */
export const ofOneExchange = judgeAll((views, context, it) => {
  const configured = context.exchanges ?? [];
  // A filter that works in one order must work in every order.
  for (const answers of answersIn(views, context, [...PARTS, 'order_by'])) {
    const { filtered, unfiltered, names } = answers;
    // Few pairs may be of one exchange by chance, but not of the one that is named, out of a longer list.
    const works = filtered.filter((one) => {
      if (one.foreign.length > 0) return false;
      if (one.isName && one.rows.length >= MIN_PAIRS_OF_EXCHANGE) return true;
      const total = totalIn(one.view) ?? Infinity;
      // Clearly shorter than the whole list.
      const isShorter = unfiltered.some((other) => total < FILTERED_SHARE * (totalIn(other) ?? 0));
      return isShorter && (!one.isName || isNamed(one));
    });
    const takesNames = works.some(isNamed);
    const ignored = new Set(
      filtered.flatMap(({ requested, foreign }) => (foreign.length > 0 ? [requested] : [])),
    );
    const none = works.length === 0 && configured.length === 0 && ignored.size > 1;
    for (const one of filtered) {
      const { view, requested, market, isName, foreign } = one;
      const isKnown =
        configured.includes(requested) ||
        works.some((other) => other.requested === requested) ||
        (takesNames && names.has(normalized(requested)));
      if (foreign.length === 0 ? isName || works.includes(one) : isKnown || none) {
        it.none(view, foreign, ({ pointer, value }) => ({
          kind: 'pairs-of-others',
          facts: { exchange: requested, pairs: counted(foreign.length, 'pair') },
          expected: `market: "${market}"`,
          actual: `market: ${show(marketOf(value))}`,
          pointer: `${pointer}/market`,
        }));
      }
      if (!isName && works.includes(one)) {
        it.note('What the `exchange` filter takes', 'an internal name', view);
      }
    }
  }
});

/** §2.5: a filtered total counts the pairs of the exchange: at least those seen, without those of others. */
export const filteredTotal = judgeAll((views, context, it) => {
  for (const { filtered, unfiltered } of answersIn(views, context)) {
    for (const { view, requested, isName, foreign } of filtered) {
      const total = totalIn(view);
      // `ofOneExchange` judges whether the filter works at all.
      if (total === undefined || !isName || foreign.length > 0) continue;
      const near = unfiltered
        .filter((other) => Math.abs(other.now - view.now) <= SAME_MINUTES_MS)
        .flatMap(pairsIn);
      const countOf = (isOwn: boolean): number =>
        new Set(
          near
            .filter(({ value }) => matchesExchange(value, requested) === isOwn)
            .flatMap(({ value }) => LIST.identityOf(value) ?? []),
        ).size;
      const known = countOf(true);
      const totals = unfiltered.flatMap((other) => totalIn(other) ?? []);
      const most = Math.max(0, ...totals) - countOf(false);
      if (known === 0 || most < known) continue;
      const slack = Math.max(FEW_PAIRS, known / 20);
      it.expect(view, total >= known - slack && total <= most + slack, () => ({
        kind: 'total-of-exchange',
        facts: { exchange: requested },
        expected: `from ${known} to ${most}, going by the list without the filter`,
        actual: `total: ${total}`,
        pointer: `${view.root}/total`,
      }));
    }
  }
});

// The order of pairs (§4.1 order_by), and answers beyond their last page.

interface Ranked extends RecordAt {
  readonly turnover: number;
  readonly identity: string | undefined;
}

/** A pair with a larger turnover than an earlier one, and the smallest earlier one. */
interface OutOfOrder {
  readonly row: Ranked;
  readonly before: Ranked;
}

function outOfOrder(records: readonly RecordAt[]): readonly OutOfOrder[] {
  let least: Ranked | undefined;
  return records.flatMap((record): OutOfOrder[] => {
    const { value } = record;
    const turnover = isObject(value) ? decimalOf(value['turnover_24h']) : undefined;
    if (turnover === undefined) return [];
    const row = { ...record, turnover, identity: PAGES[PAIRS].identityOf(value) };
    const before = least;
    if (before === undefined || turnover < before.turnover) least = row;
    return before !== undefined &&
      turnover > before.turnover + STALE_SHARE * Math.abs(before.turnover)
      ? [{ row, before }]
      : [];
  });
}

/** Whether a few pairs are out of order, which a second answer would confirm or clear. */
export function mayBeOutOfOrder(records: readonly RecordAt[]): boolean {
  const { length } = outOfOrder(records);
  return length > 0 && length <= SWAPS_BY_CHANCE;
}

/**
 * §4.1 order_by: the default is the largest 24-hour volume first. A few pairs may move between sorting and sending, so
 * they count only if another answer has them in the same order.
 */
export const byVolume = judgeAll((views, context, it) => {
  for (const group of sameList(views, PAIRS, PAGE_PARAMETERS, context)) {
    const answers = group.flatMap((view) =>
      view.ok && !view.query.has('order_by') ? [{ view, wrong: outOfOrder(view.records) }] : [],
    );
    for (const { view, wrong } of answers) {
      const rows = view.records.filter(
        ({ value }) => isObject(value) && decimalOf(value['turnover_24h']) !== undefined,
      );
      if (rows.length < 2) continue;
      const seen = (one: OutOfOrder): boolean =>
        answers.some(
          (other) =>
            other.view !== view && other.wrong.some(({ row }) => row.identity === one.row.identity),
        );
      const certain = wrong.length > SWAPS_BY_CHANCE ? wrong : wrong.filter(seen);
      if (wrong.length > 0 && certain.length === 0) continue;
      it.none(view, certain, ({ row, before }) => ({
        kind: 'pairs-out-of-order',
        facts: { pairs: counted(certain.length, 'pair') },
        expected: `at most ${before.turnover}`,
        actual: String(row.turnover),
        pointer: `${row.pointer}/turnover_24h`,
      }));
    }
  }
});

/** §4.1: order_by fields are unspecified; records what the service does with one. */
export const orderByField = judgeEach((view, context, it) => {
  const name = view.query.get('order_by');
  if (name === undefined || view.exchange.endpoint !== PAIRS) return;
  if (view.wrapped || !isJudgeable(view, context)) return;
  // Another open parameter may be what is refused.
  if (!opensOnly(view, context, ['order_by'])) return;
  const question = `Sorting pairs with order_by=${name}`;
  if (isInvalidRequestStatus(view.status)) {
    it.read(question, `refused: ${describeAnswer(view)}`, view);
  } else if (view.ok && view.records.length > 1) {
    const values = view.records.flatMap(({ value }) =>
      isObject(value) ? (decimalOf(value[name]) ?? []) : [],
    );
    it.read(question, `accepted${orderOf(values)}`, view);
  }
});

function orderOf(values: readonly number[]): string {
  // Few or equal values may be ordered by chance.
  if (new Set(values).size < MANY_SORTED) return '';
  const steps = values.slice(1).map((value, index) => Math.sign(value - (values[index] ?? value)));
  if (steps.every((step) => step <= 0)) return ', largest first';
  if (steps.every((step) => step >= 0)) return ', smallest first';
  return ', not in the order of that field';
}

/** Answers beyond the last page are unspecified. */
export const beyondLast = judgeAll((views, context, it) => {
  const { fallback, maximum } = PAGES[PAIRS];
  for (const group of sameList(views, PAIRS, PAGE_PARAMETERS, context)) {
    const most = Math.max(0, ...group.map((view) => pageOf(PAGES[PAIRS], view)?.total ?? 0));
    for (const view of group) {
      const number = wholeNumber(view.query.get('page')) ?? 1;
      const size = wholeNumber(view.query.get('page_size')) ?? fallback ?? 1;
      if (most === 0 || size < 1 || size > maximum || (number - 1) * size < most) continue;
      const question = 'Answer to a page of pairs beyond the last one';
      if (view.ok) {
        it.read(question, view.records.length === 0 ? 'an empty list' : 'a page with items', view);
      } else if (isInvalidRequestStatus(view.status) || view.status === 404) {
        it.read(question, `refused with status ${view.status}`, view);
      }
    }
  }
});
