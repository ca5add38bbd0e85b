import { codeForm, ERRORS, errorNamed } from '../contract/error-codes.ts';
import { KEY_HEADER } from '../contract/limits.ts';
import { ETF_SYMBOLS } from '../contract/values.ts';
import type { Context } from './context.ts';
import { isJudgeable } from './context.ts';
import { describeError, expectationOf, matchesError } from './expectation.ts';
import { show, type Judgement, type Rule } from './judgement.ts';
import { place } from './transport.ts';
import { isObject, type View } from './view.ts';

const isErrorStatus = (view: View): boolean => view.status >= 400 && view.status < 600;
const isGet = (view: View): boolean => view.exchange.request.method === 'GET';

/** §7: code, message and details of every error body. */
const errorShape: Rule = {
  name: 'error-shape',
  requirements: ['7/error-shape'],
  each(view, _context, into) {
    // A gateway's own 502 or 504 page is not the service's error body.
    if (!isErrorStatus(view) || !isGet(view) || !view.isJson) return;
    const { body } = view;
    if (!isObject(body)) {
      into.found('7/error-shape', view, {
        message: `${place(view)} answered ${view.status} without an error object`,
        expected: 'an object with code, message and details',
        actual: show(body),
        pointer: '',
      });
      return;
    }
    const fields = [
      ['code', 'a number', typeof body['code'] === 'number'],
      ['message', 'a string', typeof body['message'] === 'string'],
      ['details', 'an object', isObject(body['details'])],
    ] as const;
    for (const [name, expected, holds] of fields) {
      into.expect('7/error-shape', view, holds, () => ({
        message: `${name} of the error body of ${place(view)} is not ${expected}`,
        expected,
        actual: show(body[name]),
        pointer: `/${name}`,
      }));
    }
  },
};

/** §7: status and code belong together; the code is one of the table. */
const codes: Rule = {
  name: 'error-codes',
  requirements: ['7/status-agrees', '7/code-listed', '7/code-form'],
  each(view, _context, into) {
    const code = codeOf(view);
    if (!isErrorStatus(view) || !isGet(view) || code === undefined) return;
    const name = errorNamed(code);
    into.expect('7/code-listed', view, name !== undefined, () => ({
      message: `${place(view)} answered with a code that §7 does not list`,
      expected: 'a code of the table, in the six-digit or five-digit form',
      actual: String(code),
      pointer: '/code',
    }));
    if (name === undefined) return;
    into.read('Form of error codes', codeForm(code), view, '7/code-form');
    into.expect('7/status-agrees', view, ERRORS[name].status === view.status, () => ({
      message: `${place(view)} answered code ${code} with another status than §7 gives for it`,
      expected: `status ${ERRORS[name].status}`,
      actual: `status ${view.status}`,
      pointer: '/code',
    }));
  },
};

/** The numeric code of an error body. */
export function codeOf(view: View): number | undefined {
  const code = isObject(view.body) ? view.body['code'] : undefined;
  return typeof code === 'number' ? code : undefined;
}

const detailsOf = (view: View): Readonly<Record<string, unknown>> => {
  const details = isObject(view.body) ? view.body['details'] : undefined;
  return isObject(details) ? details : {};
};
const messageOf = (view: View): unknown => (isObject(view.body) ? view.body['message'] : undefined);

/** §4, §5, §7: a request that must be refused is refused, with the status and code of an error that applies. */
const refusals: Rule = {
  name: 'refusals',
  requirements: [
    '5/key-required',
    '5/unknown-key',
    '5/disabled-key',
    '5/expired-key',
    '5/forbidden',
    '7/malformed-currency-id',
    '7/currency-not-found',
    '7/unknown-path',
    '7/unknown-resource',
    '7/unknown-resource-no-record',
    '4.1/klines-interval-required',
    '4.1/klines-interval-enum',
    '4.5/klines-interval-required',
    '4.5/klines-interval-enum',
    '4.2/featured-page-required',
    '4.2/featured-page-size-required',
    '4.3/symbol-required',
    '4.3/symbol-enum',
    '4.3/country-required',
    '4.3/country-enum',
    '4.3/country-enum-code',
    '4.3/unlisted',
  ],
  each(view, context, into) {
    if (!isJudgeable(view, context)) return;
    const expectation = expectationOf(view, context);
    if (expectation.kind !== 'refused') return;
    const [first] = expectation.errors;
    if (first === undefined) return;
    judgeUnknownResource(view, first.requirement, into);
    const code = codeOf(view);
    const holds = expectation.errors.some(({ error }) => matchesError(error, view.status, code));
    into.expect(first.requirement, view, holds, () => ({
      message: `${place(view)} ${because(view)}answered ${describeAnswer(view)}`,
      expected: [...new Set(expectation.errors.map(({ error }) => describeError(error)))].join(
        ' or ',
      ),
      actual: describeAnswer(view),
      pointer: view.status >= 400 ? '/code' : null,
    }));
    if (first.requirement === '4.3/country-enum' && expectation.errors.length === 1 && holds) {
      into.expect(
        '4.3/country-enum-code',
        view,
        matchesError('invalidValue', view.status, code),
        () => ({
          message: 'The refusal of an unknown country_code has another code',
          expected: describeError('invalidValue'),
          actual: describeAnswer(view),
          pointer: '/code',
        }),
      );
    }
  },
};

