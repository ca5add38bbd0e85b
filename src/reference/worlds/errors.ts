import { ERRORS } from '../../spec/error-codes.ts';
import { endpoint, ENDPOINT_PATHS } from '../../spec/endpoints.ts';
import { isObject, textOf } from '../json.ts';
import { malformed, Refusal } from '../refusal.ts';
import { endpointIs, onAnswer, onError, onQuery } from '../vocabulary.ts';
import type { FurtherAnswers } from './allowed.ts';
import { changing, dimension, type Choice, type Dimension } from './dimension.ts';

const message = (
  name: 'missingParameter' | 'invalidFormat' | 'invalidValue',
  say: (field: string, details: Readonly<Record<string, unknown>>) => string,
) =>
  onError(name, (body) => {
    const details = body['details'];
    const field = isObject(details) ? details['field'] : undefined;
    const isValidation = textOf(body['message']).startsWith('Invalid parameter');
    return isObject(details) && typeof field === 'string' && isValidation
      ? { ...body, message: say(field, details) }
      : body;
  });

/** Names of the parameters of each endpoint that states them. */
const KNOWN = new Map<string, ReadonlySet<string>>(
  ENDPOINT_PATHS.flatMap((path) => {
    const names = Object.keys(endpoint(path).query);
    return names.length === 0 ? [] : [[path, new Set(names)]];
  }),
);

const missing = (say: (field: string) => string): Choice =>
  changing({ hooks: message('missingParameter', say) });
const validation = (
  say: (field: string, details: Readonly<Record<string, unknown>>) => string,
): Choice => changing({ hooks: [message('invalidFormat', say), message('invalidValue', say)] });

/** Requests that a firewall in front of the service does not let through. */
const suspicious = (
  url: ReadonlyMap<string, string>,
  path: Readonly<Record<string, string>>,
): boolean =>
  /[<>'"`;\\\0]|\.\.|--|\b(?:select|union|script)\b/i.test(
    [...url.values(), ...Object.values(path)].join(' '),
  );

export const ERROR_ANSWERS: FurtherAnswers = {
  'order of path and key': {
    'parameters-before-key': changing({ settings: { firstCheck: 'request' } }),
  },
  'form of codes': {
    // §7 note 1 shows it as the generic example.
    'generic-on-validation': changing({
      hooks: onAnswer(
        (answer) => answer.status === 400,
        (answer) =>
          isObject(answer.value)
            ? { ...answer, value: { ...answer.value, code: ERRORS.invalidFormat.twin } }
            : answer,
      ),
    }),
  },
  'beyond the window': {
    'refused-in-own-words': changing({
      settings: { beyondWindow: 'refuse' },
      hooks: onAnswer(
        ({ status, value }) =>
          status === 400 &&
          isObject(value) &&
          isObject(value['details']) &&
          textOf(value['details']['constraint']).startsWith('most recent'),
        (answer) => ({
          ...answer,
          value: {
            code: ERRORS.invalidValue.code,
            message: 'The requested period is not available in your plan',
            details: {},
          },
        }),
      ),
    }),
  },
};

