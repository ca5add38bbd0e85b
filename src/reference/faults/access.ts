import { ENDPOINT_PATHS } from '../../contract/endpoints.ts';
import { ERRORS } from '../../contract/error-codes.ts';
import type { ErrorName } from '../../contract/error-codes.ts';
import { isObject, textOf } from '../json.ts';
import type { Answer, Context, Hooks } from '../hooks.ts';
import {
  afterReset,
  always,
  all,
  crashing,
  endpointIs,
  errorOf,
  not,
  onAnswer,
  onBody,
  onDetails,
  onError,
  under,
  withHeader,
} from '../vocabulary.ts';
import type { Condition } from '../vocabulary.ts';
import type { JsonObject } from '../world.ts';
import { faultsOf } from './fault.ts';
import type { Fault } from './fault.ts';

/** Sends another status with an error. */
const restatus = (name: ErrorName, status: number, when: Condition = always): Hooks =>
  onAnswer(
    (answer, context) => errorOf(answer) === name && when(context),
    (answer) => ({ ...answer, status }),
  );
const recode = (name: ErrorName, code: number, when: Condition = always): Hooks =>
  onError(name, (body) => ({ ...body, code }), when);
const isError = (answer: Answer): boolean => answer.status >= 400;
const without = (name: string, { [name]: _removed, ...others }: JsonObject): JsonObject => others;
const keyLess: Condition = ({ apiKey }) => apiKey === undefined;
const stranger: Condition = ({ apiKey, key }) => apiKey !== undefined && key === undefined;

/** Lets requests in that have no good key, as if their key were a valid one of its own. */
const admitting = (when: (context: Context) => boolean): Hooks => ({
  key: (key, context) =>
    when(context)
      ? {
          key: `admitted:${context.apiKey ?? ''}`,
          role: 'valid',
          state: 'active',
          forbidden: new Set(),
          usage: { requests: 0, admitted: 0, limited: 0 },
        }
      : key,
});

