// The exchange filter of pairs (§4.1), compared with the unfiltered list.
import { MIN_PAIRS_OF_EXCHANGE, FEW_PAIRS, FILTERED_SHARE, SAME_MINUTES_MS } from '../numbers.ts';
import type { Context } from '../../src/judge/context.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeAll, type Judge, type OwnJudgement } from '../../src/judge/judge.ts';
import { PAGE_PARAMETERS, PAGES, pageInUse, pageOf, locatePage } from '../../src/judge/pages.ts';
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

/** An answer filtered by exchange. */
interface Filtered {
  readonly view: View;
  /** Value of the filter. */
  readonly requested: string;
  /** `market` of that exchange's pairs. */
  readonly market: string;
}

/** Filtered and unfiltered answers to one list of pairs. */
interface Answers {
  readonly filtered: readonly Filtered[];
  readonly unfiltered: readonly View[];
}

function answersIn(
  views: readonly View[],
  context: Context,
  parts: readonly string[] = PARTS,
): readonly Answers[] {
  return sameList(views, PAIRS, parts, context).map((group) => {
    const unfiltered = group.filter((view) => view.ok && !view.query.has('exchange'));
    const withFilter = group.flatMap((view) => {
      const requested = view.query.get('exchange');
      return view.ok && requested !== undefined && requested !== '' ? [{ view, requested }] : [];
    });
    const own = marketsByValue(withFilter, unfiltered);
    return {
      filtered: withFilter.map((one) => ({
        ...one,
        market: own.get(one.requested) ?? one.requested,
      })),
      unfiltered,
    };
  });
}

/**
 * Filter values that are not names but work, with the matching `market`: all pairs on the first page belong to one
 * exchange, which is not so without the filter or with another value.
 */
function marketsByValue(
  withFilter: readonly Omit<Filtered, 'market'>[],
  unfiltered: readonly View[],
): ReadonlyMap<string, string> {
  const shown = namesIn(unfiltered);
  const isOther = (market: string) => (record: RecordAt) => !matchesExchange(record.value, market);
  return new Map(
    withFilter.flatMap(({ view, requested }): [string, string][] => {
      const market = onlyMarketOf(pairsIn(view));
      if (market === undefined || startOf(view) !== 0 || shown.has(normalized(requested)))
        return [];
      const isFiltered = unfiltered.some((other) => {
        const isFirst = startOf(other) === 0 && sameOrder(other, view);
        return (
          (isFirst && other.records.slice(0, view.records.length).some(isOther(market))) ||
          (isPartOf(view, other) && shown.size > 1)
        );
      });
      const differs = withFilter.some(
        (other) =>
          other.requested !== requested &&
          startOf(other.view) === 0 &&
          onlyMarketOf(pairsIn(other.view)) !== undefined &&
          pairsIn(other.view).every(isOther(market)),
      );
      return isFiltered || differs ? [[requested, market]] : [];
    }),
  );
}

const totalIn = (view: View): number | undefined => pageOf(LIST, view)?.total;

/** Whether the list of one answer is clearly shorter than that of another. */
function isPartOf(part: View, whole: View): boolean {
  const [less, all] = [totalIn(part), totalIn(whole)];
  return less !== undefined && all !== undefined && less < FILTERED_SHARE * all;
}

const sameOrder = (a: View, b: View): boolean =>
  a.query.get('order_by') === b.query.get('order_by');

/** Normalised names of exchanges in the answers. */
const namesIn = (views: readonly View[]): ReadonlySet<string> =>
  new Set(views.flatMap(pairsIn).map(({ value }) => normalized(marketOf(value))));

const pairsIn = (view: View): readonly RecordAt[] =>
  view.records.filter(({ value }) => isObject(value));

/**
 * §4.1 exchange: only pairs of that exchange. What the filter accepts is unspecified; an id shows by pairs of a single
 * exchange. Ignoring an unknown value proves nothing. A value is known if the target file lists it, if it works on
 * another page, or if pairs show it and the filter accepts such names. If several values are ignored, none works and
 * the target file lists none, the filter does nothing.
 */
