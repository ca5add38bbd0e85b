import { KEY_HEADER } from '../../src/spec/limits.ts';
import { isJudgeable, type Context } from '../../src/judge/context.ts';
import { codeOf, describeAnswer, detailsOf, errorNameOf } from '../../src/judge/errors.ts';
import { expectationOf, sendsEmptyKey } from '../../src/judge/expectation.ts';
import { show } from '../../src/judge/judgement.ts';
import { otherSpelling } from '../../src/judge/transport.ts';
import { judgeEach } from '../../src/judge/judge.ts';
import { asksForRange, isAsked } from '../../src/judge/shapes.ts';
import type { View } from '../../src/judge/view.ts';
import { refused } from '../families/refusal.ts';
import { check, each, serial, part, type Check } from '../../src/ask/index.ts';
import {
  forbidden,
  forbiddenWithParameters,
  inHeaderCase,
  keyRefusal,
  keyRefusals,
  SECOND_PAGES,
  withKey,
  BELOW_CURRENCY,
  elsewhere,
  LISTS,
  malformedCurrencyOf,
  ONE_IN_FULL,
  ONE_RECORD,
  others,
  plainly,
  unknownCurrencyOf,
  unknownOf,
} from './requests.ts';
import { allOrSome } from '../families/restricted-key-requests.ts';
import { OF_CURRENCY, IDENTIFIED } from '../7-errors/unknown-id-requests.ts';
import { ENDPOINT_PATHS } from '../../src/spec/endpoints.ts';
import type { KeyRole } from '../../src/spec/exchange.ts';
import { KEY_VARIATIONS } from '../../src/spec/near-keys.ts';
import { ACCESS, DETAILS, KEY_REFUSED } from '../../src/requirements/advice.ts';
import {
  must,
  should,
  observe,
  type Definition,
  type Stated,
} from '../../src/requirements/definition.ts';

const isAuthenticationError = (view: View, context: Context): boolean =>
  view.status === 401 &&
  errorNameOf(view) !== 'forbidden' &&
  isJudgeable(view, context) &&
  view.isJson &&
  view.exchange.request.method === 'GET';

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

/** All endpoints and the second pages of lists with an invalid key. */
const refuses = (
  role: KeyRole,
  how: string,
  error: NonNullable<Check['refused']>,
): readonly Check[] => [
  ...each(
    ENDPOINT_PATHS,
    `refuses %s ${how}`,
    (path, context) => withKey(path, { role }, context),
    { refused: error },
  ),
  ...SECOND_PAGES.map(([path, query]) =>
    part(`refuses page 2 of ${path} ${how}`, (context) => withKey(path, { role }, context, query), {
      refused: error,
    }),
  ),
];

/** The unknown keys after the first, which a partial comparison would accept. */
const refusesLikeKeys = Object.values(KEY_VARIATIONS).flatMap((form, index) =>
  each(
    ['/currencies', '/news'] as const,
    `refuses %s with ${form}`,
    (path, context) => withKey(path, { role: 'unknown', keyIndex: index + 1 }, context),
    { refused: 'invalidKey' },
  ),
);

/** §7: an authentication error has a text in `details`. */
const inDetails = (
  name: string,
  kind: 'key-header-not-named' | 'no-solution',
  expected: string,
  holds: (text: string) => boolean,
) =>
  ({
    clauses: ['7 error body'],
    shownBy: 'a refusal known to be about the key, such as for a request without one',
    rulings: [10],
    ...DETAILS,
    checks: [check(keyRefusals)],
    judge: judgeEach((view, context, it) => {
      if (!isAuthenticationError(view, context)) return;
      const value = detailsOf(view)[name];
      it.expect(view, typeof value === 'string' && holds(value), () => ({
        kind,
        expected: `details.${name}: ${expected}`,
        actual: `details.${name}: ${show(value)}`,
        pointer: `/details/${name}`,
      }));
    }),
  }) satisfies Partial<Stated>;

