import { folded } from '../../src/text/letter-case.ts';
import { isJudgeable, type Context } from '../../src/judge/context.ts';
import {
  detailsOf,
  sentDetails,
  isMislabelled,
  messageOf,
  isNotFound,
} from '../../src/judge/errors.ts';
import { expectationOf, soleError, type Wrong } from '../../src/judge/expectation.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeEach } from '../../src/judge/judge.ts';
import { isObject, type View } from '../../src/judge/view.ts';
import { BODIES, SEVERAL_ERRORS } from './bodies.ts';
import {
  validationDetails,
  validationMessage,
  faultOf,
  isUnlistedMessage,
  isValidationFailure,
} from '../families/validation.ts';
import { refused } from '../families/refusal.ts';
import { byWhichKey } from '../families/restricted-key-requests.ts';
import { check, each, part, type Check } from '../../src/ask/index.ts';
import {
  LEAVES,
  NEIGHBOURS,
  unknownNear,
  unknownPath,
  validationFailures,
  withoutInterval,
} from './requests.ts';
import {
  belowUnknown,
  malformed,
  OF_CURRENCY,
  unknownCurrency,
  IDENTIFIED,
  unknownResource,
} from './unknown-id-requests.ts';
import type { EndpointPath } from '../../src/spec/endpoints.ts';
import { CURRENCY_CODES, DETAILS, MESSAGE } from '../../src/requirements/advice.ts';
import { must, should, type Definition } from '../../src/requirements/definition.ts';
import { isMaintenance } from '../../src/judge/transport.ts';
import { STATUS } from '../../src/spec/finding.ts';

/** Keys of details for validation failures; §7 does not say which error has which. */
const VALIDATION_KEYS = ['field', 'value', 'issue', 'constraint', 'suggestion'] as const;

const saysSomething = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '';

/** Validation failures with specified details; not for ranges, unknown filters and §4.7 (ruling 10). */
const isInvalid = (view: View, context: Context): boolean =>
  isValidationFailure(view, context) &&
  (isUnlistedMessage(view) || faultOf(view, context) !== undefined);

/** Whether a value repeats what was sent: as text or number, trimmed, in another letter case, or truncated. */
function repeats(value: unknown, sent: string): boolean {
  if (typeof value === 'number')
    return value === Number(sent) || value === Math.trunc(Number(sent));
  if (Array.isArray(value)) return value.some((one) => repeats(one, sent)) || value.length > 1;
  if (typeof value !== 'string') return true;
  const [said, meant] = [value, sent].map((text) => folded(text.trim()));
  if (said === undefined || meant === undefined) return true;
  // Beyond 2^53, a number has other digits once it was parsed.
  if (said !== '' && Number(said) === Number(meant)) return true;
  return said === meant || (said.length >= 20 && meant.startsWith(said.replace(/[.…]+$/, '')));
}

const currency = ['currencyIds'] as const;
const OF_CURRENCY_ID = { rulings: [6], needs: currency, ...CURRENCY_CODES };

const MALFORMED = { refused: 'invalidFormat' } as const;
const NOT_FOUND = { refused: 'notFound' } as const;
const NO_ENDPOINT = { refused: 'unknownEndpoint' } as const;

const ETF: EndpointPath = '/etfs/{ticker}/history';
/** Requested in `full` only; as far as it has access, the restricted key covers them in `standard`. */
const OTHERS = IDENTIFIED.filter((path) => path !== ETF);

const BODY = {
  clauses: ['7 error body'],
  shownBy: 'a request refused for a missing or invalid parameter',
  rulings: [10],
};
const UNKNOWN = {
  clauses: ['7 400401', '4.4 ticker'],
  shownBy: 'a request for something known not to exist',
  rulings: [11],
};

/** Requests for unknown resources. */
const unknownResources = (options: Pick<Check, 'refused'> = {}): readonly Check[] => [
  ...each([ETF], '%s', (path, context) => unknownResource(context, path), options),
  ...each(OTHERS, '%s', byWhichKey(unknownResource), options),
];

