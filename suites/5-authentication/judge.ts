import { KEY_HEADER } from '../../src/spec/limits.ts';
import { isJudgeable, type Context } from '../../src/judge/context.ts';
import { codeOf, describeAnswer, detailsOf } from '../../src/judge/errors.ts';
import { expectationOf, sendsEmptyKey } from '../../src/judge/expectation.ts';
import { show } from '../../src/judge/judgement.ts';
import { otherSpelling } from '../../src/judge/transport.ts';
import { judgeEach } from '../../src/judge/judge.ts';
import { asksForRange, isAsked } from '../../src/judge/shapes.ts';
import type { View } from '../../src/judge/view.ts';

const isAuthenticationError = (view: View, context: Context): boolean =>
  view.status === 401 &&
  isJudgeable(view, context) &&
  view.isJson &&
  view.exchange.request.method === 'GET';

/** §5 rule 2: authentication errors name the key header. */
export const detailsHeader = judgeEach((view, context, it) => {
  if (!isAuthenticationError(view, context)) return;
  const { header } = detailsOf(view);
  const matches = typeof header === 'string' && header.toUpperCase() === KEY_HEADER;
  it.expect(view, matches, () => ({
    kind: 'key-header-not-named',
    expected: `details.header: "${KEY_HEADER}"`,
    actual: `details.header: ${show(header)}`,
    pointer: '/details/header',
  }));
});

/** §7: authentication errors suggest a solution. */
export const detailsSolution = judgeEach((view, context, it) => {
  if (!isAuthenticationError(view, context)) return;
  const { solution } = detailsOf(view);
  it.expect(view, typeof solution === 'string' && solution !== '', () => ({
    kind: 'no-solution',
    expected: 'details.solution: a non-empty string',
    actual: `details.solution: ${show(solution)}`,
    pointer: '/details/solution',
  }));
});

/** Ruling 7: the error code for a missing key is open. */
export const missingKeyCode = judgeEach((view, context, it) => {
  if (!isAuthenticationError(view, context)) return;
  if (view.exchange.role !== 'none' || sendsEmptyKey(view)) return;
  it.read('Error code when the key is missing', String(codeOf(view) ?? 'none'), view);
});

/**
 * §5 rule 2: header names are case-insensitive, so any spelling carries the same key. Judged only if the key works
 * elsewhere.
 */
export const headerCase = judgeEach((view, context, it) => {
  const { role, request } = view.exchange;
  const name = otherSpelling(view);
  if (role !== 'valid' || name === undefined) return;
  if (!isJudgeable(view, context) || request.method !== 'GET') return;
  it.expect(view, view.status !== 401, () => ({
    kind: 'header-case',
    facts: { header: name },
    expected: `the same answer as with ${KEY_HEADER}`,
    actual: describeAnswer(view),
  }));
});

/** §5 rule 3: a restricted key is refused where the target file says so, and nowhere else. */
export const restrictedElsewhere = judgeEach((view, context, it) => {
  const { endpoint, role } = view.exchange;
  if (role !== 'restricted' || endpoint === null || !isAsked(view, context)) return;
  if (context.forbidden.includes(endpoint)) return;
  const asKey = view.status === 401 || view.status === 403;
  // Beyond the recent window any 4xx is fine (ruling 5), so a 403 for a range says nothing about the key.
  if (view.status === 403 && asksForRange(view)) return;
  // A refusal of a bad request is not about the key; a refusal of a good one is inconclusive.
  const conclusive = view.ok || asKey || expectationOf(view, context).kind === 'refused';
  if (!conclusive) return;
  it.expect(view, !asKey, () => ({
    kind: 'restricted-key-refused',
    expected: 'an answer',
    actual: describeAnswer(view),
  }));
});
