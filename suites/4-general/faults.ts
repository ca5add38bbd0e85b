import type { Answer } from '../../src/reference/hooks.ts';
import {
  afterReset,
  all,
  always,
  crashing,
  endpointIs,
  onAnswer,
  onBody,
  onSuccess,
  under,
  withHeader,
  type Condition,
} from '../../src/reference/vocabulary.ts';
import type { Json } from '../../src/reference/world.ts';
import { faultsOf, type Fault } from '../../src/reference/faults/fault.ts';

const isError = (answer: Answer): boolean => answer.status >= 400;

const wrapped = (value: Json): Json => ({ code: 0, message: 'success', data: value });

/** The identifier in the path matches. */
const written =
  (form: RegExp): Condition =>
  ({ path }) =>
    Object.values(path).some((id) => form.test(id));

/** General faults (§4). */
export const GENERAL_FAULTS: readonly Fault[] = faultsOf({
  'body-trailing-comma': {
    title: 'The chart list is not valid JSON',
    kills: ['4/json-body'],
    hooks: onSuccess(endpointIs('/analyses'), (answer) => ({
      ...answer,
      text: `${JSON.stringify(answer.value).slice(0, -1)},]`,
    })),
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
    hooks: onAnswer(isError, (answer) => withHeader(answer, 'content-type', 'text/plain')),
  },
  'body-empty-on-refusal': {
    title: 'Refusals of unknown keys have no body',
    kills: ['4/json-body'],
    hooks: onAnswer(
      (answer, { apiKey, key }) =>
        answer.status === 401 && apiKey !== undefined && key === undefined,
      (answer) => ({ ...answer, text: '' }),
    ),
  },
  'envelope-everywhere': {
    title: 'Every successful body is wrapped in an object with `code`, `message` and `data`',
    kills: ['4/bare-body'],
    hooks: onBody(always, wrapped),
  },
  'envelope-around-lists': {
    title: 'Macro endpoints wrap their bodies in an object with `code`, `message` and `data`',
    kills: ['4/bare-body'],
    hooks: onBody(under('/macro/events/{event}'), wrapped),
  },
  'history-of-no-such-day-crashes': {
    title: 'GET /etfs/{ticker}/history crashes on the 30th of February',
    kills: ['4/no-5xx'],
    hooks: crashing(
      all(
        endpointIs('/etfs/{ticker}/history'),
        ({ query }) => query.get('start_date')?.endsWith('-02-30') === true,
      ),
    ),
  },
  'index-list-crash-after-reset': {
    title: 'After the first reset, the index list returns an internal error',
    kills: ['4/no-5xx'],
    hooks: crashing(all(endpointIs('/indices'), afterReset)),
  },
  'index-short-crashes': {
    title: 'A two-letter index ticker causes an internal error in the constituents',
    kills: ['4/no-5xx'],
    needsData: true,
    hooks: crashing(all(endpointIs('/indices/{index_ticker}/constituents'), written(/^..$/))),
  },
  'index-payfi-constituents-crash': {
    title: 'The constituents of one index return an internal error',
    kills: ['4/no-5xx'],
    profile: 'full',
    needsData: true,
    hooks: crashing(all(endpointIs('/indices/{index_ticker}/constituents'), written(/^PAYFI$/))),
  },
  'sector-payments-crashes': {
    title: 'The index of the sector Payments returns an internal error',
    kills: ['4/no-5xx'],
    profile: 'full',
    needsData: true,
    hooks: crashing(
      all(endpointIs('/crypto-stocks/sector/{sector_name}/index'), written(/^Payments$/)),
    ),
  },
});