/** Requirements of §7. */
export const ERROR_REQUIREMENTS = {
  ...BODIES,
  '7/malformed-currency-id': must({
    title: 'A malformed `currency_id` is refused with 400 and code 400001',
    clauses: ['7 400001'],
    shownBy:
      'a request with a malformed currency id, as fixtures.malformedCurrencyId in the target file',
    ...OF_CURRENCY_ID,
    checks: [
      check(malformed, MALFORMED),
      ...each(OF_CURRENCY, '%s', byWhichKey(malformed), MALFORMED),
    ],
    judge: refused('malformed currency_id'),
  }),
  '7/currency-not-found': must({
    title: 'An unknown `currency_id` is refused with 404 and code 400401',
    clauses: ['7 400401'],
    shownBy:
      'a request for a currency known not to exist, as fixtures.unknownCurrencyId in the target file',
    ...OF_CURRENCY_ID,
    checks: [
      check(unknownCurrency, NOT_FOUND),
      ...each(OF_CURRENCY, '%s', byWhichKey(belowUnknown), NOT_FOUND),
    ],
    judge: refused('unknown currency'),
  }),
  '7/currency-not-found-message': must({
    title: 'The message for an unknown currency is "Currency not found"',
    clauses: ['7 note 2'],
    shownBy:
      'a 404 to a request for a currency known not to exist, as fixtures.unknownCurrencyId in the target file',
    rulings: [10],
    needs: currency,
    ...MESSAGE,
    checks: [check(unknownCurrency)],
    judge: judgeEach((view, context, it) => {
      if (notFoundFor(view, context) !== 'unknown currency') return;
      it.expect(view, messageOf(view) === 'Currency not found', () => ({
        kind: 'wrong-not-found-message',
        expected: '"Currency not found"',
        actual: show(messageOf(view)),
        pointer: '/message',
      }));
    }),
  }),
  '7/unknown-path': must({
    title: 'An unknown path is refused with 404 and code 400402',
    clauses: ['7 400402'],
    shownBy:
      'a 404 to a request with a key for a path that does not exist, below a base URL that is set and not guessed',
    rulings: [6],
    why: 'The code distinguishes a wrong URL from a missing resource.',
    usually: [
      'The router returns its own 404, as HTML or with a different body.',
      'The key is checked per path, so an unknown path with a valid key gets 401 or 403.',
      'Unknown paths are redirected.',
    ],
    checks: [
      check(unknownPath, NO_ENDPOINT),
      ...each(NEIGHBOURS, 'next to %s, with the restricted key', unknownNear('next to')),
      ...each(LEAVES, 'below %s, with the restricted key', unknownNear('below')),
      ...each(NEIGHBOURS.slice(0, 1), 'next to %s', unknownNear('next to', true), NO_ENDPOINT),
    ],
    judge: refused('unknown path'),
  }),
  '7/validation-message': must({
    title:
      'Messages about validation failures begin with "Invalid parameter:" and the parameter name; messages about missing parameters name them',
    clauses: ['7 note 2'],
    shownBy: 'a request refused for a missing or invalid parameter other than `symbol`',
    rulings: [10],
    ...MESSAGE,
    checks: [check(withoutInterval), part('of a malformed currency_id', malformed)],
    judge: validationMessage,
  }),
  '7/validation-details': should({
    title: 'The details of a validation failure name the field',
    ...BODY,
    ...DETAILS,
    checks: [check(withoutInterval)],
    judge: validationDetails,
  }),
  '7/details-value': should({
    title: '`details.value` in a validation failure, where present, is the value that was sent',
    ...BODY,
    shownBy: 'a request refused for an invalid parameter, with `details.value`',
    why: 'The refused value helps to find the mistake; a different value is misleading.',
    usually: [
      'The value is shown after parsing, truncating or defaulting.',
      "Another parameter's value is shown.",
    ],
    checks: [check(validationFailures)],
    // §7, ruling 10: `details.value`, if present, is the value sent.
    judge: judgeEach((view, context, it) => {
      const faulty = faultOf(view, context);
      const { value, field } = detailsOf(view);
      // The message for an unlisted pair names two parameters, either of which may be the field.
      if (faulty === undefined || !saysSomething(value) || isUnlistedMessage(view)) return;
      const names = faulty.map(({ name }) => name);
      const asked = typeof field === 'string' && names.includes(field) ? [field] : names;
      const inPath = new Map(Object.entries(view.exchange.pathParameters));
      const sent = asked.flatMap((name) => view.query.get(name) ?? inPath.get(name) ?? []);
      // A missing parameter has no value to repeat.
      if (sent.length === 0) return;
      it.expect(
        view,
        sent.some((text) => repeats(value, text)),
        () => ({
          kind: 'details-other-value',
          expected: sent.map((text) => `details.value: ${show(text)}`).join(' or '),
          actual: `details.value: ${show(value)}`,
          pointer: '/details/value',
        }),
      );
    }),
  }),
  '7/details-keys': should({
    title: 'The details of an error contain at least one of the keys for that kind of error',
    ...BODY,
    shownBy: 'a request refused for an invalid parameter, or for something known not to exist',
    why: '`details` tells clients what is wrong, what is allowed and what to do.',
    usually: [
      'A framework builds errors with `code` and `message` only.',
      '`details` is filled for one kind of error and empty for the others.',
    ],
    checks: [check(validationFailures)],
    // §7, ruling 10: keys of details vary, so one of those listed for the kind of error is enough.
    judge: judgeEach((view, context, it) => {
      const invalid = isInvalid(view, context);
      if (!invalid && notFoundFor(view, context) === undefined) return;
      const keys = invalid ? VALIDATION_KEYS : ['suggestion'];
      const details = detailsOf(view);
      // Details may contain the offending value under another name, as §7 does for identifiers.
      const sent = [...Object.values(view.exchange.pathParameters), ...view.query.values()];
      const holds =
        keys.some((key) => saysSomething(details[key])) ||
        sent.some((text) => text !== '' && holdsText(details, text));
      it.expect(view, holds, () => ({
        kind: invalid ? 'details-without-invalid' : 'details-without-unknown',
        expected: `at least one of ${[...keys, 'the value that was sent'].join(', ')}`,
        actual: `details: ${show(sentDetails(view))}`,
        pointer: '/details',
      }));
    }),
  }),
  '7/not-found-details': should({
    title: 'The details of a not-found error contain the identifier',
    clauses: ['7 error body'],
    shownBy: 'a request for something known not to exist',
    rulings: [10],
    needs: currency,
    ...DETAILS,
    checks: [check(unknownCurrency)],
    judge: judgeEach((view, context, it) => {
      if (notFoundFor(view, context) === undefined) return;
      const sent = Object.values(view.exchange.pathParameters);
      const holds = sent.some((id) => holdsText(detailsOf(view), id));
      it.expect(view, holds, () => ({
        kind: 'details-without-id',
        expected: `a value ${sent.map((id) => `"${id}"`).join(' or ')} in details`,
        actual: show(sentDetails(view)),
        pointer: '/details',
      }));
    }),
  }),
  '7/unknown-resource': should({
    title: 'An unknown ticker, event, chart or project is refused with 404 and code 400401',
    ...UNKNOWN,
    why: 'An empty response to an unknown identifier looks like a day without data.',
    usually: ['The response is 200 with an empty list or null.', 'The code is 400001 or 400402.'],
    checks: unknownResources(NOT_FOUND),
    judge: refused('unknown resource'),
  }),
  '7/unknown-resource-no-record': must({
    title: 'An unknown ticker, event, chart or project returns neither a record nor a 5xx',
    ...UNKNOWN,
    why: 'A record for something that does not exist is made up, and a 5xx is an unhandled error.',
    usually: [
      'A default record with zeros is built when nothing is found.',
      'The lookup throws an unhandled exception.',
    ],
    checks: unknownResources(),
    judge: judgeEach((view, context, it) => {
      const expectation = expectationOf(view, context);
      if (expectation.kind !== 'refused') return;
      if (expectation.errors[0]?.wrong !== 'unknown resource') return;
      if (isMaintenance(view) || (view.status < 500 && !isJudgeable(view, context))) return;
      const expected = 'status 404 and code 400401 (or 40401), no record';
      if (view.status >= 500) {
        it.found(view, {
          kind: 'unknown-id-crashes',
          expected,
          actual: `status ${view.status}`,
          header: STATUS,
        });
        return;
      }
      if (view.ok && !view.isJson) return;
      const ids = Object.values(view.exchange.pathParameters);
      const none = !view.ok || isMislabelled(view) || !isRecord(view.body, ids);
      it.expect(view, none, () => ({
        kind: 'unknown-id-found',
        expected,
        actual: `status ${view.status} ${show(view.body)}`,
        pointer: '',
      }));
    }),
  }),
  ...SEVERAL_ERRORS,
} as const satisfies Record<string, Definition>;

