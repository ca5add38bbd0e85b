// Invalid requests of §4.3 and their refusals.
import { refused } from '../families/refusal.ts';
import { check, each, part, type Check, type CheckContext } from '../../src/ask/index.ts';
import { errorNamed } from '../../src/spec/error-codes.ts';
import { ETF_SYMBOLS } from '../../src/spec/values.ts';
import { DETAILS, MESSAGE, REQUIRED } from '../../src/requirements/advice.ts';
import { must, should, type Definition } from '../../src/requirements/definition.ts';
import { isJudgeable, type Context } from '../../src/judge/context.ts';
import {
  because,
  codeOf,
  describeAnswer,
  detailsOf,
  messageOf,
  namedParameter,
} from '../../src/judge/errors.ts';
import {
  describeError,
  GENERIC_CODE,
  isInvalidRequestStatus,
  matchesError,
  placeOfError,
  soleError,
  type Wrong,
} from '../../src/judge/expectation.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeEach } from '../../src/judge/judge.ts';
import {
  isUnlistedMessage,
  isValidationFailure,
  unlistedMessages,
} from '../families/validation.ts';
import type { View } from '../../src/judge/view.ts';
import {
  drawnByRestrictedKey,
  drawnInHongKong,
  inHongKong,
  unknownInHongKong,
  UNLISTED,
  withOther,
  withOtherByRestrictedKey,
  without,
} from './requests.ts';

const MISSING = { refused: 'missingParameter' } as const;
const NO_VALUE = { refused: 'invalidValue' } as const;
const INVALID = { refused: 'invalid' } as const;

const otherCountry = (country: string, context: CheckContext) =>
  withOther('country_code', country, context);

/** Further invalid values for the restricted key: an allow list or a table of aliases may contain one by mistake. */
const OTHER_SYMBOLS = 'USDT BNB ADA TRX SUI BTCUSD XETH SOLANA bitcoin'.split(' ');
const OTHER_COUNTRIES = ['CN', 'CA', 'EU', 'HKG'];

/** Checks of unlisted pairs: some in standard, others with the restricted key, all in full. */
const unlisted = (
  label: (which: string) => string,
  options: Pick<Check, 'refused'> = {},
): readonly Check[] => [
  ...['a pair', 'another pair'].map((which, nth) =>
    part(label(`${which} that is not listed`), (context) => drawnInHongKong(nth, context), options),
  ),
  ...[0, 2, 3, 4, 5, 6].map((nth) =>
    part(
      `${label(`pair ${nth + 1} that is not listed`)}, with the restricted key`,
      (context) => drawnByRestrictedKey(nth, context),
      options,
    ),
  ),
  ...each(UNLISTED, label('%s in HK'), inHongKong, options),
];

/** Whether the request has only this error and the answer is a validation failure. */
const isRefusedFor = (wrong: Wrong, view: View, context: Context): boolean =>
  isValidationFailure(view, context) && soleError(view, context)?.wrong === wrong;

/** Refusals from the parameter table. */
export const PARAMETER_REFUSALS = {
  '4.3/symbol-required': must({
    title: 'A missing `symbol` is refused with 400 and code 400002',
    clauses: ['4.3 symbol', '7 400002'],
    rulings: [6, 9],
    ...REQUIRED,
    checks: [
      check(without('symbol'), MISSING),
      part('refuses an empty symbol', without('symbol', ''), MISSING),
    ],
    judge: refused('missing symbol'),
  }),
  '4.3/country-required': must({
    title: 'A missing `country_code` is refused with 400 and code 400002',
    clauses: ['4.3 country_code', '7 400002'],
    rulings: [6, 9],
    ...REQUIRED,
    checks: [
      check(without('country_code'), MISSING),
      part('refuses an empty country_code', without('country_code', ''), MISSING),
    ],
    judge: refused('missing country_code'),
  }),
  '4.3/country-enum': must({
    title: 'A `country_code` other than US and HK is refused with a 400-class error',
    clauses: ['4.3 country_code'],
    shownBy: 'a request with an unlisted value',
    rulings: [9],
    why: 'Only US and HK are specified; any other country must not look like a market without flows.',
    usually: ['An unknown country returns 200 with an empty list.', 'The value falls back to US.'],
    // Another country, and a longer code of a listed one.
    checks: [
      ...each(['GB', 'USA'], 'refuses country_code=%j', otherCountry, INVALID),
      ...each(
        OTHER_COUNTRIES,
        'refuses country_code=%j, with the restricted key',
        (country, context) => withOtherByRestrictedKey('country_code', country, context),
        INVALID,
      ),
    ],
    judge: refused('value of country_code'),
  }),
  '4.3/country-enum-code': should({
    title: 'The refusal of an unknown `country_code` has code 400003',
    clauses: ['4.3 country_code', '7 400003'],
    shownBy: 'a request with an unlisted value',
    rulings: [6, 9],
    why: 'The clause on countries states no code; elsewhere, 400003 is the code for unlisted values.',
    usually: ['Symbol and country are looked up together, which returns 400001.'],
    checks: [check((context) => otherCountry('GB', context))],
    judge: judgeEach((view, context, it) => {
      const { status } = view;
      if (!isInvalidRequestStatus(status) || !isJudgeable(view, context)) return;
      if (soleError(view, context)?.wrong !== 'value of country_code') return;
      const code = codeOf(view);
      const holds =
        matchesError('invalidValue', status, code) ||
        (matchesError('invalidFormat', status, code) && isUnlistedMessage(view));
      it.expect(view, holds || code === GENERIC_CODE, () => ({
        kind: 'wrong-country-code-error',
        facts: { wrong: errorNamed(code ?? 0) === 'invalidValue' ? 'status' : 'error code' },
        expected: describeError('invalidValue'),
        actual: describeAnswer(view),
        ...placeOfError(status, code, ['invalidValue']),
      }));
    }),
  }),
} as const satisfies Record<string, Definition>;

