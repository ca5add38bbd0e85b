import { errorNamed } from '../contract/error-codes.ts';
import { ETF_SYMBOLS } from '../contract/values.ts';
import type { Context } from './context.ts';
import { isJudgeable } from './context.ts';
import { because, codeOf, detailsOf, messageOf } from './errors.ts';
import { expectationOf } from './expectation.ts';
import { show, type Judgement, type Rule } from './judgement.ts';
import { place } from './transport.ts';
import type { View } from './view.ts';

/** Errors that say what is wrong with a parameter (§7). */
const VALIDATION: readonly (string | undefined)[] = [
  'invalidFormat',
  'missingParameter',
  'invalidValue',
];

/** Names of parameters that a validation failure may give; `any` where the parameters are not shown (§4.7). */
type Names = readonly string[] | 'any';

/** Parameters that a validation failure of this request may name; undefined when it is not one. */
function validationParameters(view: View, context: Context): Names | undefined {
  if (view.endpoint?.response.kind === 'unstated' && view.exchange.role === 'valid') return 'any';
  const expectation = expectationOf(view, context);
  if (expectation.kind === 'open') {
    return view.status === 400 ? expectation.parameters : undefined;
  }
  if (expectation.kind !== 'refused') return undefined;
  const validation = expectation.errors.filter(
    ({ error }) => error === 'invalid' || VALIDATION.includes(error),
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
    if (view.status !== 400 || !isJudgeable(view, context) || !VALIDATION.includes(name)) return;
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
    // Beside another doubtful parameter, an unlisted pair may be refused for either (ruling 8).
    const unlisted =
      expectation.kind === 'refused' &&
      expectation.errors.some(({ requirement }) => requirement === '4.3/unlisted');
    const names = validationParameters(view, context);
    if (names === undefined || unlisted) return;
    const requirement =
      only?.requirement === '4.3/symbol-enum' ? '4.3/symbol-message' : '7/validation-message';
    const named = /^Invalid parameter: (\S+)$/.exec(String(message))?.[1];
    into.expect(requirement, view, isOneOf(names, named), () => ({
      message: `The refusal of ${place(view)} ${because(view)}has another message`,
      expected: listNames(names, (one) => `"Invalid parameter: ${one}"`),
      actual: show(message),
      pointer: '/message',
    }));
    const { field } = detailsOf(view);
    into.expect('7/validation-details', view, isOneOf(names, field), () => ({
      message: `The details of the refusal of ${place(view)} ${because(view)}do not name the field`,
      expected: `details.field: ${listNames(names, (one) => one)}`,
      actual: `details.field: ${show(field)}`,
      pointer: '/details/field',
    }));
    if (only?.requirement === '4.3/symbol-enum') judgeConstraint(view, into);
  },
};

const isOneOf = (names: Names, name: unknown): boolean =>
  typeof name === 'string' && name !== '' && (names === 'any' || names.includes(name));

const listNames = (names: Names, render: (name: string) => string): string =>
  names === 'any' ? render('<name>') : [...new Set(names)].map(render).join(' or ');

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
    // What is not found although it is something else that is wrong, has the wrong code and no more.
    if (expectation.errors[0]?.error !== 'notFound') return;
    if (expectation.errors[0].requirement === '7/currency-not-found') {
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

export const VALIDATION_RULES: readonly Rule[] = [validation, notFound];
