import { ENOUGH_DAYS } from '../numbers.ts';
import { isJudgeable, type Context } from '../../src/judge/context.ts';
import { decimalOf } from '../../src/judge/text/decimals.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeAll, type Judge } from '../../src/judge/judge.ts';
import { currencyOf, namesOf } from './of-currency.ts';
import { isSettledIn, datedRecords, type SeriesFacts } from '../../src/judge/series.ts';
import { isSameTicker } from '../../src/judge/tickers.ts';
import { isObject, type View } from '../../src/judge/view.ts';

/** A list that must differ between identifiers. */
export interface Owned {
  readonly series: SeriesFacts;
  /** Figures that two lists never share day after day (default: those of a candle). */
  readonly figures?: readonly string[];
  /** Query parameters that identify the list, in addition to the path. */
  readonly named?: readonly string[];
}

const CANDLE = ['open', 'high', 'low', 'close', 'volume'] as const;

interface Listed {
  readonly name: string;
  /** Symbol of the currency, if known: one currency may have two identifiers. */
  readonly symbol: string | undefined;
  readonly view: View;
  /** Figures by day, joined into one text, with their pointers. */
  readonly days: ReadonlyMap<string, { readonly figures: string; readonly pointer: string }>;
}

/**
 * §4.1, §4.3-§4.5, ruling 22: two identifiers must not return the same figures day after day. Skips days near the edges
 * of the window, and figures that are 0 or null.
 */
export const ownRows = (owned: Owned): Judge =>
  judgeAll((views, context, it) => {
    for (const { list, other, shared, isSame } of compared(owned, views, context)) {
      it.expect(list.view, !isSame, () => ({
        kind: 'same-figures',
        facts: { name: list.name, other: other.name, days: shared.length },
        expected: `rows of ${list.name}`,
        actual: `${show(shared[0]?.[1].figures)} on ${shared[0]?.[0] ?? ''}, as in ${other.view.exchange.id}`,
        against: [other.view],
        pointer: shared[0]?.[1].pointer ?? list.view.root,
      }));
    }
  });

/** The answers that have the figures of another list. */
export const withRowsOfOthers = (
  owned: Owned,
  views: readonly View[],
  context: Context,
): readonly View[] =>
  compared(owned, views, context).flatMap(({ list, other, isSame }) =>
    isSame ? [list.view, other.view] : [],
  );

/** Pairs of lists with enough days in common. */
function compared(owned: Owned, views: readonly View[], context: Context) {
  const lists = listsOf(owned, views, context);
  return lists.flatMap((list, index) =>
    lists.slice(0, index).flatMap((other) => {
      if (isSameTicker(list.name, other.name)) return [];
      if (list.symbol !== undefined && list.symbol === other.symbol) return [];
      const shared = [...list.days].filter(([day]) => other.days.has(day));
      if (shared.length < ENOUGH_DAYS) return [];
      const isSame = shared.every(([day, { figures }]) => other.days.get(day)?.figures === figures);
      return [{ list, other, shared, isSame }];
    }),
  );
}

/** The answer with the most days of each list. */
function listsOf(owned: Owned, views: readonly View[], context: Context): readonly Listed[] {
  const lists = new Map<string, Listed>();
  const names = namesOf(views, context);
  for (const view of views) {
    if (view.exchange.endpoint !== owned.series.endpoint || !view.ok || view.wrapped) continue;
    if (!isJudgeable(view, context)) continue;
    // The target may not know an identifier in the path.
    const ids = Object.entries(view.exchange.pathParameters);
    const { unknownIds, doubtfulIds = {} } = context;
    if (
      ids.some(([key, id]) =>
        [...(unknownIds[key] ?? []), ...(doubtfulIds[key] ?? [])].includes(id),
      )
    )
      continue;
    const named = (owned.named ?? []).map((parameter) => view.query.get(parameter) ?? '');
    const name = [...ids.map(([, id]) => id), ...named]
      .map((part) => part.toUpperCase())
      .join(' in ');
    const days = conclusiveDays(owned, view);
    if (days.size < ENOUGH_DAYS || days.size <= (lists.get(name)?.days.size ?? 0)) continue;
    const symbol = names.get(currencyOf(view))?.symbol;
    lists.set(name, { name, symbol, view, days });
  }
  return [...lists.values()];
}

function conclusiveDays({ series, figures = CANDLE }: Owned, view: View): Listed['days'] {
  const days = new Map<string, { figures: string; pointer: string }>();
  for (const { value, pointer, identity, time } of datedRecords(series, view)) {
    if (!isObject(value) || !isSettledIn(series, time, view.now)) continue;
    const known = figures.map((name) => decimalOf(value[name]) ?? 0);
    if (known.every((figure) => figure !== 0)) {
      days.set(identity, { figures: known.join(' '), pointer });
    }
  }
  return days;
}
