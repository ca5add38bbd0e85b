import { ERRORS, type ErrorName } from '../../src/spec/error-codes.ts';
import type { Answer, Hooks } from '../../src/reference/hooks.ts';
import { isObject, textOf } from '../../src/reference/json.ts';
import {
  all,
  always,
  crashing,
  endpointIs,
  errorOf,
  not,
  onAnswer,
  onDetails,
  onError,
  over,
  type Condition,
} from '../../src/reference/vocabulary.ts';
import type { Json, JsonObject } from '../../src/reference/world.ts';
import { faultsOf, type Fault } from '../../src/reference/faults/fault.ts';

/** Changes the status of an error. */
export const restatus = (name: ErrorName, status: number, when: Condition = always): Hooks =>
  onAnswer(
    (answer, context) => errorOf(answer) === name && when(context),
    (answer) => ({ ...answer, status }),
  );

export const without = (name: string, { [name]: _removed, ...others }: JsonObject): JsonObject =>
  others;

export const keyLess: Condition = ({ apiKey }) => apiKey === undefined;

export const asInternal = (answer: Answer): Answer => ({
  ...answer,
  status: 500,
  value: { code: ERRORS.internal.code, message: 'Internal error', details: {} },
});

/** Answers to unknown paths below a prefix. */
const isBelow =
  (prefix: string) =>
  (answer: Answer): boolean =>
    errorOf(answer) === 'unknownEndpoint' &&
    isObject(answer.value) &&
    textOf(answer.value['details']).includes(prefix);

const ofCurrency: Condition = ({ path }) => 'currency_id' in path;

/** What is not found is refused with 400001. */
const asInvalid = (when: Condition): readonly Hooks[] => [
  restatus('notFound', 400, when),
  onError('notFound', { code: ERRORS.invalidFormat.code }, when),
];

const succeeding =
  (value: Json) =>
  (answer: Answer): Answer => ({ ...answer, status: 200, value });

/** Answers with this body instead of an error. */
const answering = (name: ErrorName, value: Json, when: Condition = always): Hooks =>
  onAnswer((answer, context) => errorOf(answer) === name && when(context), succeeding(value));