/** Ruling 11: whatever the refusal looks like, no record may be made up. */
function judgeUnknownResource(view: View, requirement: string, into: Judgement): void {
  if (requirement !== '7/unknown-resource') return;
  const empty =
    Array.isArray(view.body) && view.body.length === 0 && view.endpoint?.response.kind !== 'object';
  into.expect('7/unknown-resource-no-record', view, !view.ok || empty, () => ({
    message: `${place(view)} answered with a record for an identifier that does not exist`,
    expected: 'status 404 and code 400401 (or 40401), no record',
    actual: `status ${view.status} ${show(view.body)}`,
    pointer: '',
  }));
}

/** What was wrong with the request, as the beginning of a sentence. */
function because(view: View): string {
  const { role, request } = view.exchange;
  if (role === 'none') return 'without a key ';
  if (role !== 'valid' && role !== 'nearQuota') return `with the ${role} key `;
  const query = request.query.map(([name, value]) => `${name}=${value}`).join('&');
  return query === '' ? '' : `with ${query} `;
}

/** Status and code of an answer, in words. */
export function describeAnswer(view: View): string {
  const code = codeOf(view);
  if (view.status < 400) return `status ${view.status}`;
  return code === undefined
    ? `status ${view.status} without a code`
    : `status ${view.status} and code ${code}`;
}

/** §5 rule 2, §7: what authentication errors carry in details. */
const authenticationDetails: Rule = {
  name: 'authentication-details',
  requirements: ['5/details-header', '5/details-solution', '5/missing-key-code'],
  each(view, context, into) {
    if (view.status !== 401 || !isJudgeable(view, context) || !view.isJson) return;
    const details = detailsOf(view);
    const header = details['header'];
    const matches = typeof header === 'string' && header.toUpperCase() === KEY_HEADER;
    into.expect('5/details-header', view, matches, () => ({
      message: `The authentication error of ${place(view)} does not name the key header`,
      expected: `details.header: "${KEY_HEADER}"`,
      actual: `details.header: ${show(header)}`,
      pointer: '/details/header',
    }));
    const { solution } = details;
    into.expect(
      '5/details-solution',
      view,
      typeof solution === 'string' && solution !== '',
      () => ({
        message: `The authentication error of ${place(view)} offers no solution`,
        expected: 'details.solution: a non-empty string',
        actual: `details.solution: ${show(solution)}`,
        pointer: '/details/solution',
      }),
    );
    if (view.exchange.role === 'none') {
      into.read(
        'Code for a missing key',
        String(codeOf(view) ?? 'none'),
        view,
        '5/missing-key-code',
      );
    }
  },
};

/** Parameters that a validation failure of this request may name; undefined when it is not one. */
function validationParameters(view: View, context: Context): readonly string[] | undefined {
  const expectation = expectationOf(view, context);
  if (expectation.kind === 'open') {
    return view.status === 400 ? expectation.parameters : undefined;
  }
  if (expectation.kind !== 'refused') return undefined;
  const validation = expectation.errors.filter(({ error }) =>
    ['invalidFormat', 'invalidValue', 'missingParameter', 'invalid'].includes(error),
  );
  if (validation.length < expectation.errors.length) return undefined;
  const names = validation.flatMap(({ parameter }) => (parameter === undefined ? [] : [parameter]));
  return names.length > 0 ? names : undefined;
}

