import type { EndpointPath } from '../contract/endpoints.ts';
import { isJudgeable, type Context } from './context.ts';
import { decimalOf } from './decimals.ts';
import { show, type Judgement, type Rule } from './judgement.ts';
import { symbolsOf } from './pair-sides.ts';
import { isSettledIn, SERIES, type SeriesFacts } from './series.ts';
import { isSameTicker } from './tickers.ts';
import { place } from './transport.ts';
import { isObject, type View } from './view.ts';
import { criteria, type Criterion } from './criterion.ts';

/** What this file decides. */
export const OWN_ROWS = criteria(
  'currencyKlinesOwn',
  'summaryOwnRows',
  'historyOwnRows',
  'stockKlinesOwn',
);

/** Which list must be another for another identifier, and the figures that no two of them share day after day. */
interface Owned {
  readonly criterion: Criterion;
  readonly figures: readonly string[];
  /** Query parameters that name the list beside the path. */
  readonly named: readonly string[];
}

const CANDLE = ['open', 'high', 'low', 'close', 'volume'] as const;

const OWNED: Readonly<Partial<Record<EndpointPath, Owned>>> = {
  '/currencies/{currency_id}/klines': {
    criterion: OWN_ROWS.currencyKlinesOwn,
    figures: CANDLE,
    named: [],
  },
  '/etfs/summary-history': {
    criterion: OWN_ROWS.summaryOwnRows,
    figures: ['total_value_traded', 'total_net_assets', 'cum_net_inflow'],
    named: ['symbol', 'country_code'],
  },
  '/etfs/{ticker}/history': {
    criterion: OWN_ROWS.historyOwnRows,
    figures: ['value_traded', 'net_assets', 'cum_inflow'],
    named: [],
  },
  '/crypto-stocks/{stock_ticker}/klines': {
    criterion: OWN_ROWS.stockKlinesOwn,
    figures: CANDLE,
    named: [],
  },
};

/** Days that two lists must share before it is no chance that they are the same. */
const ENOUGH_DAYS = 3;

interface Listed {
  readonly name: string;
  /** Symbol of the currency, where it is known: one currency may have two identifiers. */
  readonly symbol: string | undefined;
  readonly view: View;
  /** Telling figures by day, as one text, and where they stand. */
  readonly days: ReadonlyMap<string, { readonly figures: string; readonly pointer: string }>;
}

/**
 * §4.1, §4.3-§4.5, ruling 22: what is asked for by an identifier comes, so two identifiers do not have the same figures
 * day after day. Days at the edges of the window are left out, and figures of which one is 0 or null.
 */
const ownRows: Rule = {
  name: 'own-rows',
  judges: Object.values(OWNED).map(({ criterion }) => criterion),
  all(views, context, into) {
    for (const series of SERIES) {
      const owned = OWNED[series.endpoint];
      if (owned !== undefined) judgeLists(listsOf(series, owned, views, context), owned, into);
    }
  },
};

/** One answer of each list: the one with the most days. */
function listsOf(
  series: SeriesFacts,
  owned: Owned,
  views: readonly View[],
  context: Context,
): readonly Listed[] {
  const lists = new Map<string, Listed>();
  const symbols = symbolsOf(views, context);
  for (const view of views) {
    if (view.exchange.endpoint !== series.endpoint || !view.ok || view.wrapped) continue;
    if (!isJudgeable(view, context) || isUncertain(view, context)) continue;
    const name = nameOf(view, owned);
    const days = tellingDays(series, owned, view);
    if (days.size < ENOUGH_DAYS || days.size <= (lists.get(name)?.days.size ?? 0)) continue;
    const symbol = symbols.get(view.exchange.pathParameters['currency_id'] ?? '');
    lists.set(name, { name, symbol, view, days });
  }
  return [...lists.values()];
}

/** Whether it is known what the identifiers of the path are to the target. */
function isUncertain({ exchange }: View, { unknownIds, doubtfulIds = {} }: Context): boolean {
  return Object.entries(exchange.pathParameters).some(
    ([name, id]) =>
      unknownIds[name]?.includes(id) === true || doubtfulIds[name]?.includes(id) === true,
  );
}

const nameOf = ({ exchange, query }: View, { named }: Owned): string =>
  [...Object.values(exchange.pathParameters), ...named.map((name) => query.get(name) ?? '')]
    .map((part) => part.toUpperCase())
    .join(' in ');

function tellingDays(series: SeriesFacts, { figures }: Owned, view: View): Listed['days'] {
  const days = new Map<string, { figures: string; pointer: string }>();
  for (const { value, pointer } of view.records) {
    const [identity, time] = [series.identityOf(value), series.timeOf(value)];
    if (identity === undefined || time === undefined || !isObject(value)) continue;
    if (!isSettledIn(series, time, view.now)) continue;
    const known = figures.map((name) => decimalOf(value[name]) ?? 0);
    if (known.every((figure) => figure !== 0)) {
      days.set(identity, { figures: known.join(' '), pointer });
    }
  }
  return days;
}

function judgeLists(lists: readonly Listed[], { criterion }: Owned, into: Judgement): void {
  for (const [index, list] of lists.entries()) {
    for (const other of lists.slice(0, index)) {
      if (isSameTicker(list.name, other.name)) continue;
      if (list.symbol !== undefined && list.symbol === other.symbol) continue;
      const shared = [...list.days].filter(([day]) => other.days.has(day));
      if (shared.length < ENOUGH_DAYS) continue;
      const own = shared.find(([day, { figures }]) => other.days.get(day)?.figures !== figures);
      into.expect(criterion, list.view, own !== undefined, () => ({
        message: `${place(list.view)} has the same figures for ${list.name} as for ${other.name} on all ${shared.length} days that both show`,
        expected: `rows of ${list.name}`,
        actual: `${show(shared[0]?.[1].figures)} on ${shared[0]?.[0] ?? ''}, as in ${other.view.exchange.id}`,
        pointer: shared[0]?.[1].pointer ?? list.view.root,
      }));
    }
  }
}

export const OWN_ROW_RULES: readonly Rule[] = [ownRows];
