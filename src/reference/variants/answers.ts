import { ERRORS, errorNamed } from '../../spec/error-codes.ts';
import { textOf } from '../json.ts';
import { errorOf, onAnswer, onDetails, onError, withHeader } from '../vocabulary.ts';
import type { Variant } from './variant.ts';

/** Other forms of errors, headers and methods (§5, §7). */
export const ANSWER_VARIANTS: readonly Variant[] = [
  {
    id: 'five-digit-codes',
    title: 'Error codes have five digits',
    section: '7',
    question: 'form of codes',
    hooks: onError(undefined, (body) => {
      const name = errorNamed(Number(body['code']));
      return name === undefined ? body : { ...body, code: ERRORS[name].twin };
    }),
  },
  {
    id: 'missing-key-as-parameter',
    title: 'A missing key is refused with 401 and code 400002',
    section: '5',
    question: 'code for a missing key',
    hooks: onError(
      'invalidKey',
      (body) => ({ ...body, code: ERRORS.missingParameter.code }),
      ({ apiKey }) => apiKey === undefined,
    ),
  },
  {
    id: 'missing-key-as-expired',
    title: 'A missing key is refused with 401 and code 400102',
    section: '5',
    question: 'code for a missing key',
    hooks: onError(
      'invalidKey',
      (body) => ({ ...body, code: ERRORS.expiredKey.code }),
      ({ apiKey }) => apiKey === undefined,
    ),
  },
  {
    id: 'path-before-key',
    title: 'An unknown path is refused before the key is checked',
    section: '7',
    question: 'order of path and key',
    settings: { firstCheck: 'path' },
  },
  {
    id: 'plain-json-type',
    title: 'The content type is application/json without a charset',
    section: '1',
    question: 'content type',
    hooks: onAnswer(
      () => true,
      (answer) => withHeader(answer, 'content-type', 'application/json'),
    ),
  },
  {
    id: 'problem-json-errors',
    title: 'Errors have the content type application/problem+json',
    section: '7',
    question: 'content type',
    hooks: onAnswer(
      (answer) => answer.status >= 400,
      (answer) => withHeader(answer, 'content-type', 'application/problem+json'),
    ),
  },
  {
    id: 'details-that-vary',
    title:
      'Error details contain a suggestion or an issue, not both, and include the value only if it is short',
    section: '7',
    question: 'details of errors',
    hooks: onDetails(undefined, (details) => {
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
  },
  {
    id: 'details-without-suggestions',
    title:
      'Error details contain field, issue and constraint, or the identifier, but no suggestion',
    section: '7',
    question: 'details of errors',
    hooks: onDetails(undefined, ({ suggestion: _suggestion, value: _value, ...kept }) => kept),
  },
  {
    id: 'method-not-allowed',
    title: 'Methods other than GET get 405',
    section: '4',
    question: 'other methods',
    settings: { methods: 'not-allowed' },
  },
  {
    id: 'head-answered',
    title: 'HEAD works like GET, without a body; other methods get 405',
    section: '4',
    question: 'other methods',
    settings: { methods: 'head-like-get' },
  },
  {
    id: 'retry-after-header',
    title: 'Refusals by the limiter also have the standard Retry-After header',
    section: '8',
    question: 'Retry-After header',
    hooks: onAnswer(
      (answer) => errorOf(answer) === 'tooManyRequests',
      (answer, { admission, now }) =>
        admission === undefined
          ? answer
          : withHeader(
              answer,
              'retry-after',
              String(Math.max(1, Math.ceil((admission.resetAt - now) / 1000))),
            ),
    ),
  },
];