/** Defects of §4 in general, §5 and §7. */
export const ACCESS_FAULTS: readonly Fault[] = [
  ...faultsOf('4', {
    'body-trailing-comma': {
      title: 'The chart list is not valid JSON',
      kills: ['4/json-body'],
      hooks: onAnswer(
        (answer, context) => answer.status === 200 && endpointIs('/analyses')(context),
        (answer) => ({ ...answer, text: `${JSON.stringify(answer.value).slice(0, -1)},]` }),
      ),
    },
    'content-type-html': {
      title: 'JSON is served as text/html',
      kills: ['4/content-type'],
      hooks: onAnswer(
        () => true,
        (answer) => withHeader(answer, 'content-type', 'text/html; charset=utf-8'),
      ),
    },
    'content-type-errors-plain': {
      title: 'Errors are served as text/plain',
      kills: ['4/content-type'],
      subtle: true,
      hooks: onAnswer(isError, (answer) => withHeader(answer, 'content-type', 'text/plain')),
    },
    'envelope-around-lists': {
      title: 'Bodies of macro endpoints are wrapped in code, message and data',
      kills: ['4/bare-body'],
      subtle: true,
      hooks: onBody(under('/macro/events/{event}'), (value) => ({
        code: 0,
        message: 'success',
        data: value,
      })),
    },
    'index-list-crash-after-reset': {
      title: 'After the first reset the index list is an internal error',
      kills: ['4/no-5xx'],
      subtle: true,
      hooks: crashing(all(endpointIs('/indices'), afterReset)),
    },
  }),
  ...faultsOf('5', {
    'no-key-admitted': {
      title: 'Requests without a key are answered',
      kills: ['5/key-required'],
      hooks: admitting(keyLess),
    },
    'no-key-admitted-hot-news': {
      title: 'Hot news is answered without a key',
      kills: ['5/key-required'],
      subtle: true,
      hooks: admitting(all(keyLess, endpointIs('/news/hot'))),
    },
    'no-key-400': {
      title: 'A missing key is refused with 400',
      kills: ['5/key-required'],
      hooks: restatus('invalidKey', 400, keyLess),
    },
    'unknown-key-admitted': {
      title: 'Unknown keys are answered',
      kills: ['5/unknown-key'],
      hooks: admitting(stranger),
    },
    'unknown-key-admitted-charts': {
      title: 'Chart data is answered with unknown keys',
      kills: ['5/unknown-key'],
      subtle: true,
      hooks: admitting(all(stranger, endpointIs('/analyses/{chart_name}'))),
    },
    'unknown-key-403': {
      title: 'Unknown keys are refused with 403',
      kills: ['5/unknown-key'],
      hooks: restatus('invalidKey', 403, stranger),
    },
    'disabled-key-admitted': {
      title: 'Disabled keys work',
      kills: ['5/disabled-key'],
      hooks: {
        key: (key) => (key?.state === 'disabled' ? { ...key, state: 'active' } : key),
      },
    },
    'disabled-key-as-expired': {
      title: 'Disabled keys are refused as expired',
      kills: ['5/disabled-key'],
      subtle: true,
      hooks: { key: (key) => (key?.state === 'disabled' ? { ...key, state: 'expired' } : key) },
    },
    'expired-key-as-unknown': {
      title: 'Expired keys are refused like unknown ones',
      kills: ['5/expired-key'],
      hooks: { key: (key) => (key?.state === 'expired' ? undefined : key) },
    },
    'expired-key-admitted-after-reset': {
      title: 'Expired keys work again after the first reset',
      kills: ['5/expired-key'],
      subtle: true,
      hooks: {
        key: (key, context) =>
          key?.state === 'expired' && afterReset(context) ? { ...key, state: 'active' } : key,
      },
    },
    'forbidden-admitted': {
      title: 'Restricted keys may call everything',
      kills: ['5/forbidden'],
      hooks: {
        key: (key) => (key?.role === 'restricted' ? { ...key, forbidden: new Set() } : key),
      },
    },
    'forbidden-as-401': {
      title: 'Lack of access is refused with 401',
      kills: ['5/forbidden'],
      hooks: restatus('forbidden', 401),
    },
    'forbidden-everywhere': {
      title: 'Restricted keys may call nothing',
      kills: ['5/restricted-elsewhere'],
      hooks: {
        key: (key) =>
          key?.role === 'restricted' ? { ...key, forbidden: new Set(ENDPOINT_PATHS) } : key,
      },
    },
    'auth-header-name': {
      title: 'details.header names Authorization',
      kills: ['5/details-header'],
      hooks: onDetails('invalidKey', (details) => ({ ...details, header: 'Authorization' })),
    },
    'auth-header-missing-on-403': {
      title: 'Refusals for lack of access have no details.header',
      kills: ['5/details-header'],
      subtle: true,
      hooks: onDetails('forbidden', (details) => without('header', details)),
    },
    'key-header-mixed-case': {
      title: 'The key header is found in upper and lower case, not in X-Api-Key',
      kills: ['5/header-case'],
      subtle: true,
      hooks: {
        key: (key, { rawHeaders }) => (rawHeaders.includes('X-Api-Key') ? undefined : key),
      },
    },
    'auth-no-solution': {
      title: 'Authentication errors have no details.solution',
      kills: ['5/details-solution'],
      hooks: onDetails('invalidKey', (details) => without('solution', details)),
    },
  }),
  ...faultsOf('7', {
    'error-key-for-message': {
      title: 'Errors say error in place of message',
      kills: ['7/error-shape'],
      hooks: onError(undefined, ({ message = null, ...body }) => ({ ...body, error: message })),
    },
    'error-code-text': {
      title: 'Codes are strings',
      kills: ['7/error-shape'],
      hooks: onError(undefined, (body) => ({ ...body, code: textOf(body['code']) })),
    },
    'error-details-null-404': {
      title: 'details is null when nothing is found',
      kills: ['7/error-shape'],
      subtle: true,
      hooks: onError('notFound', (body) => ({ ...body, details: null })),
    },
    'error-status-200': {
      title: 'Validation errors have status 200',
      kills: ['7/status-agrees'],
      hooks: onAnswer(
        (answer) => answer.status === 400,
        (answer) => ({ ...answer, status: 200 }),
      ),
    },
    'error-status-422': {
      title: 'Values outside an enum have status 422',
      kills: ['7/status-agrees'],
      subtle: true,
      hooks: restatus('invalidValue', 422),
    },
    'error-code-unlisted': {
      title: 'Bad dates are refused with code 400009',
      kills: ['7/code-listed'],
      subtle: true,
      hooks: recode('invalidFormat', 400009, ({ query }) => query.has('start_date')),
    },
    'malformed-id-as-unknown': {
      title: 'A malformed currency_id is treated as unknown',
      kills: ['7/malformed-currency-id'],
      hooks: { path: (path) => withCurrency(path, (id) => (/^\d+$/.test(id) ? id : '0')) },
    },
    'malformed-id-code': {
      title: 'A malformed currency_id of klines is refused with 400003',
      kills: ['7/malformed-currency-id'],
      subtle: true,
      hooks: recode('invalidFormat', 400003, endpointIs('/currencies/{currency_id}/klines')),
    },
    'unknown-currency-code': {
      title: 'An unknown currency_id is refused with 400001',
      kills: ['7/currency-not-found'],
      hooks: onAnswer(
        (answer, context) => errorOf(answer) === 'notFound' && 'currency_id' in context.path,
        (answer) => ({
          ...answer,
          status: 400,
          value: isObject(answer.value)
            ? { ...answer.value, code: ERRORS.invalidFormat.code }
            : answer.value,
        }),
      ),
    },
    'unknown-currency-message': {
      title: 'The message for an unknown currency is Not found',
      kills: ['7/currency-not-found-message'],
      hooks: onError(
        'notFound',
        (body) => ({ ...body, message: 'Not found' }),
        ({ path }) => 'currency_id' in path,
      ),
    },
    'unknown-path-as-resource': {
      title: 'A wrong path is refused with 400401',
      kills: ['7/unknown-path'],
      hooks: recode('unknownEndpoint', ERRORS.notFound.code),
    },
    'validation-message-plain': {
      title: 'Messages of missing parameters do not name the parameter',
      kills: ['7/validation-message'],
      hooks: onError('missingParameter', (body) => ({ ...body, message: 'Missing parameter' })),
    },
    'validation-details-no-field': {
      title: 'The details of values outside an enum do not name the field',
      kills: ['7/validation-details'],
      hooks: onDetails('invalidValue', (details) => without('field', details)),
    },
    'not-found-details-empty': {
      title: 'The details of an unknown currency are empty',
      kills: ['7/not-found-details'],
      hooks: onDetails(
        'notFound',
        () => ({}),
        ({ path }) => 'currency_id' in path,
      ),
    },
    'unknown-resource-400': {
      title: 'Unknown tickers and names are refused with 400001',
      kills: ['7/unknown-resource'],
      hooks: onAnswer(
        (answer, context) => errorOf(answer) === 'notFound' && !('currency_id' in context.path),
        (answer) => ({
          ...answer,
          status: 400,
          value: isObject(answer.value)
            ? { ...answer.value, code: ERRORS.invalidFormat.code }
            : answer.value,
        }),
      ),
    },
    'unknown-stock-made-up': {
      title: 'An unknown stock gets the snapshot of another one',
      kills: ['7/unknown-resource-no-record'],
      hooks: {
        path: (path, { world }) => {
          const ticker = path['stock_ticker'];
          return ticker === undefined || world.stockTickers.includes(ticker)
            ? path
            : { ...path, stock_ticker: world.stockTickers[0] ?? ticker };
        },
      },
    },
    'unknown-chart-crash': {
      title: 'An unknown chart is an internal error',
      kills: ['7/unknown-resource-no-record', '4/no-5xx'],
      subtle: true,
      hooks: crashing(
        all(
          endpointIs('/analyses/{chart_name}'),
          not(({ path, world }) => world.chartNames.includes(path['chart_name'] ?? '')),
        ),
      ),
    },
  }),
];

function withCurrency(
  path: Context['path'],
  change: (currencyId: string) => string,
): Context['path'] {
  const { currency_id: currencyId } = path;
  return currencyId === undefined ? path : { ...path, currency_id: change(currencyId) };
}
