import type { ResourceName } from '../contract/resources.ts';
import { isJudgeable, type Context } from './context.ts';
import { atMost, atMostRounded, decimalOf, isDecimalText } from './decimals.ts';
import { show, type Judgement, type Rule } from './judgement.ts';
import { judgePlaces, placesAt } from './places.ts';
import { place } from './transport.ts';
import { isLinkOrEmpty } from './urls.ts';
import { isObject, type View } from './view.ts';
import { criteria, type Criterion } from './criterion.ts';

/** What this file decides. */
export const CURRENCY_VALUES = criteria(
  'urls',
  'highLow',
  'priceInRange',
  'athCoversPrice',
  'cycleLowBelowPrice',
  'fdvCoversMarketcap',
  'nonNegative',
  'supplyStrings',
  'percentStrings',
  'percentageRange',
  'unlockStrings',
  'timelineNull',
);

/** A record that is an object, and where it stands. */
export interface ObjectAt {
  readonly pointer: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The records of an answer of this resource that can be judged; empty for any other answer. */
export function objectsOf(view: View, context: Context, resource: ResourceName): ObjectAt[] {
  if (view.resource !== resource || view.wrapped || !isJudgeable(view, context)) return [];
  return view.records.flatMap(({ pointer, value }) =>
    isObject(value) ? [{ pointer, value }] : [],
  );
}

const LINKS = [
  '/icon',
  '/white_paper',
  '/explorers/*',
  '/community/social_primary',
  '/community/social_forum',
];

/** §2.1: links of a currency. */
const currencyUrls: Rule = {
  name: 'currency-urls',
  judges: [CURRENCY_VALUES.urls],
  each(view, context, into) {
    for (const record of objectsOf(view, context, 'currency-info')) {
      const links = LINKS.flatMap((path) => placesAt(record, path)).filter(
        ({ value }) => typeof value === 'string',
      );
      judgePlaces(
        view,
        links,
        {
          criterion: CURRENCY_VALUES.urls,
          message: `${place(view)} has a link that is no http(s) URL`,
          expected: 'an http(s) URL, or an empty string',
          holds: (value) => isLinkOrEmpty(String(value)),
        },
        into,
      );
    }
  },
};

/**
 * Extremes are kept apart from the price and may trail it by a moment; so may a capitalization and the fully diluted
 * one. Below this share of difference nothing is said.
 */
const TRAILING = 0.005;
/** The extremes of a day are collected every few minutes, in which a price may leave them by this share. */
const MOVING = 0.05;

type Comparison = Readonly<{
  criterion: Criterion;
  low: string;
  high: string;
  tolerance: number;
  /** Field that the finding points to. */
  at: string;
}>;

const COMPARISONS: readonly Comparison[] = [
  {
    criterion: CURRENCY_VALUES.highLow,
    low: 'low_24h',
    high: 'high_24h',
    tolerance: 1e-9,
    at: 'high_24h',
  },
  {
    criterion: CURRENCY_VALUES.priceInRange,
    low: 'low_24h',
    high: 'price',
    tolerance: MOVING,
    at: 'low_24h',
  },
  {
    criterion: CURRENCY_VALUES.priceInRange,
    low: 'price',
    high: 'high_24h',
    tolerance: MOVING,
    at: 'high_24h',
  },
  {
    criterion: CURRENCY_VALUES.athCoversPrice,
    low: 'price',
    high: 'ath',
    tolerance: TRAILING,
    at: 'ath',
  },
  {
    criterion: CURRENCY_VALUES.cycleLowBelowPrice,
    low: 'cycle_low',
    high: 'price',
    tolerance: TRAILING,
    at: 'cycle_low',
  },
  {
    criterion: CURRENCY_VALUES.fdvCoversMarketcap,
    low: 'marketcap',
    high: 'fdv',
    tolerance: TRAILING,
    at: 'fdv',
  },
];

const NON_NEGATIVE = [
  'price',
  'turnover_24h',
  'turnover_rate',
  'high_24h',
  'low_24h',
  'marketcap',
  'fdv',
  'ath',
  'cycle_low',
];

/** §2.2: figures of a snapshot that must agree by their meaning (ruling 22). */
const snapshotFigures: Rule = {
  name: 'snapshot-figures',
  judges: [...COMPARISONS.map(({ criterion }) => criterion), CURRENCY_VALUES.nonNegative],
  each(view, context, into) {
    for (const record of objectsOf(view, context, 'currency-snapshot')) {
      for (const comparison of COMPARISONS) compare(view, record, comparison, into);
      const figures = [...NON_NEGATIVE, 'marketcap_rank']
        .flatMap((name) => placesAt(record, `/${name}`))
        .filter(({ value }) => decimalOf(value) !== undefined);
      judgePlaces(
        view,
        figures,
        {
          criterion: CURRENCY_VALUES.nonNegative,
          message: `${place(view)} has a figure that is too small`,
          expected: 'at least 0; marketcap_rank at least 1',
          holds: (value, { pointer }) =>
            (decimalOf(value) ?? 0) >= (pointer.endsWith('/marketcap_rank') ? 1 : 0),
        },
        into,
      );
    }
  },
};

function compare(view: View, record: ObjectAt, comparison: Comparison, into: Judgement): void {
  const { criterion, low, high, tolerance, at } = comparison;
  const [lower, upper] = [decimalOf(record.value[low]), decimalOf(record.value[high])];
  if (lower === undefined || upper === undefined) return;
  if (criterion === CURRENCY_VALUES.priceInRange && !hasRange(record)) return;
  const holds =
    atMost(lower, upper, tolerance) || atMostRounded(record.value[low], record.value[high]);
  into.expect(criterion, view, holds, () => ({
    message: `${place(view)}: ${high} is below ${low}`,
    expected: `${high} of at least ${low}`,
    actual: `${high} ${show(record.value[high])}, ${low} ${show(record.value[low])}`,
    pointer: `${record.pointer}/${at}`,
  }));
}

/** Extremes in their order; those of a currency that was not traded today may be 0. */
function hasRange({ value }: ObjectAt): boolean {
  const [lowest, highest] = [decimalOf(value['low_24h']), decimalOf(value['high_24h'])];
  return lowest !== undefined && highest !== undefined && highest > 0 && lowest <= highest;
}

const SUPPLIES = ['circulating_supply', 'total_supply', 'max_supply'] as const;

/** §2.2: supplies are decimal strings in ascending order; null stands for an unlimited maximum. */
const supplies: Rule = {
  name: 'supplies',
  judges: [CURRENCY_VALUES.supplyStrings],
  each(view, context, into) {
    for (const record of objectsOf(view, context, 'currency-snapshot')) {
      const sent = SUPPLIES.flatMap((name) => placesAt(record, `/${name}`)).filter(
        ({ value }) => typeof value === 'string',
      );
      judgePlaces(
        view,
        sent,
        {
          criterion: CURRENCY_VALUES.supplyStrings,
          message: `${place(view)} has a supply that is no decimal string`,
          expected: 'a decimal string without separators or units',
          holds: isDecimalText,
        },
        into,
      );
      judgeSupplyOrder(view, record, 'circulating_supply', 'total_supply', into);
      judgeSupplyOrder(view, record, 'total_supply', 'max_supply', into);
    }
  },
};

function judgeSupplyOrder(
  view: View,
  { pointer, value }: ObjectAt,
  low: string,
  high: string,
  into: Judgement,
): void {
  const [lower, upper] = [value[low], value[high]];
  if (!isDecimalText(lower) || !isDecimalText(upper)) return;
  into.expect(CURRENCY_VALUES.supplyStrings, view, atMost(Number(lower), Number(upper)), () => ({
    message: `${place(view)}: ${low} is above ${high}`,
    expected: `${low} of at most ${high}`,
    actual: `${low} ${show(lower)}, ${high} ${show(upper)}`,
    pointer: `${pointer}/${low}`,
  }));
}

/** A decimal, which may have a percent sign: the text says a percentage as it is shown. */
const isPercentText = (value: unknown): boolean =>
  value === '' || isDecimalText(typeof value === 'string' ? value.replace(/\s?%$/, '') : value);

/** §2.2: distances are empty or numbers written as text. */
const percentTexts: Rule = {
  name: 'percent-texts',
  judges: [CURRENCY_VALUES.percentStrings],
  each(view, context, into) {
    for (const record of objectsOf(view, context, 'currency-snapshot')) {
      const texts = ['/down_from_ath', '/up_from_cycle_low']
        .flatMap((path) => placesAt(record, path))
        .filter(({ value }) => typeof value === 'string');
      judgePlaces(
        view,
        texts,
        {
          criterion: CURRENCY_VALUES.percentStrings,
          message: `${place(view)} has a percentage that cannot be read as a number`,
          expected: 'a decimal string, with or without a percent sign, or an empty string',
          holds: isPercentText,
        },
        into,
      );
    }
  },
};

/** §2.3: shares and amounts of token economics. */
const tokenEconomics: Rule = {
  name: 'token-economics',
  judges: [CURRENCY_VALUES.percentageRange, CURRENCY_VALUES.unlockStrings],
  each(view, context, into) {
    for (const record of objectsOf(view, context, 'token-economics')) {
      const shares = placesAt(record, '/token_allocation/*/percentage').filter(
        ({ value }) => typeof value === 'number',
      );
      judgePlaces(
        view,
        shares,
        {
          criterion: CURRENCY_VALUES.percentageRange,
          message: `${place(view)} has an allocation that is no percentage`,
          expected: 'a number from 0 to 100',
          holds: (value) => Number(value) >= 0 && Number(value) <= 100,
        },
        into,
      );
      const amounts = ['/token_unlock/unlocked', '/token_unlock/total_locked']
        .flatMap((path) => placesAt(record, path))
        .filter(({ value }) => typeof value === 'string');
      judgePlaces(
        view,
        amounts,
        {
          criterion: CURRENCY_VALUES.unlockStrings,
          message: `${place(view)} has an amount that cannot be read as a number`,
          expected: 'a decimal string without separators or units',
          holds: isDecimalText,
        },
        into,
      );
    }
  },
};

/**
 * §2.3: `unlock_timeline` is null when there is no data. A target that sends null elsewhere tells a currency without data
 * from one of which nothing is left to unlock, and may mean that by an empty array.
 */
const emptyTimeline: Rule = {
  name: 'empty-timeline',
  judges: [CURRENCY_VALUES.timelineNull],
  all(views, context, into) {
    const sent = views.flatMap((view) =>
      objectsOf(view, context, 'token-economics')
        .flatMap((record) => placesAt(record, '/unlock_timeline'))
        .filter(({ value }) => value === null || (Array.isArray(value) && value.length === 0))
        .map(({ pointer, value }) => ({ view, pointer, isNull: value === null })),
    );
    const tellsApart = sent.some(({ isNull }) => isNull);
    for (const { view, pointer, isNull } of sent) {
      if (tellsApart && !isNull) continue;
      into.expect(CURRENCY_VALUES.timelineNull, view, isNull, () => ({
        message: `${place(view)}: unlock_timeline is an empty array`,
        expected: 'null when there is no data',
        actual: '[], and null for no currency that was looked at',
        pointer,
      }));
    }
  },
};

export const CURRENCY_VALUE_RULES: readonly Rule[] = [
  currencyUrls,
  snapshotFigures,
  supplies,
  percentTexts,
  tokenEconomics,
  emptyTimeline,
];
