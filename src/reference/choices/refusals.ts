import { ERRORS, errorNamed, type ErrorName } from '../../spec/error-codes.ts';
import { isObject, textOf } from '../json.ts';
import type { JsonObject } from '../world.ts';
import { endpointIs, errorOf, onAnswer, onDetails, onError } from '../vocabulary.ts';
import { dimension, variant, type Choice, type Dimension } from './choice.ts';

/** The parameter that an error is about. */
function fieldOf({ details }: JsonObject): string | undefined {
  const field = isObject(details) ? details['field'] : undefined;
  return typeof field === 'string' ? field : undefined;
}

/** Words the messages of some errors about a parameter. */
const worded = (names: readonly ErrorName[], say: (field: string) => string): Choice => ({
  hooks: names.map((name) =>
    onError(name, (body) => {
      const field = fieldOf(body);
      const isValidation = textOf(body['message']).startsWith('Invalid parameter');
      return field !== undefined && isValidation ? { ...body, message: say(field) } : body;
    }),
  ),
});

/** Refuses a missing key with another code. */
const keyless = (code: number): Choice =>
  onError(
    'invalidKey',
    (body) => ({ ...body, code }),
    ({ apiKey }) => apiKey === undefined,
  );

/** How refusals are worded, what is checked first, and what else is refused (§4.3, §5, §7, rulings 8 to 11, 16, 20). */
export const REFUSALS: readonly Dimension[] = [
  dimension('message-of-missing-parameters', 'invalid-parameter', {
    'missing-parameter-in-words': variant(
      'The message for a missing parameter is a sentence with its name',
      worded(['missingParameter'], (field) => `Missing required parameter: ${field}`),
    ),
  }),
  dimension('message-of-wrong-parameters', 'name-only', {
    'validation-message-goes-on': variant(
      'The message for a wrong value explains it after the name',
      worded(
        ['invalidFormat', 'invalidValue'],
        (field) => `Invalid parameter: ${field}. The value is not allowed.`,
      ),
    ),
  }),
  dimension('form-of-codes', 'six-digits', {
    'five-digit-codes': variant(
      'Error codes have five digits',
      onError(undefined, (body) => {
        const name = errorNamed(Number(body['code']));
        return name === undefined ? body : { ...body, code: ERRORS[name].twin };
      }),
    ),
    // §7 note 1 shows it as the generic example.
    'generic-validation-code': variant(
      'Every validation failure has the generic code 40001',
      onAnswer(
        (answer) => answer.status === 400 && errorOf(answer) !== undefined,
        (answer) =>
          isObject(answer.value)
            ? { ...answer, value: { ...answer.value, code: ERRORS.invalidFormat.twin } }
            : answer,
      ),
    ),
  }),
  dimension('refusal-of-an-unknown-country', 'not-allowed', {
    'unknown-country-unsupported': variant(
      'An unknown country is refused like an unlisted pair',
      onError(
        'invalidValue',
        (body, { query }) =>
          fieldOf(body) === 'country_code'
            ? {
                code: ERRORS.invalidFormat.code,
                message: `Unsupported ETF category: symbol=${query.get('symbol')?.toUpperCase()}, country_code=${query.get('country_code')?.toUpperCase()}`,
                details: { issue: 'not listed' },
              }
            : body,
        endpointIs('/etfs/summary-history'),
      ),
    ),
  }),
  dimension('case-in-the-message-on-an-unlisted-pair', 'upper', {
    'unlisted-as-sent': variant(
      'The message for an unlisted pair repeats symbol and country_code as sent',
      onError(
        'invalidFormat',
        (body, { query }) =>
          textOf(body['message']).startsWith('Unsupported ETF category')
            ? {
                ...body,
                message: `Unsupported ETF category: symbol=${query.get('symbol')}, country_code=${query.get('country_code')}`,
              }
            : body,
        endpointIs('/etfs/summary-history'),
      ),
    ),
  }),
  dimension('order-of-path-and-key', 'key-first', {
    'path-before-key': variant('An unknown path is refused before the key is checked', {
      settings: { firstCheck: 'path' },
    }),
    'request-before-key': variant('Parameters are validated before the key', {
      settings: { firstCheck: 'request' },
    }),
  }),
  dimension('code-for-a-missing-key', 'invalid-key', {
    'missing-key-as-parameter': variant(
      'A missing key is refused with 401 and code 400002',
      keyless(ERRORS.missingParameter.code),
    ),
    'missing-key-as-expired': variant(
      'A missing key is refused with 401 and code 400102',
      keyless(ERRORS.expiredKey.code),
    ),
  }),
  dimension('other-methods', 'unknown-endpoint', {
    'method-not-allowed': variant('Methods other than GET get 405', {
      settings: { methods: 'not-allowed' },
    }),
    'head-answered': variant('HEAD works like GET, without a body; other methods get 405', {
      settings: { methods: 'head-like-get' },
    }),
  }),
  dimension('details-of-errors', 'usual', {
    'details-that-vary': variant(
      'Error details contain a suggestion or an issue, not both, and include the value only if it is short',
      onDetails(undefined, (details) => {
        const { suggestion, issue, value, ...kept } = details;
        const short = value !== undefined && textOf(value).length < 5;
        return {
          ...kept,
          ...(short && { value }),
          ...(suggestion === undefined || details['constraint'] !== undefined
            ? { ...(issue !== undefined && { issue }) }
            : { suggestion }),
        };
      }),
    ),
    'details-without-suggestions': variant(
      'Error details contain field, issue and constraint, or the identifier, but no suggestion',
      onDetails(undefined, ({ suggestion: _suggestion, value: _value, ...kept }) => kept),
    ),
  }),
];
