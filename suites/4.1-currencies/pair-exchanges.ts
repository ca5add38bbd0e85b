// Pairs of one exchange (§4.1 exchange), beside the list without the filter.
import { FEWEST_OF_EXCHANGE, FEW_PAIRS, FILTERED_SHARE, SAME_MINUTES_MS } from '../numbers.ts';
import type { Context } from '../../src/judge/context.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeAll, type Judge, type OwnJudgement } from '../../src/judge/judge.ts';
import { PAGE_PARAMETERS, PAGES, pageInUse, pageOf, placed } from '../../src/judge/pages.ts';
import { counted, sameList } from '../../src/judge/relations.ts';
import { isObject, type RecordAt, type View } from '../../src/judge/view.ts';

const PAIRS = '/currencies/{currency_id}/pairs';
const LIST = PAGES[PAIRS];
const PARTS = [...PAGE_PARAMETERS, 'exchange'];

/** Exchange names are compared without letter case, spaces and signs: a filter may take an id for a name. */
const plain = (name: unknown): string =>
  typeof name === 'string' ? name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '') : '';

/** A name as identifiers of exchanges are usually written: `Crypto.com` is `crypto-com`. */
export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');

const marketOf = (record: unknown): unknown => (isObject(record) ? record['market'] : undefined);

/** True for a pair of the exchange that was asked for, by its name or by a name of the same letters. */
export const matchesExchange = (record: unknown, asked: string): boolean =>
  plain(marketOf(record)) === plain(asked);

/** The exchange that all of some pairs bear; undefined for pairs of several, and for fewer than say anything. */
export function onlyMarketOf(records: readonly RecordAt[]): string | undefined {
  const [first] = records;
  const market = marketOf(first?.value);
  if (typeof market !== 'string' || records.length < FEWEST_OF_EXCHANGE) return undefined;
  return records.every(({ value }) => matchesExchange(value, market)) ? market : undefined;
}

/** An answer that is filtered by an exchange. */
interface Filtered {
  readonly view: View;
  /** What the filter was told. */
  readonly asked: string;
  /** What the pairs of that exchange bear as `market`. */
  readonly market: string;
}

/** Answers to one list of pairs: those that are filtered by an exchange, and those that are not. */
interface Answers {
  readonly filtered: readonly Filtered[];
  readonly whole: readonly View[];
}

function answersIn(
  views: readonly View[],
  context: Context,
  parts: readonly string[] = PARTS,
): readonly Answers[] {
  return sameList(views, PAIRS, parts, context).map((group) => {
    const whole = group.filter((view) => view.ok && !view.query.has('exchange'));
    const asking = group.flatMap((view) => {
      const asked = view.query.get('exchange');
      return view.ok && asked !== undefined && asked !== '' ? [{ view, asked }] : [];
    });
    const own = ownNames(asking, whole);
    return {
      filtered: asking.map((one) => ({ ...one, market: own.get(one.asked) ?? one.asked })),
      whole,
    };
  });
}

/**
 * Names of its own by which the filter knows an exchange, such as an id, with the name that its pairs show: all pairs of
 * a first page are of one exchange, which without the filter or with another value they are not.
 */
function ownNames(
  asking: readonly Omit<Filtered, 'market'>[],
  whole: readonly View[],
): ReadonlyMap<string, string> {
  const shown = namesIn(whole);
  const isOther = (market: string) => (record: RecordAt) => !matchesExchange(record.value, market);
  return new Map(
    asking.flatMap(({ view, asked }): [string, string][] => {
      const market = onlyMarketOf(pairsIn(view));
      if (market === undefined || startOf(view) !== 0 || shown.has(plain(asked))) return [];
      const isFiltered = whole.some((other) => {
        const [part, all] = [totalIn(view), totalIn(other)];
        const isFirst = startOf(other) === 0 && sameOrder(other, view);
        return (
          (isFirst && other.records.slice(0, view.records.length).some(isOther(market))) ||
          (part !== undefined && all !== undefined && part < FILTERED_SHARE * all && shown.size > 1)
        );
      });
      const otherwise = asking.some(
        (other) =>
          other.asked !== asked &&
          startOf(other.view) === 0 &&
          onlyMarketOf(pairsIn(other.view)) !== undefined &&
          pairsIn(other.view).every(isOther(market)),
      );
      return isFiltered || otherwise ? [[asked, market]] : [];
    }),
  );
}

const totalIn = (view: View): number | undefined => pageOf(LIST, view)?.total;

const sameOrder = (a: View, b: View): boolean =>
  a.query.get('order_by') === b.query.get('order_by');

/** Exchanges that pairs show, in plain letters. */
const namesIn = (views: readonly View[]): ReadonlySet<string> =>
  new Set(views.flatMap(pairsIn).map(({ value }) => plain(marketOf(value))));

const pairsIn = (view: View): readonly RecordAt[] =>
  view.records.filter(({ value }) => isObject(value));

