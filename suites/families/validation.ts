import { errorNamed } from '../../src/spec/error-codes.ts';
import { isJudgeable, type Context } from '../../src/judge/context.ts';
import { because, codeOf, detailsOf, messageOf, namedParameter } from '../../src/judge/errors.ts';
import { GENERIC_CODE, isValidation, soleError } from '../../src/judge/expectation.ts';
import { faultyParameters, holdsName, type FaultyParameter } from './faulty-parameters.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeEach, type OwnJudgement } from '../../src/judge/judge.ts';
import type { View } from '../../src/judge/view.ts';

interface Fault {
  readonly faulty: readonly FaultyParameter[];
  /**
   * Ruling 9 lets a service refuse an unknown country like an unlisted pair, with a message that names only the pair.
   */
  readonly unsupported: boolean;
}

function faultOf(view: View, context: Context): Fault | undefined {
  if (!isValidationFailure(view, context)) return undefined;
  const faulty = faultyParameters(view, context);
  if (faulty === undefined) return undefined;
  const ofCountry = faulty.some(({ name }) => name === 'country_code');
  return { faulty, unsupported: ofCountry && isUnlistedMessage(view) };
}

/** §7 note 2: the message of a validation failure. §4.3 judges its own messages. */
export const validationMessage = judgeEach((view, context, it) => {
  const fault = faultOf(view, context);
  if (fault === undefined) return;
  const { faulty, unsupported } = fault;
  readForm(view, faulty, it);
  if (soleError(view, context)?.wrong === 'value of symbol') return;
  it.expect(view, unsupported || saysWhich(view, faulty), () => ({
    kind: 'wrong-message',
    facts: { because: because(view) },
    expected: listed(faulty, ({ name, missing }) =>
      missing ? `a message that names ${name}` : `"Invalid parameter: ${name}"`,
    ),
    actual: show(messageOf(view)),
    pointer: '/message',
  }));
});

/** §7 note 2: details of a validation failure name the field. */
export const validationDetails = judgeEach((view, context, it) => {
  const fault = faultOf(view, context);
  if (fault === undefined) return;
  const { faulty, unsupported } = fault;
  const { field } = detailsOf(view);
  const names = faulty.map(({ name }) => name);
  it.expect(view, unsupported || isAnyOf(field, names), () => ({
    kind: 'details-without-field',
    facts: { because: because(view) },
    expected: `details.field: ${listed(faulty, ({ name }) => name)}`,
    actual: `details.field: ${show(field)}`,
    pointer: '/details/field',
  }));
});

/** Whether a refusal reports an invalid parameter (400001, 400002, 400003 and their twins). */
export function isValidationFailure(view: View, context: Context): boolean {
  return (
    view.status === 400 && isJudgeable(view, context) && isValidation(errorNamed(codeOf(view) ?? 0))
  );
}

/** Ruling 10: the message starts with the name of an invalid parameter, or mentions a missing one anywhere. */
function saysWhich(view: View, faulty: readonly FaultyParameter[]): boolean {
  const named = namedParameter(view);
  return faulty.some(
    ({ name, missing }) => name === named || (missing && holdsName(messageOf(view), name)),
  );
}

/** Records what the rulings leave open: the form of messages, and the generic code. */
function readForm(view: View, faulty: readonly FaultyParameter[], it: OwnJudgement): void {
  const named = namedParameter(view);
  if (faulty.every(({ missing }) => missing)) {
    const form =
      named === undefined
        ? 'another sentence that names the parameter'
        : 'Invalid parameter: <name>';
    it.note('Message about a missing parameter', form, view);
  }
  if (codeOf(view) === GENERIC_CODE) {
    it.note('The generic code 40001 for validation failures', 'in use', view);
  }
}

/** Whether `details.field` is one of the names or lists one. */
function isAnyOf(field: unknown, names: readonly string[]): boolean {
  if (Array.isArray(field)) return field.some((one) => isAnyOf(one, names));
  return names.some((name) => field === name || holdsName(field, name));
}

const listed = (
  faulty: readonly FaultyParameter[],
  render: (parameter: FaultyParameter) => string,
): string => [...new Set(faulty.map(render))].join(' or ');

/** Messages allowed by §4.3 rule 2: symbol and country_code as sent or in upper case. */
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

export function isUnlistedMessage(view: View): boolean {
  return unlistedMessages(view).some((message) => message === messageOf(view));
}
