/** Defects that cannot be detected from outside or are allowed, with the reason. */
export interface Invisible {
  readonly what: string;
  readonly reason: string;
  /** Prefixes of the ids of its generated faults; empty when it cannot be generated. */
  readonly ids: readonly string[];
}

/** Series whose window has fewer rows than their maximum and default. */
const SHORT_SERIES = [
  'currencies-klines',
  'crypto-stocks-klines',
  'etfs-summary-history',
  'etfs-history',
];

/** Parameters of the ends of daily series. */
const DAILY_ENDS = [
  ...['currencies-klines', 'crypto-stocks-klines'].flatMap((name) => [
    `${name}.start_time`,
    `${name}.end_time`,
  ]),
  ...['etfs-summary-history', 'etfs-history', 'macro-events-history'].flatMap((name) => [
    `${name}.start_date`,
    `${name}.end_date`,
  ]),
];

export const INVISIBLE: readonly Invisible[] = [
  {
    what: 'A range excludes its first and last day',
    reason: 'Whether a range includes its ends is not stated.',
    ids: DAILY_ENDS.map((end) => `op/off-by-one/${end}/exclusive`),
  },
  {
    what: '`order_by` of trading pairs is ignored',
    reason:
      'The allowed sort fields are not stated, so a server may support fields other than those tried.',
    ids: ['op/ignored/currencies-pairs.order_by'],
  },
  {
    what: '`project_id` of news is ignored',
    reason:
      'No field in a news item names its project, so an ignored filter looks like a project that all news is about.',
    ids: ['op/ignored/news.project_id'],
  },
  {
    what: '`total` of news is one too high from page 2 on',
    reason:
      'Adding or removing news has the same effect; only many repeated requests would show the difference.',
    ids: ['op/paging/news/total-drifts'],
  },
  {
    what: 'A `limit` above the maximum is not clamped when the window has fewer rows',
    reason:
      'Three months have at most 93 candles and one month at most 23 trading days, so a `limit` of 501 or 301 returns the same rows as 500 or 300.',
    ids: SHORT_SERIES.flatMap((name) => [
      `op/bound/${name}.limit/maximum-one-more`,
      `op/bound/${name}.limit/no-maximum`,
    ]),
  },
  {
    what: 'The default `limit` is different, but still above the number of rows in the window',
    reason: 'All rows of the window are returned either way.',
    ids: SHORT_SERIES.flatMap((name) =>
      (name.endsWith('klines') ? [99, 101, 500] : [49, 51, 300]).map(
        (value) => `op/default/${name}.limit/${value}`,
      ),
    ),
  },
  {
    what: 'Two neighbouring pairs are swapped',
    reason:
      'The order depends on live figures: a price change while the list is built looks the same.',
    ids: ['first-two', 'middle', 'last-two'].map(
      (which) => `op/order/currencies-pairs/${which}-swapped`,
    ),
  },
  {
    what: 'A known currency has no token economics or no fundraising',
    reason: 'Not every currency has a project; 404 is a valid response.',
    ids: [
      'op/other-record/currencies-token-economics/second-refused',
      'op/other-record/currencies-fundraising/second-refused',
    ],
  },
  {
    what: 'A listed macro event has no history',
    reason:
      'The shape of the list is not stated, so its names may not be identifiers. Events in the target file are judged.',
    ids: ['op/other-record/macro-events-history/second-refused'],
  },
  {
    what: 'A news `page_size` of 101 is not clamped',
    reason: 'The specification states two maxima, 100 and 200; either is allowed.',
    ids: ['op/bound/news.page_size/maximum-one-more'],
  },
  {
    what: '`start_date` and `end_date` are refused in the format yyyy-MM-dd',
    reason:
      'Their format is not stated. The format of the rows is tried, but a server may expect another.',
    ids: ['etfs-summary-history', 'etfs-history', 'macro-events-history'].flatMap((name) => [
      `op/other-unit/${name}.start_date/other-form`,
      `op/other-unit/${name}.end_date/other-form`,
    ]),
  },
  {
    what: 'A figure that appears in one response only is wrong but plausible',
    reason:
      "For a pair price, the cost to move it, a like count or the amount of a round, no second source, sum or bound exists. Only the service's operator can compare the figure with its origin.",
    ids: [],
  },
  {
    what: 'A text in the requested language has a different meaning',
    reason: 'Translations are compared by language and script, not by meaning.',
    ids: [],
  },
  {
    what: 'Rows are missing in every response of an endpoint',
    reason:
      'A missing candle or news item is noticed only when another response contains it; a gap in all responses looks like a day without trading.',
    ids: [],
  },
  {
    what: 'Records and parameters of the §4.7 endpoints are wrong',
    reason:
      'Only the purpose of these endpoints is stated; their responses are recorded and never judged.',
    ids: [],
  },
  {
    what: 'An entity, a language or a page that a run does not request is wrong',
    reason:
      'A run of a hundred requests covers a few entities of each kind. With `--rotate`, the seed selects them, so all are covered over time.',
    ids: [],
  },
];

/** Why a fault cannot be seen; undefined when it can. */
export function invisibleBecause(id: string): string | undefined {
  return INVISIBLE.find(({ ids }) => ids.some((own) => id === own || id.startsWith(`${own}/`)))
    ?.reason;
}