/**
 * §4.1 exchange: only pairs of that exchange. What the filter calls an exchange is left open: a name of its own shows as
 * pairs of one exchange only. A value that the service may not know proves nothing by being ignored: one from the target
 * file is known, one that works on another page is, a shown name is where the filter takes such names, and when nothing
 * else is named and none of several works, the filter does nothing.
 */
export const ofOneExchange = judgeAll((views, context, it) => {
  const given = context.exchanges ?? [];
  // In whatever order: a filter that works in one has to work in another.
  for (const { filtered, whole } of answersIn(views, context, [...PARTS, 'order_by'])) {
    const names = namesIn(whole);
    const judged = filtered.flatMap((one) => {
      const rows = pairsIn(one.view);
      const isName = names.has(plain(one.market));
      const own = rows.filter(({ value }) => matchesExchange(value, one.market));
      // What a value stands for that no pair shows is open, but it stands for one exchange.
      const lead = marketOf(rows[0]?.value);
      const market = isName || own.length > 0 || typeof lead !== 'string' ? one.market : lead;
      const foreign = rows.filter(({ value }) => !matchesExchange(value, market));
      const isOpen = market !== one.market && foreign.length === 0;
      return rows.length === 0 || isOpen ? [] : [{ ...one, market, rows, foreign }];
    });
    const works = judged.filter(
      ({ rows, foreign }) => foreign.length === 0 && rows.length >= FEWEST_OF_EXCHANGE,
    );
    const takesNames = works.some(({ asked, rows }) =>
      rows.every(({ value }) => marketOf(value) === asked),
    );
    const ignored = new Set(
      judged.flatMap(({ asked, foreign }) => (foreign.length > 0 ? [asked] : [])),
    );
    const none = works.length === 0 && given.length === 0 && ignored.size > 1;
    for (const { view, asked, market, foreign } of judged) {
      const isKnown =
        given.includes(asked) ||
        works.some((one) => one.asked === asked) ||
        (takesNames && names.has(plain(asked)));
      if (foreign.length === 0 || isKnown || none) judgeFilter(view, market, foreign, it);
      if (market !== asked && foreign.length === 0) {
        it.note('What exchange of pairs takes', 'a name of its own', view);
      }
    }
  }
});

function judgeFilter(
  view: View,
  market: string,
  foreign: readonly RecordAt[],
  it: OwnJudgement,
): void {
  const [first] = foreign;
  it.expect(view, first === undefined, () => ({
    kind: 'pairs-of-others',
    facts: { exchange: view.query.get('exchange') ?? '', pairs: counted(foreign.length, 'pair') },
    expected: `market: "${market}"`,
    actual: `market: ${show(marketOf(first?.value))}`,
    pointer: `${first?.pointer ?? view.root}/market`,
  }));
}

const nearTo = (view: View, whole: readonly View[]): readonly View[] =>
  whole.filter((other) => Math.abs(other.now - view.now) <= SAME_MINUTES_MS);

/** Judges each answer that is filtered beside those that are not. */
const judgeFiltered = (
  judge: (one: Filtered, whole: readonly View[], it: OwnJudgement) => void,
): Judge =>
  judgeAll((views, context, it) => {
    for (const { filtered, whole } of answersIn(views, context)) {
      for (const one of filtered) judge(one, whole, it);
    }
  });

/** Pairs of an exchange that answers without the filter show, in their order. */
function knownOf(market: string, whole: readonly View[], view: View): readonly string[] {
  const known = nearTo(view, whole)
    .flatMap((other) => other.records)
    .filter(({ value }) => matchesExchange(value, market))
    .flatMap(({ value }) => LIST.identityOf(value) ?? []);
  return [...new Set(known)];
}

/** Index in the list of the first item on a page. Whatever its size, the first page begins with the first item. */
function startOf(view: View): number | undefined {
  const page = pageOf(LIST, view);
  if (page === undefined) return undefined;
  return pageInUse(LIST, page) === 1 ? 0 : placed(LIST, view)?.from;
}

/** §2.5: the total of a filtered list counts the pairs of the exchange: at least those seen, and not those of others. */
export const filteredTotal = judgeFiltered(({ view, market }, whole, it) => {
  const page = pageOf(LIST, view);
  // Whether the filter works at all is a requirement of its own.
  if (page?.total === undefined || page.rows === 0) return;
  if (!pairsIn(view).every(({ value }) => matchesExchange(value, market))) return;
  const { total } = page;
  const known = knownOf(market, whole, view).length;
  const others = new Set(
    nearTo(view, whole)
      .flatMap(pairsIn)
      .filter(({ value }) => !matchesExchange(value, market))
      .flatMap(({ value }) => LIST.identityOf(value) ?? []),
  ).size;
  const totals = whole.flatMap((other) => pageOf(LIST, other)?.total ?? []);
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
