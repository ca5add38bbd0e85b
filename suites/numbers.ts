// Numbers that decide a verdict, each with its reason. Whoever changes one changes what is accused: run the proof after it.
import { DAY, HOUR } from '../src/spec/time.ts';

// How far apart answers may be and still be compared, ms.

/** Data of the past stays as it is for some minutes; after that it may have been corrected. */
export const SAME_MINUTES_MS = 600_000;
/** Lists that move, such as news and rankings, stay comparable for less. */
export const MOVING_LIST_MS = 120_000;
/** Pages of news that differ say something about each other only within this time. */
export const NEWS_CLOSE_MS = 60_000;

// Time.

/** The clock that stamps news may be so far ahead of the one that is known, ms. */
export const FUTURE_TOLERANCE_MS = 10 * 60_000;
/** A release of today may take until the end of its day anywhere on earth, ms. */
export const RELEASE_SLACK_MS = 48 * HOUR;
/** The actual figure of a macro release may be so late, ms. */
export const RELEASE_LATE_MS = 7 * DAY;
/** So many releases without a figure are no longer one or two that never had one. */
export const ENOUGH_RELEASES = 3;
/** The row of a trading day may be missing for so many hours after the end of the session. */
export const ROW_LAG_HOURS = 12;
/** The newest row may lie so many trading days back. */
export const FEW_TRADING_DAYS = 5;

// Prices and turnover.

/**
 * Extremes are kept apart from the price and may trail it by a moment; so may a capitalization and the fully diluted one.
 * A smaller share of difference says nothing.
 */
export const TRAILING_SHARE = 0.005;
/** The extremes of a day are collected every few minutes, in which a price may leave them by this share. */
export const MOVING_SHARE = 0.05;
/** Markets differ, and prices move between two requests: only what is beyond this factor is another price. */
export const PRICE_FACTOR = 1.5;
/** Fewer pairs may all be of a token that goes by another name. */
export const FEWEST_PAIRS = 3;
/** Turnover moves while it is sorted by: a pair that is larger than the one before it by less than this share is in order. */
export const STALE_SHARE = 0.02;
/** More pairs out of order are no accident of timing. */
export const SWAPS_BY_CHANCE = 2;
/** So many different values in a row show an order. */
export const MANY_SORTED = 5;
/** From so many rows on it is no chance that a share count equals the turnover in USD. */
export const MANY_ROWS = 3;
/** Below this turnover, USD, a share count may equal it by chance. */
export const TELLING_TURNOVER = 1000;
/** Two lists that share so many days are not the same by chance. */
export const ENOUGH_DAYS = 3;
/** Figures rounded to whole dollars are usual; a coarser last digit is not taken for rounding. */
export const MOST_ROUNDED = 1;

// Pages.

/** A list may lose so many items between two requests, and its last page with them. */
export const LOST_ITEMS = 3;
/** An item of a ranking may move by so many places between two requests. */
export const MOVED_PLACES = 3;
/** So many items of a ranking may come new between two requests. */
export const NEWCOMERS = 2;
/** Fewer items may be the same on two pages because the list moved. */
export const TELLING_PAGE = 5;
/** Stores do not count beyond so many items: such a page says nothing about the total. */
export const DEEP_PAGE = 5000;
/** A total that changes by more than this share within minutes counts something else. */
export const LEAP_SHARE = 0.25;
/** So many items may come in between two requests of a run, however short the list is, … */
export const FEW_MORE = 10;
/** … and so many for each request in between on the busiest day. */
export const NEW_EACH = 3;
/** Fewer pairs of one exchange may stand together by chance. */
export const FEWEST_OF_EXCHANGE = 3;
/** A list of less than this share of the pairs is filtered, and not just a little older. */
export const FILTERED_SHARE = 0.8;
/** So many pairs may come or go between two requests. */
export const FEW_PAIRS = 2;

// News and their languages.

/** So many news that pass a filter have to be known before it counts that none of them is shown. */
export const FILTER_EVIDENCE = 2;
/** A small overlap counts against a page of at least so many news. */
export const ENOUGH_NEWS = 10;
/** News that come in meanwhile change a total by no more than this. */
export const NEWS_DRIFT = 5;
/** So many texts in another language, … */
export const FEWEST_AGAINST = 3;
/** … and this share of them, are no stray headlines and quotations. */
export const SHARE_AGAINST = 0.2;
/** Texts that are too short one by one are another language together from this weight on, whose letters they show. */
export const CLEAR_TOGETHER = 100;
/** In letters that both languages have they need more: a few headlines of names may look like it. */
export const CLEAR_HEADLINES = 300;
/** Latin letters of a wording that is longer than names are. */
export const LONG_WEIGHT = 60;
/** So many titles or quotations that are sentences are no accident. */
export const FEWEST_SENTENCES = 2;