/** §7 note 2 and §4.3 rules 1 and 2: messages and details of validation failures. */
const validation: Rule = {
  name: 'validation',
  requirements: [
    '7/validation-message',
    '7/validation-details',
    '4.3/symbol-message',
    '4.3/symbol-constraint',
    '4.3/unlisted-message',
  ],
  each(view, context, into) {
    const name = errorNamed(codeOf(view) ?? 0);
    if (view.status !== 400 || !isJudgeable(view, context) || name === undefined) return;
    const message = messageOf(view);
    const expectation = expectationOf(view, context);
    const only =
      expectation.kind === 'refused' && expectation.errors.length === 1
        ? expectation.errors[0]
        : undefined;
    if (only?.requirement === '4.3/unlisted') {
      judgeUnlistedMessage(view, message, into);
      return;
    }
    const names = validationParameters(view, context);
    if (names === undefined || names.length === 0) return;
    const requirement =
      only?.requirement === '4.3/symbol-enum' ? '4.3/symbol-message' : '7/validation-message';
    const allowed = names.map((parameter) => `Invalid parameter: ${parameter}`);
    into.expect(requirement, view, allowed.includes(String(message)), () => ({
      message: `The refusal of ${place(view)} ${because(view)}has another message`,
      expected: allowed.map((text) => `"${text}"`).join(' or '),
      actual: show(message),
      pointer: '/message',
    }));
    const { field } = detailsOf(view);
    into.expect('7/validation-details', view, names.includes(String(field)), () => ({
      message: `The details of the refusal of ${place(view)} ${because(view)}do not name the field`,
      expected: `details.field: ${names.join(' or ')}`,
      actual: `details.field: ${show(field)}`,
      pointer: '/details/field',
    }));
    if (only?.requirement === '4.3/symbol-enum') judgeConstraint(view, into);
  },
};

function judgeUnlistedMessage(view: View, message: unknown, into: Judgement): void {
  const symbol = view.query.get('symbol') ?? '';
  const country = view.query.get('country_code') ?? '';
  const forms = [symbol, symbol.toUpperCase()].flatMap((a) =>
    [country, country.toUpperCase()].map(
      (b) => `Unsupported ETF category: symbol=${a}, country_code=${b}`,
    ),
  );
  into.expect('4.3/unlisted-message', view, forms.includes(String(message)), () => ({
    message: 'The refusal of an unlisted pair has another message',
    expected: `"${forms.at(-1)}"`,
    actual: show(message),
    pointer: '/message',
  }));
}

/** §4.3 rule 1: all ten symbols, as an array or in one text. */
function judgeConstraint(view: View, into: Judgement): void {
  const { constraint } = detailsOf(view);
  const text = Array.isArray(constraint) ? constraint.join(',') : String(constraint);
  const listed = new Set(text.toUpperCase().match(/[A-Z]+/g));
  const missing = ETF_SYMBOLS.filter((symbol) => !listed.has(symbol));
  into.expect('4.3/symbol-constraint', view, missing.length === 0, () => ({
    message: 'details.constraint does not hold the full list of symbols',
    expected: ETF_SYMBOLS.join(', '),
    actual: `${show(constraint)}; missing: ${missing.join(', ')}`,
    pointer: '/details/constraint',
  }));
}

/** §7 note 2: the message and details for what is not found. */
const notFound: Rule = {
  name: 'not-found',
  requirements: ['7/currency-not-found-message', '7/not-found-details'],
  each(view, context, into) {
    if (errorNamed(codeOf(view) ?? 0) !== 'notFound' || view.status !== 404) return;
    const expectation = expectationOf(view, context);
    if (expectation.kind !== 'refused' || expectation.errors.length > 1) return;
    if (expectation.errors[0]?.requirement === '7/currency-not-found') {
      into.expect(
        '7/currency-not-found-message',
        view,
        messageOf(view) === 'Currency not found',
        () => ({
          message: `${place(view)} calls an unknown currency something else`,
          expected: '"Currency not found"',
          actual: show(messageOf(view)),
          pointer: '/message',
        }),
      );
    }
    const sent = Object.values(view.exchange.pathParameters);
    const details = Object.values(detailsOf(view)).map(String);
    into.expect(
      '7/not-found-details',
      view,
      sent.some((id) => details.includes(id)),
      () => ({
        message: `The details of ${place(view)} do not hold the identifier that was not found`,
        expected: `a value ${sent.map((id) => `"${id}"`).join(' or ')} in details`,
        actual: show(detailsOf(view)),
        pointer: '/details',
      }),
    );
  },
};

export const ERROR_RULES: readonly Rule[] = [
  errorShape,
  codes,
  refusals,
  authenticationDetails,
  validation,
  notFound,
];
