// What a run asks of every series that can be cut by a range and a limit. How its lists are found is its own.
import type { LimitedSeries } from '../../rules/series.ts';
import type { Answer, CheckContext, GetOptions, Query } from '../index.ts';
import {
  beyondPart,
  bigPart,
  otherList,
  smallPart,
  withControl,
  type List,
  type Named,
} from './series.ts';

/** A request that is answered once. */
export type Request = (context: CheckContext) => Promise<Answer>;
/** The same, with parameters. */
export type RequestWith = (
  query: Query,
  context: CheckContext,
  options?: GetOptions,
) => Promise<Answer>;
/** Requests that belong together. */
export type Requests = (context: CheckContext) => Promise<readonly Answer[]>;

/** A failure of the server is an answer to a request out of bounds. */
export const whatever = { anyAnswer: true } as const;

/** Several requests, one after the other. */
export const together =
  (...requests: readonly (Request | Requests)[]): Requests =>
  async (context) => {
    const answers: Answer[] = [];
    for (const request of requests) answers.push(...[await request(context)].flat());
    return answers;
  };

/**
 * The largest limit in a range, which is what the last request asks for. Dates of another form than expected may be
 * refused; then the limit is asked for alone.
 */
export const rangedOrAlone =
  (ranged: Request | Requests, alone: Request | Requests): Requests =>
  async (context) => {
    const answers = await together(ranged)(context);
    return answers.at(-1)?.status === 200 ? answers : together(alone)(context);
  };

/** A bad request has the one without range and limit as its control. */
export const badPart = ({ start, end }: LimitedSeries): GetOptions => ({
  control: { query: { limit: undefined, [start]: undefined, [end]: undefined } },
  ...whatever,
});

/** Requests for a list that some way finds. */
export const requestFor =
  ({ endpoint }: LimitedSeries, find: (context: CheckContext) => Promise<Named>): RequestWith =>
  async (query, context, options) => {
    const named = await find(context);
    return context.api.get(
      endpoint,
      { ...named.query, ...query },
      { ...options, path: named.path },
    );
  };

/** How the lists of a series are asked for. */
export interface Ways {
  /** The list that is looked at. */
  readonly find: (context: CheckContext) => Promise<List>;
  /** What else is asked for big parts of its list, so that more than one is seen; the same one by default. */
  readonly other?: (context: CheckContext) => Promise<Named>;
  /** A range in the unit that the service reads; as it is by default. */
  readonly inUnit?: (query: Query, context: CheckContext) => Promise<Query>;
}

/** Another list of a series than the one that is found, told apart by its path. */
export const anotherThan =
  ({ endpoint }: LimitedSeries, find: Ways['find']): NonNullable<Ways['other']> =>
  async (context) =>
    otherList(endpoint, await find(context), context);

/** The requests for parts of a series. */
export function partsOf(
  series: LimitedSeries,
  { find, other = find, inUnit = (query) => Promise.resolve(query) }: Ways,
) {
  const again = requestFor(series, find);
  const ofOther = requestFor(series, other);
  const ranged: RequestWith = async (query, context, options) =>
    again(await inUnit(query, context), context, options);
  const otherRanged: RequestWith = async (query, context, options) =>
    ofOther(await inUnit(query, context), context, options);
  const plain: Request = async (context) => (await find(context)).answer;

  return {
    /** The plain request: the first list that has enough records. */
    plain,
    /** The same list, with more parameters. */
    again,
    /** A range with a limit that cuts it. */
    small: async (context: CheckContext): Promise<Answer> =>
      ranged(smallPart(series, await plain(context), context), context),
    /** A range of another list with the largest limit, which cuts nothing. */
    big: async (context: CheckContext): Promise<Answer> =>
      otherRanged(bigPart(series, context), context),
    /** A range of another list that begins before the window. */
    beyond: async (context: CheckContext): Promise<Answer> =>
      otherRanged(beyondPart(series, context), context, whatever),
    /** The largest limit and no range. */
    everything: (context: CheckContext): Promise<Answer> =>
      again({ limit: series.limit.maximum }, context),
    /** A limit out of bounds, alone or with a range that is none, and the answer to its control. */
    outOfBounds: async (query: Query, context: CheckContext): Promise<readonly Answer[]> =>
      withControl(await again(query, context, badPart(series))),
  };
}