/** Requirements of §5. */
export const AUTHENTICATION_REQUIREMENTS = {
  '5/key-required': must({
    title: 'Every endpoint refuses a request without a key with 401',
    clauses: ['5 1', '4 JSON and key'],
    shownBy: 'a request known to have been sent without a key',
    rulings: [7],
    why: 'An endpoint that works without a key gives data away and cannot be rate-limited.',
    usually: [
      'One endpoint is outside the gateway: see the finding.',
      'A cache in front of the key check serves the response.',
    ],
    checks: [
      ...refuses('none', 'without a key', 'unauthenticated'),
      ...each(
        ['/currencies', '/news'] as const,
        'refuses %s with an empty key header',
        (path, context) => withKey(path, { role: 'none', emptyKey: true }, context),
      ),
    ],
    judge: refused('no key'),
  }),
  '5/missing-key-code': observe({
    title: 'Error code for a request without a key',
    clauses: ['5 3', '5 4'],
    shownBy: 'a 401 to a request known to have been sent without a key',
    hinderedBy: ['5/key-required'],
    rulings: [7],
    checks: [check((context) => keyRefusal('none', context))],
    // Ruling 7: the error code for a missing key is open.
    judge: judgeEach((view, context, it) => {
      if (!isAuthenticationError(view, context)) return;
      if (view.exchange.role !== 'none' || sendsEmptyKey(view)) return;
      it.read('Error code when the key is missing', String(codeOf(view) ?? 'none'), view);
    }),
  }),
  '5/unknown-key': must({
    title: 'Every endpoint refuses an unknown key with 401 and code 400101',
    clauses: ['5 3', '7 400101'],
    shownBy: 'a request with a key known to be invalid',
    rulings: [6],
    ...KEY_REFUSED,
    checks: [...refuses('unknown', 'with an unknown key', 'invalidKey'), ...refusesLikeKeys],
    judge: refused('unknown key'),
  }),
  '5/disabled-key': must({
    title: 'A disabled key is refused with 401 and code 400101',
    clauses: ['5 3', '7 400101'],
    rulings: [6],
    needs: ['disabled-key'],
    ...KEY_REFUSED,
    checks: refuses('disabled', 'with a disabled key', 'invalidKey'),
    judge: refused('disabled key'),
  }),
  '5/expired-key': must({
    title: 'An expired key is refused with 401 and code 400102',
    clauses: ['5 3', '7 400102'],
    rulings: [6],
    needs: ['expired-key'],
    ...KEY_REFUSED,
    checks: refuses('expired', 'with an expired key', 'expiredKey'),
    judge: refused('expired key'),
  }),
  '5/forbidden': must({
    title: 'A key without access to an endpoint is refused there with 403 and code 400301',
    clauses: ['5 3', '7 400301'],
    rulings: [6],
    needs: ['restricted-key'],
    ...ACCESS,
    checks: [check(forbidden), part('with optional parameters', forbiddenWithParameters)],
    judge: refused('no access'),
  }),
  '5/restricted-elsewhere': should({
    title: 'A restricted key works on the endpoints it may call',
    clauses: ['5 3', '7 400301'],
    needs: ['restricted-key'],
    ...ACCESS,
    checks: [
      check(elsewhere),
      ...each(LISTS, 'asks %s', plainly),
      ...each(
        ONE_RECORD,
        'asks %s for 2 other records',
        others(() => 2),
        serial,
      ),
      ...each(
        [...ONE_RECORD, ...ONE_IN_FULL],
        'asks %s for many other records',
        others(allOrSome),
        serial,
      ),
      ...each(OF_CURRENCY, 'asks %s for a currency that does not exist', unknownCurrencyOf),
      ...each(BELOW_CURRENCY, 'asks %s for a malformed currency_id', malformedCurrencyOf),
      ...each(IDENTIFIED, 'asks %s for an identifier that does not exist', unknownOf),
    ],
    judge: restrictedElsewhere,
  }),
  '5/details-header': must({
    title: 'An authentication error names the key header in `details.header`',
    ...inDetails(
      'header',
      'key-header-not-named',
      `"${KEY_HEADER}"`,
      (value) => value.toUpperCase() === KEY_HEADER,
    ),
    clauses: ['5 2', '7 error body'],
  }),
  '5/details-solution': should({
    title: 'An authentication error contains `details.solution`',
    ...inDetails('solution', 'no-solution', 'a non-empty string', (value) => value !== ''),
  }),
  '5/header-case': should({
    title: 'The key header name is case-insensitive, as HTTP requires',
    clauses: ['5 2'],
    shownBy: 'the key header in its original letter case',
    recorded: false,
    why: 'HTTP header names are case-insensitive, and proxies change their case.',
    usually: ['The header is looked up case-sensitively.'],
    checks: each(
      ['lower', 'mixed'] as const,
      'finds the key when the header name is in %s case',
      inHeaderCase,
    ),
    // §5 rule 2: header names are case-insensitive, so any spelling carries the same key. Judged only
    // if the key works elsewhere.
    judge: judgeEach((view, context, it) => {
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
    }),
  }),
} as const satisfies Record<string, Definition>;
