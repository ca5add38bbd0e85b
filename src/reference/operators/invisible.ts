/** Behaviour that is not told apart from outside, or that the specification leaves open, with the reason. */
export interface Invisible {
  readonly what: string;
  readonly reason: string;
  /** Beginnings of the ids that the operators make of it; none when they cannot even make it from the facts. */
  readonly ids: readonly `op/${string}`[];
}

/** Series whose window holds fewer rows than their maximum, and than their default. */
const SHORT_SERIES = [
  'currencies-klines',
  'crypto-stocks-klines',
  'etfs-summary-history',
  'etfs-history',
] as const;

/** Series of days, and what the ends of their ranges are called. */
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
    what: 'The day of an end of a range is not part of it',
    reason: 'Whether the ends of a range belong to it is not stated.',
    ids: DAILY_ENDS.map((end) => `op/off-by-one/${end}/exclusive` as const),
  },
  {
    what: 'order_by of trading pairs is ignored',
    reason:
      'Which fields pairs can be sorted by is not stated, so a server that sorts by none of those tried may know others.',
    ids: ['op/ignored/currencies-pairs.order_by'],
  },
  {
    what: 'project_id of news is ignored',
    reason:
      'No field of a news item names its project: a filter without effect looks like a project that all news is about.',
    ids: ['op/ignored/news.project_id'],
  },
  {
    what: 'total of news is one more from page 2 on',
    reason:
      'News that come in or go meanwhile change it as much; only many pages asked for in turn, several times over, would tell.',
    ids: ['op/paging/news/total-drifts'],
  },
  {
    what: 'A limit above the maximum is used as it is where a window holds fewer rows',
    reason:
      'Three months hold at most 93 candles and one month at most 23 trading days; 501 or 301 rows asked for give the same rows as 500 or 300.',
    ids: SHORT_SERIES.flatMap((name) => [
      `op/bound/${name}.limit/maximum-one-more` as const,
      `op/bound/${name}.limit/no-maximum` as const,
    ]),
  },
  {
    what: 'Another default of limit that is still above what a window holds',
    reason: 'All rows of the window are there either way.',
    ids: SHORT_SERIES.flatMap((name) =>
      (name.endsWith('klines') ? [99, 101, 500] : [49, 51, 300]).map(
        (value) => `op/default/${name}.limit/${value}` as const,
      ),
    ),
  },
  {
    what: 'Two neighbouring pairs are swapped',
    reason:
      'The order follows live figures: a price that moved while the list was made looks the same.',
    ids: (['first-two', 'middle', 'last-two'] as const).map(
      (which) => `op/order/currencies-pairs/${which}-swapped` as const,
    ),
  },
  {
    what: 'A known currency has no token economics or no fundraising',
    reason: 'Not every currency has a project behind it, and an answer of 404 says so.',
    ids: [
      'op/other-record/currencies-token-economics/second-refused',
      'op/other-record/currencies-fundraising/second-refused',
    ],
  },
  {
    what: 'A macro event that the list names has no history',
    reason:
      'The shape of the list is not stated, so what it names may be no identifier. An event that the target file names is judged.',
    ids: ['op/other-record/macro-events-history/second-refused'],
  },
  {
    what: 'A page_size of 101 of news is used unchanged',
    reason: 'Two sentences of the specification name two maxima, 100 and 200; either may be kept.',
    ids: ['op/bound/news.page_size/maximum-one-more'],
  },
  {
    what: 'start_date and end_date are refused in the form yyyy-MM-dd',
    reason: 'Their form is not stated: that of the rows is tried, and a server may want another.',
    ids: (['etfs-summary-history', 'etfs-history', 'macro-events-history'] as const).flatMap(
      (name) => [
        `op/other-unit/${name}.start_date/other-form` as const,
        `op/other-unit/${name}.end_date/other-form` as const,
      ],
    ),
  },
  {
    what: 'A figure that no second answer repeats is wrong but plausible',
    reason:
      'Price of a pair, cost to move it, like count, amount of a round: one source, and no sum or bound that it would break. Only the operator of the service can compare it with its origin.',
    ids: [],
  },
  {
    what: 'A text that is fluent and in the language asked for, but says something else',
    reason: 'Translations are told apart by language and script, not by meaning.',
    ids: [],
  },
  {
    what: 'Rows that are left out of every answer of an endpoint in the same way',
    reason:
      'A missing candle or news item is seen only where another answer shows it; a gap that all answers share looks like a day without trade.',
    ids: [],
  },
  {
    what: 'Records and parameters of the endpoints of §4.7',
    reason: 'Only their purpose is stated; what they hold is recorded and never judged.',
    ids: [],
  },
  {
    what: 'An entity, a language or a page that a run does not ask for is wrong',
    reason:
      'A run of a hundred requests looks at a few entities of each kind. Which ones follows the seed with --rotate, so that runs over time come to all of them.',
    ids: [],
  },
];

/** Why a fault cannot be seen; undefined when it can. */
export function invisibleBecause(id: string): string | undefined {
  return INVISIBLE.find(({ ids }) => ids.some((own) => id === own || id.startsWith(`${own}/`)))
    ?.reason;
}
