import { ERRORS } from '../../spec/error-codes.ts';
import { isObject, textOf } from '../json.ts';
import { endpointIs, errorOf, onAnswer, onError, onQuery } from '../vocabulary.ts';
import type { Variant } from './variant.ts';

/** Other messages and codes of refusals, and another order of checks (§4.3, §5, §7). */
export const REFUSAL_VARIANTS: readonly Variant[] = [
  {
    id: 'missing-parameter-in-words',
    title: 'The message for a missing parameter is a sentence with its name',
    section: '7',
    question: 'message about a missing parameter',
    hooks: onError('missingParameter', (body) => ({
      ...body,
      message: `Missing required parameter: ${textOf(fieldOf(body))}`,
    })),
  },
  {
    id: 'validation-message-goes-on',
    title: 'The message for a wrong value explains it after the name',
    section: '7',
    question: 'text after the name in messages',
    hooks: onAnswer(
      (answer) => errorOf(answer) === 'invalidValue' || errorOf(answer) === 'invalidFormat',
      (answer) => {
        const { value } = answer;
        if (!isObject(value) || !textOf(value['message']).startsWith('Invalid parameter')) {
          return answer;
        }
        const message = `${textOf(value['message'])}. The value is not allowed.`;
        return { ...answer, value: { ...value, message } };
      },
    ),
  },
  {
    id: 'generic-validation-code',
    title: 'Every validation failure has the generic code 40001',
    section: '7',
    question: 'form of codes',
    hooks: onAnswer(
      (answer) => answer.status === 400 && errorOf(answer) !== undefined,
      (answer) =>
        isObject(answer.value)
          ? { ...answer, value: { ...answer.value, code: ERRORS.invalidFormat.twin } }
          : answer,
    ),
  },
  {
    id: 'unknown-country-unsupported',
    title: 'An unknown country is refused like an unlisted pair',
    section: '4.3',
    question: 'refusal of an unknown country',
    hooks: onError(
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
  },
  {
    id: 'request-before-key',
    title: 'Parameters are validated before the key',
    section: '5',
    question: 'order of path and key',
    settings: { firstCheck: 'request' },
  },
  {
    id: 'values-folded',
    title: 'Values are trimmed, and interval is case-insensitive',
    section: '4.1',
    question: 'spaces and letter case of values',
    hooks: onQuery(
      () => true,
      (query) => {
        for (const [name, value] of query) query.set(name, value.trim());
        const interval = query.get('interval');
        if (interval !== undefined) query.set('interval', interval.toLowerCase());
      },
    ),
  },
];

function fieldOf(body: Readonly<Record<string, unknown>>): string | null {
  const { details } = body;
  const field: unknown =
    typeof details === 'object' && details !== null && 'field' in details ? details.field : null;
  return typeof field === 'string' ? field : null;
}
