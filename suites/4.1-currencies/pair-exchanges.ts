// The exchange filter of pairs (§4.1), compared with the unfiltered list.
import { MIN_PAIRS_OF_EXCHANGE, FEW_PAIRS, FILTERED_SHARE, SAME_MINUTES_MS } from '../numbers.ts';
import type { Context } from '../../src/judge/context.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import { PAGE_PARAMETERS, PAGES, pageOf } from '../../src/judge/pages.ts';
import { counted, sameList } from '../../src/judge/relations.ts';
import { isObject, type RecordAt, type View } from '../../src/judge/view.ts';

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
