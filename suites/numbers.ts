// Thresholds that decide verdicts, each with its reason. Run the proof after changing one.
import { DAY, HOUR } from '../src/spec/time.ts';

// Maximum distance between answers that are compared, ms.

/** Past data stays unchanged for minutes, but may be corrected later. */
export const SAME_MINUTES_MS = 600_000;
/** For live lists such as news and rankings. */
export const MOVING_LIST_MS = 120_000;

// Time.

/** How far ahead the clock behind news timestamps may be, ms. */
export const FUTURE_TOLERANCE_MS = 10 * 60_000;
/** A release dated today may come until the day ends in every time zone, ms. */
export const RELEASE_SLACK_MS = 48 * HOUR;
/** How late the actual figure of a macro release may be, ms. */
export const RELEASE_LATE_MS = 7 * DAY;
/** One or two releases may never get a figure; this many should. */
export const ENOUGH_RELEASES = 3;
/** How long the row of a trading day may be missing after the session, hours. */
export const ROW_LAG_HOURS = 12;
/** How many trading days old the newest row may be. */
export const FEW_TRADING_DAYS = 5;

// Prices and turnover.

/**
 * Extremes are stored separately from the price and may lag behind it, as may market cap and fully diluted value.
 * Smaller differences say nothing.
 */
export const TRAILING_SHARE = 0.005;
/** Daily extremes are updated every few minutes; meanwhile the price may leave them by this share. */
export const MOVING_SHARE = 0.05;
/** Markets differ and prices move between requests: only a larger factor means another price. */
export const PRICE_FACTOR = 1.5;
/** Fewer pairs than this may all belong to a token with another name. */
export const MIN_PAIRS = 3;
/** Turnover changes during sorting: a pair counts as out of order only if it exceeds the one before by this share. */
export const STALE_SHARE = 0.02;
/** Timing explains at most this many pairs out of order. */
export const SWAPS_BY_CHANCE = 2;
/** This many different values in sequence prove an order. */
export const MANY_SORTED = 5;
/** From this many rows on, a share count that equals the turnover in USD is no coincidence. */
export const MANY_ROWS = 3;
/** Below this turnover in USD, a share count may equal it by chance. */
export const TELLING_TURNOVER = 1000;
/** Two different lists do not share this many days by chance. */
export const ENOUGH_DAYS = 3;
/** Rounding to whole dollars is common; a coarser last digit is not treated as rounding. */
export const MAX_ROUNDING = 1;

// Pages.

/** How many items a list may lose between two requests, possibly including its last page. */
export const LOST_ITEMS = 3;
/** How many positions an item of a ranking may move between two requests. */
export const MOVED_POSITIONS = 3;
/** How many items may enter a ranking between two requests. */
export const NEWCOMERS = 2;
/** Fewer shared items than this may result from a list that changed. */
export const TELLING_PAGE = 5;
/** Data stores do not count beyond this many items, so deeper pages say nothing about the total. */
export const DEEP_PAGE = 5000;
/** A total that changes by more than this share within minutes counts something else. */
export const LEAP_SHARE = 0.25;
/** How many items may arrive between two requests, however short the list. */
export const FEW_MORE = 10;
/** How many may arrive per request in between on the busiest day. */
export const NEW_EACH = 3;
/** Fewer pairs of one exchange may be adjacent by chance. */
export const MIN_PAIRS_OF_EXCHANGE = 3;
/** A list with less than this share of the pairs is filtered, not just slightly older. */
export const FILTERED_SHARE = 0.8;
/** How many pairs may come or go between two requests. */
export const FEW_PAIRS = 2;

// News and their languages.

/** How many known news items must match a filter before it counts that none is shown. */
export const FILTER_EVIDENCE = 2;
/** A small overlap counts only against a page with this many news items. */
export const ENOUGH_NEWS = 10;
/** New arrivals change a total by at most this much. */
export const NEWS_DRIFT = 5;
/** Number of texts in another language … */
export const MIN_TEXTS_AGAINST = 3;
/** … and their share that rule out stray headlines and quotations. */
export const SHARE_AGAINST = 0.2;
/** Combined weight at which texts too short on their own show another language by their script. */
export const CLEAR_TOGETHER = 100;
/** The same for languages that share letters, where headlines of names could mislead. */
export const CLEAR_HEADLINES = 300;
/** Text longer than this, in Latin letters, is not just a name. */
export const LONG_WEIGHT = 60;
/** This many titles or quotations that are sentences are no coincidence. */
export const MIN_SENTENCES = 2;
