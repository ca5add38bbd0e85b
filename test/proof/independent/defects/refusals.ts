import type { Hooks } from '../conduct/hooks.ts';
import type { Call } from '../core/call.ts';
import { isObject, type JsonObject } from '../core/json.ts';

import type { Defect } from './defect.ts';
import {
  answer,
  codeOf,
  errors,
  FEATURED,
  isOf,
  KLINES,
  mild,
  plain,
  STOCK_KLINES,
  subtle,
  SUMMARY,
  said,
  recoded,
} from './tools.ts';

const VALIDATION = [400001, 400002, 400003];
const ALL = [...VALIDATION, 400101, 400102, 400301, 400401, 400402, 402901];

function message(codes: readonly number[], change: (was: string, call: Call) => string): Hooks {
  return errors(codes, (body, call) => {
    body['message'] = change(said(body['message']), call);
  });
}

function detail(codes: readonly number[], change: (details: JsonObject) => JsonObject): Hooks {
  return errors(codes, (body) => {
    if (isObject(body['details'])) body['details'] = change(body['details']);
  });
}

const SHAPE: readonly Defect[] = [
  plain(
    'error-code-text',
    'Codes of errors are texts.',
    errors(ALL, (body) => {
      body['code'] = said(body['code']);
    }),
  ),
  plain(
    'error-code-status',
    'Codes of errors are the status.',
    errors(ALL, (body, _call, reply) => {
      body['code'] = reply.status;
    }),
  ),
  plain(
    'error-no-message',
    'Errors have no message.',
    errors(ALL, (body) => delete body['message']),
  ),
  plain(
    'error-no-details',
    'Errors have no details.',
    errors(ALL, (body) => delete body['details']),
  ),
  plain(
    'error-details-null',
    'details of errors are null.',
    errors(ALL, (body) => {
      body['details'] = null;
    }),
  ),
  plain(
    'error-details-list',
    'details of errors are a list.',
    errors(ALL, (body) => {
      body['details'] = [];
    }),
  ),
  plain(
    'error-details-text',
    'details of errors are a text.',
    errors(ALL, (body) => {
      body['details'] = 'see above';
    }),
  ),
  plain(
    'error-message-object',
    'Messages of errors are objects.',
    errors(ALL, (body) => {
      body['message'] = { en: said(body['message']) };
    }),
  ),
  plain(
    'error-wrapped',
    'Errors are wrapped in an object.',
    errors(ALL, (body) => {
      const inner = { ...body };
      for (const name of Object.keys(body)) delete body[name];
      body['error'] = inner;
    }),
  ),
  plain('error-status-200', 'Errors are answered with 200.', {
    reply: (_call, reply) =>
      reply.status >= 400 && reply.status !== 429 ? { ...reply, status: 200 } : undefined,
  }),
  subtle(
    'error-404-no-details',
    'Errors of 404 have no details.',
    errors([400401, 400402], (body) => delete body['details']),
  ),
  subtle(
    'error-403-no-details',
    'The refusal of a restricted key has no details.',
    errors([400301], (body) => delete body['details']),
  ),
  subtle('error-featured-shape', 'Errors of featured news have another shape.', {
    reply: (call, reply) =>
      call.template === FEATURED && reply.status === 400
        ? answer(400, { error: 'bad request' })
        : undefined,
  }),
  plain('validation-status-422', 'Validation failures are answered with 422.', {
    reply: (_call, reply) =>
      VALIDATION.includes(codeOf(reply) ?? 0) ? { ...reply, status: 422 } : undefined,
  }),
  plain('validation-status-500', 'Validation failures are answered with 500.', {
    reply: (_call, reply) =>
      VALIDATION.includes(codeOf(reply) ?? 0) ? { ...reply, status: 500 } : undefined,
  }),
  plain(
    'message-lower',
    'Messages of validation failures begin in lower case.',
    message([400001, 400003], (was) => was.toLowerCase()),
  ),
  plain(
    'message-unnamed',
    'Messages of validation failures do not name the parameter.',
    message([400001, 400003], () => 'Invalid parameter'),
  ),
  plain(
    'message-other',
    'Messages of validation failures have another form.',
    message([400001, 400003], (was) => was.replace('Invalid parameter: ', 'Bad value for ')),
  ),
  subtle(
    'message-wrong-name',
    'The message names limit whatever was wrong.',
    message([400003], (was) => (was.startsWith('Unsupported') ? was : 'Invalid parameter: limit')),
  ),
  subtle(
    'message-klines',
    'Refusals of klines do not name the parameter.',
    errors(VALIDATION, (body, call) => {
      if (isOf(call, [KLINES, STOCK_KLINES])) body['message'] = 'Validation failed';
    }),
  ),
  plain('missing-code', 'Missing parameters are refused with 400001.', recoded(400002, 400001)),
  subtle(
    'missing-code-featured',
    'A missing page is refused with 400003.',
    recoded(400002, 400003, (call) => call.template === FEATURED),
  ),
  subtle(
    'missing-code-symbol',
    'A missing symbol is refused with 400003.',
    recoded(400002, 400003, (call) => call.template === SUMMARY && !call.query.has('symbol')),
  ),
  subtle(
    'missing-code-interval',
    'A missing interval is refused with 400001.',
    recoded(400002, 400001, (call) => call.template === STOCK_KLINES),
  ),
  plain(
    'missing-unnamed',
    'The message for a missing parameter does not name it.',
    message([400002], () => 'Missing required parameter'),
  ),
  subtle(
    'missing-wrong-name',
    'The message for a missing country_code names symbol.',
    message([400002], (was, call) =>
      call.template === SUMMARY ? 'Missing required parameter: symbol' : was,
    ),
  ),
  mild(
    'details-no-field',
    'details of validation failures do not name the field.',
    detail(VALIDATION, ({ field: _field, ...rest }) => rest),
  ),
  mild(
    'details-wrong-field',
    'details of validation failures name another field.',
    detail(VALIDATION, (details) => ({ ...details, field: 'id' })),
  ),
  mild(
    'details-wrong-value',
    'details of validation failures give another value.',
    detail([400003], (details) => ({ ...details, value: 'something else' })),
  ),
  mild(
    'details-no-suggestion',
    'details of an unknown currency have no suggestion.',
    detail([400401], () => ({})),
  ),
  mild(
    'details-no-solution',
    'details of authentication errors have no solution.',
    detail([400101, 400102], ({ header }) => ({ header })),
  ),
];

/** Defects of refusals. */
export const REFUSALS: readonly Defect[] = SHAPE;