/** Members that frame an answer and are not part of the resource. */
const FRAME = new Set(['page', 'page_size', 'total', 'limit', 'count', 'code', 'timestamp']);

/** Whether a body contains a figure or a list of objects. Repeating one of `ids` does not count (ruling 11). */
function isRecord(body: unknown, ids: readonly string[]): boolean {
  if (typeof body === 'number') return !ids.some((id) => Number(id) === body);
  if (typeof body === 'string') return FIGURE.test(body) && !ids.includes(body);
  if (Array.isArray(body)) {
    return body.some((one) => (isObject(one) ? Object.keys(one).length > 0 : isRecord(one, ids)));
  }
  if (!isObject(body)) return false;
  return Object.entries(body).some(([name, value]) => !FRAME.has(name) && isRecord(value, ids));
}

const FIGURE = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*%?$/i;

/** The error of a request whose only error is an unknown identifier, answered as not found. */
function notFoundFor(view: View, context: Context): Wrong | undefined {
  if (!isNotFound(view)) return undefined;
  // Not found in place of another error is judged as a wrong code.
  const error = soleError(view, context);
  return error?.error === 'notFound' ? error.wrong : undefined;
}

/** Whether a value equals or contains this text, in any letter case. */
function holdsText(value: unknown, id: string): boolean {
  if (typeof value === 'number') return String(value) === id;
  if (typeof value === 'string') return folded(value) === folded(id);
  if (Array.isArray(value)) return value.some((one) => holdsText(one, id));
  return isObject(value) && Object.values(value).some((one) => holdsText(one, id));
}