/** How refusals are worded, and what is refused besides (§5, §7, rulings 8 to 11, 16, 20). */
export const ERROR_DIMENSIONS: readonly Dimension[] = [
  dimension('message-of-missing-parameters', 'invalid-parameter', {
    'missing-required-parameter': missing((field) => `Missing required parameter: ${field}`),
    'is-required': missing((field) => `${field} is required`),
    'sentence-with-quotes': missing((field) => `The query parameter "${field}" is missing.`),
    'upper-case-start': missing((field) => `Parameter '${field}' must not be empty`),
    'all-at-once': changing({
      hooks: onError('missingParameter', (body, { query, endpoint: path }) => {
        if (path !== '/news/featured' && path !== '/etfs/summary-history') return body;
        const required =
          path === '/news/featured' ? ['page', 'page_size'] : ['symbol', 'country_code'];
        // What came empty may count as missing.
        const gone = required.filter((name) => (query.get(name) ?? '') === '');
        return { ...body, message: `Missing required parameters: ${gone.join(', ')}` };
      }),
    }),
  }),
  dimension('message-of-wrong-parameters', 'name-only', {
    'with-constraint': validation(
      (field, { constraint, issue }) =>
        `Invalid parameter: ${field}: ${textOf(JSON.stringify(constraint ?? issue ?? ''))}`,
    ),
    'with-value': validation(
      (field, { value }) => `Invalid parameter: ${field} (got ${JSON.stringify(value)})`,
    ),
    'with-full-stop': validation((field) => `Invalid parameter: ${field}.`),
    'with-hint': validation((field) => `Invalid parameter: ${field}, see the documentation`),
  }),
  dimension('unknown-country', 'not-allowed', {
    'as-unsupported-category': changing({
      hooks: onError(
        'invalidValue',
        (body, { query }) =>
          textOf(body['message']) === 'Invalid parameter: country_code'
            ? {
                code: ERRORS.invalidFormat.code,
                message: `Unsupported ETF category: symbol=${query.get('symbol')?.toUpperCase()}, country_code=${query.get('country_code')?.toUpperCase()}`,
                details: {
                  field: 'country_code',
                  value: query.get('country_code') ?? '',
                  issue: 'No such listing.',
                  suggestion: 'Use US or HK.',
                },
              }
            : body,
        endpointIs('/etfs/summary-history'),
      ),
    }),
  }),
  dimension('message-of-unknown-resources', 'not-found', {
    'with-the-identifier': changing({
      hooks: onError('notFound', (body, { path, endpoint: template }) =>
        template?.startsWith('/currencies/') === true
          ? body
          : { ...body, message: `No data for ${Object.values(path).join()}` },
      ),
    }),
  }),
  dimension('access', 'before-parameters', {
    'after-parameters': changing({ settings: { accessCheck: 'after-parameters' } }),
  }),
  dimension('letter-case-and-blanks-of-values', 'exact', {
    trimmed: changing({
      hooks: onQuery(
        () => true,
        (query) => {
          for (const [name, value] of query) query.set(name, value.trim());
        },
      ),
    }),
    folded: changing({
      hooks: onQuery(
        () => true,
        (query) => {
          for (const name of ['interval', 'language']) {
            const value = query.get(name);
            if (value !== undefined) query.set(name, value.toLowerCase());
          }
        },
      ),
    }),
    'trimmed-and-folded': changing({
      hooks: onQuery(
        () => true,
        (query) => {
          for (const [name, value] of query) {
            const folds = name === 'interval' || name === 'language';
            query.set(name, folds ? value.trim().toLowerCase() : value.trim());
          }
        },
      ),
    }),
  }),
  dimension('empty-values', 'wrong', {
    'as-if-missing': changing({
      hooks: onQuery(
        () => true,
        (query) => {
          for (const [name, value] of query) if (value === '') query.delete(name);
        },
      ),
    }),
  }),
  dimension('unknown-parameters', 'ignored', {
    refused: changing({
      hooks: {
        query(query, { endpoint: path }) {
          const known = KNOWN.get(path ?? '');
          for (const [name, value] of query) {
            if (known !== undefined && !known.has(name)) {
              throw malformed(name, value, 'There is no such parameter.', 'Leave it out.');
            }
          }
          return query;
        },
      },
    }),
  }),
  dimension('open-endpoints', 'without-parameters', {
    // What they need is not stated, and how they ask for it neither.
    'demand-a-parameter': changing({
      hooks: onQuery(endpointIs('/macro/events', '/etfs', '/fundraising/projects'), (query) => {
        if (!query.has('scope')) {
          throw new Refusal('missingParameter', 'scope missing', { hint: 'scope=all' });
        }
      }),
    }),
  }),
  dimension('firewall', 'none', {
    'in-front': changing({
      hooks: onAnswer(
        (_answer, { query, path }) => suspicious(query, path),
        (answer) => ({
          ...answer,
          status: 403,
          headers: {
            date: answer.headers['date'] ?? '',
            'content-type': 'text/html',
            server: 'shield',
          },
          text: '<html><head><title>403 Forbidden</title></head><body>Request blocked.</body></html>',
        }),
      ),
    }),
  }),
  dimension('details', 'usual', {
    'with-more-keys': changing({
      hooks: onError(undefined, (body) => {
        const details = body['details'];
        return isObject(details)
          ? {
              ...body,
              details: { ...details, request_id: 'a1b2', docs: 'https://docs.example.com' },
            }
          : body;
      }),
    }),
  }),
];
