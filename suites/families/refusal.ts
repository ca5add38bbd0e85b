import { STATUS } from '../../src/spec/finding.ts';
import type { KeyRole } from '../../src/spec/exchange.ts';
import type { Context } from '../../src/judge/context.ts';
import { isJudgeable } from '../../src/judge/context.ts';
import { because, codeOf, describeAnswer } from '../../src/judge/errors.ts';
import {
  describeError,
  expectationOf,
  matchesError,
  type ExpectedError,
  type Wrong,
} from '../../src/judge/expectation.ts';
import type { FindingText } from '../../src/judge/judgement.ts';
import { judgeAll, type Judge, type OwnJudgement } from '../../src/judge/judge.ts';
import type { View } from '../../src/judge/view.ts';

/** Roles whose keys are no good wherever they are sent. */
const BAD_KEYS: readonly KeyRole[] = ['none', 'unknown', 'disabled', 'expired'];

/**
 * §4, §5, §7: a request that must be refused is refused, with the status and code of an error that applies.
 *
 * @param wrong what comes first of all that is wrong with the request
 */
export function refused(wrong: Wrong): Judge {
  const judge =
    judges.get(wrong) ??
    judgeAll((views, context, it) => {
      const good = goodRequests(views);
      for (const view of views) judgeRefusal(view, wrong, good, context, it);
    });
  judges.set(wrong, judge);
  return judge;
}

/** One for each, so that the requirement of a refusal can be found by its judgement. */
const judges = new Map<Wrong, Judge>();

function judgeRefusal(
  view: View,
  wrong: Wrong,
  good: ReadonlySet<string>,
  context: Context,
  it: OwnJudgement,
): void {
  const expectation = expectationOf(view, context);
  if (expectation.kind !== 'refused') return;
  const [first] = expectation.errors;
  if (first?.wrong !== wrong) return;
  if (isUnprobedPath(view, context) || !isJudgeable(view, context)) return;
  if (isAccessElsewhere(view, context)) return;
  const keyed = BAD_KEYS.includes(view.exchange.role) || first.error === 'forbidden';
  // What was answered with a good key has no other error (ruling 8).
  const errors = keyed && good.has(requestOf(view)) ? [first] : expectation.errors;
  const code = codeOf(view);
  const holds = errors.some(({ error }) => matchesError(error, view.status, code));
  if (!holds && keyed && mayBeForAnother(view, good)) return;
  // Which other errors it may have had depends on what else was asked: the finding names the one that is due for the key.
  it.expect(view, holds, () => otherAnswer(view, keyed ? [first] : errors));
}

/** The restricted key is kept out where it should not be: that is about the key (5/restricted-elsewhere), whatever was asked. */
const isAccessElsewhere = ({ exchange, status }: View, { forbidden }: Context): boolean =>
  exchange.role === 'restricted' &&
  (status === 401 || status === 403) &&
  (exchange.endpoint === null || !forbidden.includes(exchange.endpoint));

const otherAnswer = (view: View, errors: readonly ExpectedError[]): FindingText => ({
  kind: view.ok ? 'let-in' : view.status >= 500 ? 'crashed' : 'refused-otherwise',
  facts: { because: because(view), answer: describeAnswer(view) },
  expected: [...new Set(errors.map(({ error }) => describeError(error)))].join(' or '),
  actual: describeAnswer(view),
  ...(view.status >= 400 ? { pointer: '/code' } : { header: STATUS }),
});

/** Requests that were answered with a good key: nothing else is wrong with them. As path, and as path and query. */
function goodRequests(views: readonly View[]): ReadonlySet<string> {
  const known = goodIn.get(views);
  if (known !== undefined) return known;
  const good = new Set<string>();
  goodIn.set(views, good);
  for (const view of views) {
    if (!view.ok || BAD_KEYS.includes(view.exchange.role)) continue;
    good.add(view.exchange.request.path);
    good.add(requestOf(view));
  }
  return good;
}

/** Those of each set of answers: every requirement of the family asks for them. */
const goodIn = new WeakMap<readonly View[], ReadonlySet<string>>();

const requestOf = ({ exchange: { request } }: View): string =>
  JSON.stringify([request.path, request.query.toSorted(([a], [b]) => (a < b ? -1 : 1))]);

/**
 * Whether the refusal of a bad key may be for another error of the request, such as a parameter or an identifier of
 * which nobody knows whether it is right (ruling 8). Not when the same was answered with a good key, nor when nothing
 * else in the request can be wrong.
 */
function mayBeForAnother(view: View, good: ReadonlySet<string>): boolean {
  const { endpoint, exchange, status } = view;
  if (view.ok || status === 401) return false;
  if (endpoint?.response.kind === 'unstated') return !good.has(requestOf(view));
  const known = Object.keys(exchange.pathParameters).length === 0;
  return !known && !good.has(exchange.request.path);
}

/**
 * A service may have more paths than §4 names. One that succeeds is a wrong path only where a check made it up: then
 * the facts list it as unknown.
 */
function isUnprobedPath(view: View, context: Context): boolean {
  const { endpoint, request } = view.exchange;
  const probes = context.unknownIds['path'] ?? [];
  return endpoint === null && view.status < 400 && !probes.includes(request.path);
}
