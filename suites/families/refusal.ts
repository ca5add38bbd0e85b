import { BAD_KEYS } from '../../src/spec/exchange.ts';
import { isJudgeable, type Context } from '../../src/judge/context.ts';
import {
  because,
  codeOf,
  describeAnswer,
  errorNameOf,
  isNotFound,
} from '../../src/judge/errors.ts';
import {
  describeError,
  expectationOf,
  hasCode,
  matchesError,
  placeOfError,
  type ExpectedError,
  type Wrong,
} from '../../src/judge/expectation.ts';
import type { FindingText } from '../../src/judge/judgement.ts';
import { judgeAll, type Judge } from '../../src/judge/judge.ts';
import type { View } from '../../src/judge/view.ts';
import { perObject } from '../../src/text/remembered.ts';

/**
 * §4, §5, §7: an invalid request is refused with the status and code of an error that applies.
 * @param wrong the first thing wrong with the request
 */
export const refused = (wrong: Wrong): Judge =>
  (judges[wrong] ??= judgeAll((views, context, it) => {
    const { good, toRefuse } = requestsIn(context)(views);
    for (const { view, first, errors: all } of toRefuse) {
      if (first.wrong !== wrong) continue;
      if (isUnprobedPath(view, context) || !isJudgeable(view, context)) continue;
      if (isAccessElsewhere(view, context)) continue;
      const keyed = BAD_KEYS.includes(view.exchange.role) || first.error === 'forbidden';
      // A request that succeeds with a good key has no other error (ruling 8).
      const errors = keyed && good.has(requestOf(view)) ? [first] : all;
      const code = codeOf(view);
      const holds = errors.some(({ error }) => matchesError(error, view.status, code));
      if (!holds && keyed && mayBeForAnother(view, good)) continue;
      // Other applicable errors depend on what else was requested, so the finding names only the one for the key.
      it.expect(view, holds, () => otherAnswer(view, keyed, keyed ? [first] : errors));
    }
  }));

/** One judge per error, so that a requirement can be found by its judge. */
const judges: Partial<Record<Wrong, Judge>> = {};

/** The restricted key was refused where it has access: 5/restricted-elsewhere judges that. */
const isAccessElsewhere = ({ exchange, status }: View, { forbidden }: Context): boolean =>
  exchange.role === 'restricted' &&
  (status === 401 || status === 403) &&
  (exchange.endpoint === null || !forbidden.includes(exchange.endpoint));

/** What is wrong with a request whose query is fine, in a finding. */
const OF_PATH: Readonly<Partial<Record<Wrong, string>>> = {
  'malformed currency_id': 'with a malformed currency_id ',
  'unknown currency': 'for an unknown currency ',
  'unknown resource': 'for an unknown resource ',
  'unknown path': 'for an unknown path ',
};

const otherAnswer = (
  view: View,
  keyed: boolean,
  errors: readonly ExpectedError[],
): FindingText => ({
  kind: view.ok ? 'let-in' : view.status >= 500 ? 'crashed' : 'refused-otherwise',
  facts: {
    because: (!keyed && OF_PATH[errors[0]?.wrong ?? 'no key']) || because(view, keyed),
    answer: describeAnswer(view),
    ...(view.status >= 400 && {
      wrong: errors.some(({ error }) => hasCode(error, codeOf(view))) ? 'status' : 'error code',
    }),
  },
  expected: [...new Set(errors.map(({ error }) => describeError(error)))].join(' or '),
  actual: describeAnswer(view),
  ...placeOfError(
    view.status,
    codeOf(view),
    errors.map(({ error }) => error),
  ),
});

/** What must be refused with the errors that apply, and the requests that succeeded with a good key, by path and by path and query. */
const requestsIn = perObject((context: Context) =>
  perObject((views: readonly View[]) => requestsOf(views, context)),
);

function requestsOf(views: readonly View[], context: Context) {
  const toRefuse = views.flatMap((view) => {
    const expectation = expectationOf(view, context);
    if (expectation.kind !== 'refused') return [];
    const { errors } = expectation;
    const [first] = errors;
    return first === undefined ? [] : [{ view, first, errors }];
  });
  const good = views.filter(({ ok, exchange }) => ok && !BAD_KEYS.includes(exchange.role));
  return {
    toRefuse,
    good: new Set(good.flatMap((view) => [view.exchange.request.path, requestOf(view)])),
  };
}

const requestOf = ({ exchange: { request } }: View): string =>
  JSON.stringify([request.path, request.query.toSorted(([a], [b]) => (a < b ? -1 : 1))]);

/**
 * Whether the refusal of a bad key may be due to another error, such as a parameter or identifier of unknown validity
 * (ruling 8). Ruled out if the request succeeded with a good key, or if nothing else can be wrong.
 */
function mayBeForAnother(view: View, good: ReadonlySet<string>): boolean {
  const { endpoint, exchange, status } = view;
  if (view.ok || status === 401) return false;
  // Only the key causes these, whatever the status.
  const named = errorNameOf(view);
  if (named === 'invalidKey' || named === 'expiredKey') return false;
  // There may be no such page.
  const isLaterPage = Number(view.query.get('page') ?? 1) > 1;
  if (isLaterPage || endpoint?.response.kind === 'unstated') return !good.has(requestOf(view));
  const known = Object.keys(exchange.pathParameters).length === 0;
  return !known && !good.has(exchange.request.path);
}

/**
 * A service may have more paths than §4. A path that succeeds, or whose resource was not found, is wrong only if a check made it
 * up; the facts then list it as unknown.
 */
function isUnprobedPath(view: View, context: Context): boolean {
  const { endpoint, request } = view.exchange;
  const probes = context.unknownIds['path'] ?? [];
  const mayExist = view.status < 400 || (context.partial === true && isNotFound(view));
  return endpoint === null && mayExist && !probes.includes(request.path);
}