/** Faults in §7. */
export const ERROR_FAULTS: readonly Fault[] = faultsOf({
  'error-key-for-message': {
    title: 'Errors have `error` instead of `message`',
    kills: ['7/error-shape'],
    hooks: onError(undefined, ({ message = null, ...body }) => ({ ...body, error: message })),
  },
  'error-status-422-limit': {
    title: 'A limit above the maximum is refused with status 422 and code 400003',
    kills: ['7/status-agrees'],
    hooks: restatus('invalidValue', 422, over('limit', 100)),
  },
  'error-status-422': {
    title: 'Values outside an enum are refused with status 422',
    kills: ['7/status-agrees'],
    hooks: restatus('invalidValue', 422),
  },
  'error-code-unlisted': {
    title: 'A limit above the maximum is refused with code 400199',
    kills: ['7/code-listed'],
    hooks: onError('invalidValue', { code: 400199 }, over('limit', 100)),
  },
  'malformed-id-as-unknown': {
    title: 'A malformed currency_id is treated as unknown',
    kills: ['7/malformed-currency-id'],
    hooks: {
      path: (path) =>
        /^\d*$/.test(path['currency_id'] ?? '') ? path : { ...path, currency_id: '0' },
    },
  },
  'malformed-id-code': {
    title: 'A malformed currency_id of klines is refused with 400003',
    kills: ['7/malformed-currency-id'],
    profile: 'full',
    hooks: onError(
      'invalidFormat',
      { code: 400003 },
      endpointIs('/currencies/{currency_id}/klines'),
    ),
  },
  'unknown-currency-code': {
    title: 'An unknown currency_id is refused with 400001',
    kills: ['7/currency-not-found'],
    hooks: asInvalid(ofCurrency),
  },
  'unknown-currency-klines-empty': {
    title: 'Klines of an unknown currency return an empty array',
    kills: ['7/currency-not-found'],
    hooks: answering('notFound', [], endpointIs('/currencies/{currency_id}/klines')),
  },
  'unknown-currency-message': {
    title: 'The message for an unknown currency is "Not found"',
    kills: ['7/currency-not-found-message'],
    hooks: onError('notFound', { message: 'Not found' }, ofCurrency),
  },
  'unknown-path-answered': {
    title: 'A wrong path returns an empty object',
    kills: ['7/unknown-path'],
    hooks: answering('unknownEndpoint', {}),
  },
  'unknown-path-below-currency-crash': {
    title: 'A wrong path below a currency causes an internal error',
    kills: ['4/no-5xx'],
    hooks: onAnswer(isBelow('/currencies/'), asInternal),
  },
  'unknown-path-below-etf-crash': {
    title: 'A wrong path below an ETF causes an internal error',
    kills: ['4/no-5xx'],
    hooks: onAnswer(isBelow('/etfs/'), asInternal),
  },
  'unknown-path-below-index-empty': {
    title: 'A wrong path below an index returns an empty object',
    kills: ['7/unknown-path'],
    hooks: onAnswer(isBelow('/indices/'), succeeding({})),
  },
  'unknown-path-below-klines-empty': {
    title: 'A wrong path below klines returns an empty array',
    kills: ['7/unknown-path'],
    profile: 'full',
    hooks: onAnswer(isBelow('/klines/'), succeeding([])),
  },
  'misspelt-index-crash': {
    title: 'An index ticker with characters other than letters causes an internal error',
    kills: ['4/no-5xx'],
    profile: 'full',
    hooks: crashing(({ path }) => /\W/.test(path['index_ticker'] ?? '')),
  },
  'unknown-path-as-resource': {
    title: 'A wrong path is refused with 400401',
    kills: ['7/unknown-path'],
    hooks: onError('unknownEndpoint', { code: ERRORS.notFound.code }),
  },
  'validation-message-other-name': {
    title: 'The message about a missing `interval` names `limit`',
    kills: ['7/validation-message'],
    hooks: onError(
      'missingParameter',
      { message: 'Invalid parameter: limit' },
      endpointIs('/currencies/{currency_id}/klines'),
    ),
  },
  'validation-details-no-field': {
    title: 'The details for values outside an enum do not name the field',
    kills: ['7/validation-details'],
    hooks: onDetails('invalidValue', (details) => without('field', details)),
  },
  'validation-message-error-first': {
    title: 'The message about a wrong value begins with "Bad request"',
    kills: ['7/validation-message'],
    hooks: onError(
      'invalidValue',
      (body) => ({ ...body, message: `Bad request. ${textOf(body['message'])}` }),
      ({ query }) => query.has('interval'),
    ),
  },
  'validation-details-other-value': {
    title: 'details.value for a symbol outside the enum is BTC',
    kills: ['7/details-value'],
    hooks: onDetails('invalidValue', (details) =>
      details['field'] === 'symbol' ? { ...details, value: 'BTC' } : details,
    ),
  },
  'unlisted-details-empty': {
    title: 'The details for an unlisted pair are empty',
    kills: ['7/details-keys'],
    hooks: onError('invalidFormat', (body) =>
      textOf(body['message']).startsWith('Unsupported ETF category')
        ? { ...body, details: {} }
        : body,
    ),
  },
  'validation-details-empty': {
    title: 'The details for a missing parameter are empty',
    kills: ['7/details-keys', '7/validation-details'],
    hooks: onDetails('missingParameter', () => ({})),
  },
  'not-found-details-empty': {
    title: 'The details for an unknown currency are empty',
    kills: ['7/not-found-details', '7/details-keys'],
    hooks: onDetails('notFound', () => ({}), ofCurrency),
  },
  'unknown-resource-400': {
    title: 'Unknown tickers and names are refused with 400001',
    kills: ['7/unknown-resource'],
    hooks: asInvalid(not(ofCurrency)),
  },
  'unknown-etf-made-up': {
    title: 'An unknown ETF returns the history of another one',
    kills: ['7/unknown-resource-no-record'],
    needsData: true,
    hooks: {
      path: (path, { world, endpoint }) => {
        const { ticker } = path;
        if (ticker === undefined || endpoint !== '/etfs/{ticker}/history') return path;
        const known = world.etfs.map((etf) => etf.ticker);
        return known.includes(ticker) ? path : { ...path, ticker: known[0] ?? ticker };
      },
    },
  },
  'unknown-etf-empty': {
    title: 'An unknown ETF returns an empty history',
    kills: ['7/unknown-resource'],
    hooks: answering('notFound', [], endpointIs('/etfs/{ticker}/history')),
  },
  'unknown-stock-made-up': {
    title: 'An unknown stock returns the snapshot of another one',
    kills: ['7/unknown-resource-no-record'],
    profile: 'full',
    needsData: true,
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
    title: 'An unknown chart causes an internal error',
    kills: ['7/unknown-resource-no-record', '4/no-5xx'],
    profile: 'full',
    needsData: true,
    hooks: crashing(
      all(
        endpointIs('/analyses/{chart_name}'),
        not(({ path, world }) => world.chartNames.includes(path['chart_name'] ?? '')),
      ),
    ),
  },
});
