// Requirements that every list of dated records has. What a list is called is handed in; numbers come from its facts.
import { WINDOWS, type WindowName } from '../../contract/limits.ts';
import type { Criterion } from '../../rules/criterion.ts';
import type { LimitedSeries, SeriesFacts } from '../../rules/series.ts';
import { BOUND_ACCEPTED, NUMBER_INVALID, RANGE } from '../advice.ts';
import type { Stated } from '../definition.ts';
import { drawnFor, needsOf, parameterClause } from './of-endpoint.ts';

/** What is said of the `limit` of a list. */
interface LimitWords {
  /** The list with its verb, such as `Klines without limit are`. */
  readonly without: string;
  /** With its article, such as `A klines limit`. */
  readonly limit: string;
  /** The clause of §8 that states default and maximum. */
  readonly bounds: string;
}

/** Requirements of a `limit`. */
export function limitOf(series: LimitedSeries, words: LimitWords) {
  const { fallback, maximum, judges } = series.limit;
  const clause = parameterClause(series.endpoint, 'limit');
  const needs = needsOf(series.endpoint);
  const drawn = drawnFor(series.endpoint);
  const there = series.window === null ? 'what there is' : 'what the window holds';
  return {
    byDefault: {
      title: `${words.without} the same as with limit=${fallback}`,
      defect: 'validation',
      clauses: [clause, words.bounds],
      shownBy: 'a request that leaves the parameter out',
      rulings: [22],
      ...needs,
      why: 'Most callers send no limit. A default of another size changes what they see without any error.',
      usually: [
        'The default of another endpoint is used, or that of a framework.',
        'limit is applied before a filter or after de-duplication, so that fewer rows come out.',
      ],
      judge: judges.byDefault,
    },
    exact: {
      title: `${words.limit} below ${there} gives exactly that many rows`,
      defect: 'validation',
      clauses: [clause],
      shownBy: 'a request with a limit, close in time to one with more records',
      rulings: [4],
      ...needs,
      why: 'A caller who asks for n rows and gets another number has to guess whether the data ends there.',
      usually: [
        'An off-by-one at either end of the range (`<` for `<=`).',
        'limit counts calendar days, and weekends are taken out afterwards.',
        'limit is ignored below some internal page size.',
      ],
      ...drawn,
      judge: judges.exact,
    },
    maximum: {
      title: `${words.limit} above ${maximum} is refused or brought into the range`,
      defect: 'validation',
      clauses: [clause, words.bounds],
      shownBy: 'a request for more than the maximum',
      rulings: [4],
      ...needs,
      why: 'A bound that is not enforced lets one caller take what it protects, and callers come to rely on it.',
      usually: [
        'The bound is checked for one endpoint or parameter only.',
        'The check compares texts, so that "1000" is below "300".',
      ],
      ...drawn,
      judge: judges.over,
    },
    accepted: {
      title: `${words.limit} of ${maximum} is accepted`,
      defect: 'validation',
      clauses: [clause],
      rulings: [4],
      ...needs,
      ...BOUND_ACCEPTED,
      judge: judges.accepted,
    },
    invalid: {
      title: `${words.limit} of zero, below zero or not a number gets a conforming answer or a 400-class error`,
      defect: 'validation',
      clauses: [clause],
      rulings: [4],
      ...needs,
      ...NUMBER_INVALID,
      ...drawn,
      judge: judges.invalid,
    },
  } satisfies Readonly<Record<string, Stated>>;
}

/** A series in which a smaller limit must give a part of a larger one. */
interface SeriesWithParts extends LimitedSeries {
  readonly limit: LimitedSeries['limit'] & { readonly judges: { readonly part: Criterion } };
}

/** The requirement that limits of a series, called as in `klines limit`, agree with each other. */
export const limitPartOf = ({ endpoint, limit }: SeriesWithParts, called: string): Stated => ({
  title: `A smaller ${called} gives a contiguous part of a larger one`,
  defect: 'paging and order',
  clauses: [parameterClause(endpoint, 'limit')],
  shownBy: 'two requests for parts of one list within a few minutes',
  rulings: [19, 22],
  ...needsOf(endpoint),
  why: 'A smaller limit that gives other rows means that two callers see two histories.',
  usually: [
    'Different limits are served from different caches or replicas.',
    'The order is not fixed for rows of the same time.',
  ],
  ...drawnFor(endpoint),
  judge: limit.judges.part,
});

/** The requirement on the two ends of a range, which select records called as in `candles`. */
export const rangeOf = ({ endpoint, start, end, judges }: SeriesFacts, called: string): Stated => ({
  title: `${start} and ${end} select the ${called} between them`,
  defect: 'filters and windows',
  clauses: [parameterClause(endpoint, start), parameterClause(endpoint, end)],
  rulings: [22],
  ...needsOf(endpoint),
  ...RANGE,
  ...drawnFor(endpoint),
  judge: judges.range,
});

/** A series of which only a recent window can be reached. */
interface WindowedSeries extends SeriesFacts {
  readonly window: WindowName;
  readonly judges: { readonly [Name in keyof SeriesFacts['judges']]: Criterion };
}

/** What is said of the window of a list. */
interface WindowWords {
  /** Records with their verb, such as `No candle of a currency is`. */
  readonly none: string;
  /** With its article, such as `A klines range`. */
  readonly range: string;
  /** What a range reaches beyond; the length of the window by default. */
  readonly beyond?: string;
  /** The clauses that state that the list has a window. */
  readonly stated: readonly string[];
  /** The clause of §8 that states its length. */
  readonly bounds: string;
}

/** Requirements of a window: what is beyond it does not come, and how a range beyond it is answered. */
export function windowOf({ endpoint, window, judges }: WindowedSeries, words: WindowWords) {
  const { length } = WINDOWS[window];
  const common = {
    shownBy: 'a request that reaches back beyond the window',
    rulings: [5],
    ...needsOf(endpoint),
    ...drawnFor(endpoint),
  };
  return {
    older: {
      ...common,
      title: `${words.none} older than ${length}`,
      defect: 'filters and windows',
      clauses: [...words.stated, words.bounds],
      why: 'Older records are not promised: callers that build on them break when they go away.',
      usually: [
        'The bound is applied to requests with a range, but not to the default one.',
        'The window is counted from the last record instead of from today.',
        'The bound is applied to one of start and end only.',
      ],
      judge: judges.window,
    },
    answer: {
      ...common,
      title: `${words.range} beyond ${words.beyond ?? length} is refused in the documented shape, cut or empty`,
      defect: 'filters and windows',
      clauses: [...words.stated, '8 beyond the window'],
      why: 'The specification leaves open how such a range is answered, but not that the answer has a documented shape.',
      usually: [
        'The refusal comes from a gateway and is a page of HTML or a bare text.',
        'The range reaches the database and ends in a 500.',
      ],
      judge: judges.windowAnswer,
    },
  } satisfies Readonly<Record<string, Stated>>;
}