export const ofOneExchange = judgeAll((views, context, it) => {
  const configured = context.exchanges ?? [];
  // A filter that works in one order must work in every order.
  for (const { filtered, unfiltered } of answersIn(views, context, [...PARTS, 'order_by'])) {
    const names = namesIn(unfiltered);
    const judged = filtered.flatMap((one) => {
      const rows = pairsIn(one.view);
      const isName = names.has(normalized(one.market));
      const own = rows.filter(({ value }) => matchesExchange(value, one.market));
      // A value that no pair shows may stand for any exchange, but only for one.
      const lead = marketOf(rows[0]?.value);
      const market = isName || own.length > 0 || typeof lead !== 'string' ? one.market : lead;
      const foreign = rows.filter(({ value }) => !matchesExchange(value, market));
      const isOpen = market !== one.market && foreign.length === 0;
      return rows.length === 0 || isOpen ? [] : [{ ...one, market, rows, foreign }];
    });
    const isNamed = ({ requested, rows }: (typeof judged)[number]): boolean =>
      rows.every(({ value }) => marketOf(value) === requested);
    // Few pairs may be of one exchange by chance, but not of the one that is named, out of a longer list.
    const works = judged.filter(
      (one) =>
        one.foreign.length === 0 &&
        (one.rows.length >= MIN_PAIRS_OF_EXCHANGE ||
          (isNamed(one) && unfiltered.some((other) => isPartOf(one.view, other)))),
    );
    const takesNames = works.some(isNamed);
    const ignored = new Set(
      judged.flatMap(({ requested, foreign }) => (foreign.length > 0 ? [requested] : [])),
    );
    const none = works.length === 0 && configured.length === 0 && ignored.size > 1;
    for (const { view, requested, market, foreign } of judged) {
      const isKnown =
        configured.includes(requested) ||
        works.some((one) => one.requested === requested) ||
        (takesNames && names.has(normalized(requested)));
      if (foreign.length === 0 || isKnown || none) {
        it.none(view, foreign, ({ pointer, value }) => ({
          kind: 'pairs-of-others',
          facts: { exchange: requested, pairs: counted(foreign.length, 'pair') },
          expected: `market: "${market}"`,
          actual: `market: ${show(marketOf(value))}`,
          pointer: `${pointer}/market`,
        }));
      }
      if (market !== requested && foreign.length === 0) {
        it.note('What the `exchange` filter takes', 'an internal name', view);
      }
    }
  }
});

const nearTo = (view: View, unfiltered: readonly View[]): readonly View[] =>
  unfiltered.filter((other) => Math.abs(other.now - view.now) <= SAME_MINUTES_MS);

/** Judges each filtered answer against the unfiltered ones. */
const judgeFiltered = (
  judge: (one: Filtered, unfiltered: readonly View[], it: OwnJudgement) => void,
): Judge =>
  judgeAll((views, context, it) => {
    for (const { filtered, unfiltered } of answersIn(views, context)) {
      for (const one of filtered) judge(one, unfiltered, it);
    }
  });

/** Pairs of an exchange in the unfiltered answers. */
function knownPairsOf(market: string, unfiltered: readonly View[], view: View): readonly string[] {
  const known = nearTo(view, unfiltered)
    .flatMap((other) => other.records)
    .filter(({ value }) => matchesExchange(value, market))
    .flatMap(({ value }) => LIST.identityOf(value) ?? []);
  return [...new Set(known)];
}

/** Index of the first item of a page in the list. The first page starts at 0 whatever its size. */
function startOf(view: View): number | undefined {
  const page = pageOf(LIST, view);
  if (page === undefined) return undefined;
  return pageInUse(LIST, page) === 1 ? 0 : locatePage(LIST, view)?.from;
}

/** §2.5: a filtered total counts the pairs of the exchange: at least those seen, without those of others. */
export const filteredTotal = judgeFiltered(({ view, market }, unfiltered, it) => {
  const page = pageOf(LIST, view);
  // `ofOneExchange` judges whether the filter works at all.
  if (page?.total === undefined || page.rows === 0) return;
  if (!pairsIn(view).every(({ value }) => matchesExchange(value, market))) return;
  const { total } = page;
  const known = knownPairsOf(market, unfiltered, view).length;
  const others = new Set(
    nearTo(view, unfiltered)
      .flatMap(pairsIn)
      .filter(({ value }) => !matchesExchange(value, market))
      .flatMap(({ value }) => LIST.identityOf(value) ?? []),
  ).size;
  const totals = unfiltered.flatMap((other) => pageOf(LIST, other)?.total ?? []);
  const most = Math.max(0, ...totals) - others;
  if (known === 0 || totals.length === 0 || most < known) return;
  const slack = Math.max(FEW_PAIRS, known / 20);
  const holds = total >= known - slack && total <= most + slack;
  it.expect(view, holds, () => ({
    kind: 'total-of-exchange',
    facts: { exchange: view.query.get('exchange') ?? '' },
    expected: `from ${known} to ${most}, going by the list without the filter`,
    actual: `total: ${total}`,
    pointer: `${view.root}/total`,
  }));
});
