import {
  detailsHeader,
  detailsSolution,
  headerCase,
  missingKeyCode,
  restrictedElsewhere,
} from './judge.ts';
import { refused } from '../families/refusal.ts';
import { check, each, serial, part, type Check } from '../../src/ask/index.ts';
import {
  forbidden,
  inHeaderCase,
  keyRefusal,
  keyRefusals,
  LIKE_KEYS,
  SECOND_PAGES,
  withKey,
} from './requests.ts';
import {
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
} from './restricted-elsewhere-requests.ts';
import { allOrSome } from '../families/restricted-key-requests.ts';
import { OF_CURRENCY } from '../7-errors/unknown-currency-requests.ts';
import { IDENTIFIED } from '../7-errors/unknown-resource-requests.ts';
import { ENDPOINT_PATHS } from '../../src/spec/endpoints.ts';
import type { KeyRole } from '../../src/spec/exchange.ts';
import { ACCESS, DETAILS, KEY_REFUSED } from '../../src/requirements/advice.ts';
import { must, should, observe, type Definition } from '../../src/requirements/definition.ts';

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

/** Unknown keys that resemble a valid one. */
const refusesLikeKeys = LIKE_KEYS.flatMap((form, index) =>
  each(
    ['/currencies', '/news'] as const,
    `refuses %s with ${form}`,
    (path, context) => withKey(path, { role: 'unknown', keyIndex: index + 1 }, context),
    { refused: 'invalidKey' },
  ),
);

/** Requirements of §5. */
export const AUTHENTICATION_REQUIREMENTS = {
  '5/key-required': must({
    title: 'Every endpoint refuses a request without a key with 401',
    clauses: ['5 1', '4 JSON and key'],
    shownBy: 'a request without a key, in a recording that includes the keys of other requests',
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
    shownBy: 'a request without a key, in a recording that includes the keys of other requests',
    rulings: [7],
    checks: [check((context) => keyRefusal('none', context))],
    judge: missingKeyCode,
  }),
  '5/unknown-key': must({
    title: 'Every endpoint refuses an unknown key with 401 and code 400101',
    clauses: ['5 3', '7 400101'],
    shownBy: 'a key known to be invalid, which a recording cannot tell from a valid one',
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
    checks: [check(forbidden)],
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
    clauses: ['5 2', '7 error body'],
    shownBy: 'a refusal known to be about the key, such as for a request without one',
    rulings: [10],
    ...DETAILS,
    checks: [check(keyRefusals)],
    judge: detailsHeader,
  }),
  '5/details-solution': should({
    title: 'An authentication error contains `details.solution`',
    clauses: ['7 error body'],
    shownBy: 'a refusal known to be about the key, such as for a request without one',
    rulings: [10],
    ...DETAILS,
    checks: [check(keyRefusals)],
    judge: detailsSolution,
  }),
  '5/header-case': should({
    title: 'The key header name is case-insensitive, as HTTP requires',
    clauses: ['5 2'],
    shownBy: 'the key header in its original letter case, which recordings do not keep',
    recorded: false,
    why: 'HTTP header names are case-insensitive, and proxies change their case.',
    usually: ['The header is looked up case-sensitively.'],
    checks: each(
      ['lower', 'mixed'] as const,
      'finds the key when the header name is in %s case',
      inHeaderCase,
    ),
    judge: headerCase,
  }),
} as const satisfies Record<string, Definition>;