/** Refusals from rules 1 and 2. */
export const RULES = {
  // Rule 1
  '4.3/symbol-enum': must({
    title: 'An unlisted symbol is refused with 400 and code 400003',
    clauses: ['4.3 rule 1', '4.3 symbol', '7 400003'],
    shownBy: 'a request with an unlisted value',
    rulings: [6, 9],
    why: 'The refusal distinguishes a typo from a market without flows.',
    usually: [
      'An unknown symbol returns 200 with an empty list.',
      'The code is 400001, as for an unlisted pair, because symbol and country are looked up together.',
      'The list in `details.constraint` differs from the enforced one.',
    ],
    // Another name of a listed asset, and the start of a listed symbol.
    checks: [
      part('refuses symbol="XBT"', unknownInHongKong, NO_VALUE),
      part('refuses symbol="BT"', (context) => withOther('symbol', 'BT', context), NO_VALUE),
      ...each(
        OTHER_SYMBOLS,
        'refuses symbol=%j, with the restricted key',
        (symbol, context) => withOtherByRestrictedKey('symbol', symbol, context),
        NO_VALUE,
      ),
    ],
    judge: refused('value of symbol'),
  }),
  '4.3/symbol-message': must({
    title: 'The refusal of an unknown symbol says "Invalid parameter: symbol"',
    clauses: ['4.3 rule 1'],
    shownBy: 'a refusal of an unlisted value with status 400',
    rulings: [10],
    ...MESSAGE,
    checks: [check(unknownInHongKong)],
    judge: judgeEach((view, context, it) => {
      if (!isRefusedFor('value of symbol', view, context)) return;
      it.expect(view, namedParameter(view) === 'symbol', () => ({
        kind: 'wrong-message',
        facts: { because: because(view) },
        expected: '"Invalid parameter: symbol"',
        actual: show(messageOf(view)),
        pointer: '/message',
      }));
    }),
  }),
  '4.3/symbol-constraint': must({
    title: 'The refusal of an unknown symbol lists all allowed symbols in `details.constraint`',
    clauses: ['4.3 rule 1'],
    shownBy: 'a refusal of an unlisted value with status 400',
    ...DETAILS,
    checks: [check(unknownInHongKong)],
    // As an array or as one text.
    judge: judgeEach((view, context, it) => {
      if (!isRefusedFor('value of symbol', view, context)) return;
      const { constraint } = detailsOf(view);
      const text = JSON.stringify(constraint ?? null).toUpperCase();
      const found = new Set(text.match(/[A-Z]+/g));
      const missing = ETF_SYMBOLS.filter((symbol) => !found.has(symbol));
      it.expect(view, missing.length === 0, () => ({
        kind: 'symbols-incomplete',
        expected: ETF_SYMBOLS.join(', '),
        actual: `${show(constraint)}; missing: ${missing.join(', ')}`,
        pointer: '/details/constraint',
      }));
    }),
  }),

  // Rule 2
  '4.3/unlisted': must({
    title:
      'A symbol that is not listed in the requested country is refused with 400 and code 400001',
    clauses: ['4.3 rule 2', '4.3 listing matrix', '7 400001'],
    shownBy: 'a request for a symbol that is not listed in the requested country',
    rulings: [6],
    why: 'Clients must be able to distinguish an unlisted pair, such as LTC in HK, from an unknown symbol.',
    usually: [
      'The response is 200 with an empty list.',
      'The code is 400003, as if the symbol were unknown.',
    ],
    checks: unlisted((which) => `refuses ${which}`, { refused: 'invalidFormat' }),
    judge: refused('unlisted pair'),
  }),
  '4.3/unlisted-message': must({
    title: 'The refusal of an unlisted pair names its symbol and country in the stated form',
    clauses: ['4.3 rule 2'],
    shownBy: 'a refusal with status 400 of a symbol that is not listed in the requested country',
    rulings: [10],
    ...MESSAGE,
    checks: unlisted((which) => `says why ${which} is refused`),
    judge: judgeEach((view, context, it) => {
      if (!isRefusedFor('unlisted pair', view, context)) return;
      it.expect(view, isUnlistedMessage(view), () => ({
        kind: 'wrong-unlisted-message',
        expected: `"${unlistedMessages(view).at(-1)}"`,
        actual: show(messageOf(view)),
        pointer: '/message',
      }));
    }),
  }),
} as const satisfies Record<string, Definition>;
