import { errorNamed } from '../../src/contract/error-codes.ts';
import type { Context } from '../../src/rules/context.ts';
import { isJudgeable } from '../../src/rules/context.ts';
import { because, codeOf, detailsOf, messageOf, namedParameter } from '../../src/rules/errors.ts';
import { GENERIC_CODE, isValidation, REFUSED, soleError } from '../../src/rules/expectation.ts';
import { faultyParameters, holdsName, type FaultyParameter } from './faulty-parameters.ts';
import { show, type Judgement, type Rule } from '../../src/rules/judgement.ts';
import { place } from '../../src/rules/transport.ts';
import type { View } from '../../src/rules/view.ts';
import { criteria } from '../../src/rules/criterion.ts';

/** What this file decides. */
export const VALIDATION = criteria('validationMessage', 'validationDetails');

/** §7 note 2: messages and details of validation failures. §4.3 has messages of its own, which stand there. */
const validation: Rule = {
  name: 'validation',
  judges: [VALIDATION.validationMessage, VALIDATION.validationDetails],
  each(view, context, into) {
    if (!isValidationFailure(view, context)) return;
    const faulty = faultyParameters(view, context);
    if (faulty === undefined) return;
    // A country that is none may be refused like a pair that is not listed (ruling 9): nothing but the pair is named.
    const unsupported =
      faulty.some(({ name }) => name === 'country_code') && isUnlistedMessage(view);
    if (soleError(view, context)?.criterion !== REFUSED.symbolEnum) {
      into.expect(
        VALIDATION.validationMessage,
        view,
        unsupported || saysWhich(view, faulty),
        () => ({
          message: `The refusal of ${place(view)} ${because(view)}has the wrong message`,
          expected: listed(faulty, ({ name, missing }) =>
            missing ? `a message that names ${name}` : `"Invalid parameter: ${name}"`,
          ),
          actual: show(messageOf(view)),
          pointer: '/message',
        }),
      );
    }
    readForm(view, faulty, into);
    const { field } = detailsOf(view);
    const names = faulty.map(({ name }) => name);
    into.expect(VALIDATION.validationDetails, view, unsupported || isAnyOf(field, names), () => ({
      message: `The details of the refusal of ${place(view)} ${because(view)}do not name the field`,
      expected: `details.field: ${listed(faulty, ({ name }) => name)}`,
      actual: `details.field: ${show(field)}`,
      pointer: '/details/field',
    }));
  },
};

/** True for a refusal that says that a parameter is wrong (400001, 400002, 400003 and their twins). */
export function isValidationFailure(view: View, context: Context): boolean {
  return (
    view.status === 400 && isJudgeable(view, context) && isValidation(errorNamed(codeOf(view) ?? 0))
  );
}

/** Ruling 10: a wrong value is named at the beginning of the message, a missing parameter anywhere in it. */
function saysWhich(view: View, faulty: readonly FaultyParameter[]): boolean {
  const named = namedParameter(view);
  return faulty.some(
    ({ name, missing }) => name === named || (missing && holdsName(messageOf(view), name)),
  );
}

/** Records what the rulings leave to the target: the form of messages, and the generic code. */
function readForm(view: View, faulty: readonly FaultyParameter[], into: Judgement): void {
  const named = namedParameter(view);
  if (faulty.every(({ missing }) => missing)) {
    const form =
      named === undefined ? 'another sentence that names it' : 'Invalid parameter: <name>';
    into.read('Message about a missing parameter', form, view);
  }
  if (codeOf(view) === GENERIC_CODE) {
    into.read('The generic code 40001 for validation failures', 'in use', view);
  }
}

/** Whether `details.field` is one of the names, or lists one when several are wrong at once. */
function isAnyOf(field: unknown, names: readonly string[]): boolean {
  if (Array.isArray(field)) return field.some((one) => isAnyOf(one, names));
  return names.some((name) => field === name || holdsName(field, name));
}

const listed = (
  faulty: readonly FaultyParameter[],
  render: (parameter: FaultyParameter) => string,
): string => [...new Set(faulty.map(render))].join(' or ');

/** The messages that §4.3 rule 2 allows: symbol and country_code as sent or in upper case. */
export function unlistedMessages({ query }: View): readonly string[] {
  const symbol = query.get('symbol') ?? '';
  const country = query.get('country_code') ?? '';
  return forms(symbol).flatMap((a) =>
    forms(country).map((b) => `Unsupported ETF category: symbol=${a}, country_code=${b}`),
  );
}

const forms = (value: string): readonly string[] => [
  value,
  value.trim(),
  value.toUpperCase(),
  value.trim().toUpperCase(),
];

/** True when the message is the one of §4.3 rule 2 for this request. */
export function isUnlistedMessage(view: View): boolean {
  return unlistedMessages(view).some((message) => message === messageOf(view));
}

export const VALIDATION_RULES: readonly Rule[] = [validation];
