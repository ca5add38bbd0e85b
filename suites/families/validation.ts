import { endpoint, type EndpointPath } from '../../src/spec/endpoints.ts';
import { isJudgeable, type Context } from '../../src/judge/context.ts';
import {
  because,
  codeOf,
  detailsOf,
  messageOf,
  namedParameter,
  errorNameOf,
} from '../../src/judge/errors.ts';
import {
  expectationOf,
  GENERIC_CODE,
  isValidation,
  soleError,
  type ExpectedError,
} from '../../src/judge/expectation.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeEach, type OwnJudgement } from '../../src/judge/judge.ts';
import type { View } from '../../src/judge/view.ts';

/** §7 note 2: the message of a validation failure. §4.3 judges its own messages. */
export const validationMessage = judgeEach((view, context, it) => {
  const faulty = faultOf(view, context);
  if (faulty === undefined) return;
  readForm(view, faulty, it);
  if (soleError(view, context)?.wrong === 'value of symbol') return;
  it.expect(view, isUnsupported(view, faulty) || saysWhich(view, faulty), () => ({
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
  const faulty = faultOf(view, context);
  if (faulty === undefined) return;
  const { field } = detailsOf(view);
  const names = faulty.map(({ name }) => name);
  it.expect(view, isUnsupported(view, faulty) || isAnyOf(field, names), () => ({
    kind: 'details-without-field',
    facts: { because: because(view) },
    expected: `details.field: ${listed(faulty, ({ name }) => name)}`,
    actual: `details.field: ${show(field)}`,
    pointer: '/details/field',
  }));
});

/** Ruling 9: a service may refuse an unknown country like an unlisted pair, with a message that names only the pair. */
const isUnsupported = (view: View, faulty: readonly FaultyParameter[]): boolean =>
  faulty.some(({ name }) => name === 'country_code') && isUnlistedMessage(view);

/** Whether a refusal reports an invalid parameter (400001, 400002, 400003 and their twins). */
export function isValidationFailure(view: View, context: Context): boolean {
  return view.status === 400 && isJudgeable(view, context) && isValidation(errorNameOf(view));
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
  const [symbols = [], countries = []] = ['symbol', 'country_code'].map((name) => {
    const value = query.get(name) ?? '';
    return [value, value.trim(), value.toUpperCase(), value.trim().toUpperCase()];
  });
  return symbols.flatMap((a) =>
    countries.map((b) => `Unsupported ETF category: symbol=${a}, country_code=${b}`),
  );
}

export function isUnlistedMessage(view: View): boolean {
  return unlistedMessages(view).some((message) => message === messageOf(view));
}

/** A parameter that may have caused a validation failure. */
interface FaultyParameter {
  readonly name: string;
  /** Not sent, or sent empty or blank, which may count as not sent. */
  readonly missing: boolean;
}

/**
 * Parameters that a validation failure may name; undefined for other answers, and if its message is not judged (ruling 10): endpoints with unspecified
 * parameters, unknown identifiers other than currency_id, ranges that may reach beyond the window, parameters not in
 * §4, and other causes of refusal.
 */
export function faultOf(view: View, context: Context): readonly FaultyParameter[] | undefined {
  if (!isValidationFailure(view, context)) return undefined;
  const template = view.exchange.endpoint;
  if (template === null || view.endpoint?.response.kind === 'unstated') return undefined;
  const expectation = expectationOf(view, context);
  if (expectation.kind === 'success') return undefined;
  if (expectation.kind === 'open') {
    if (!expectation.parameters.every((name) => isNamedIn(template, name, view))) return undefined;
    const isBlank = (name: string): boolean => view.query.get(name)?.trim() === '';
    return expectation.parameters.map((name) => ({ name, missing: isBlank(name) }));
  }
  const found = expectation.errors.map((one) => namedFault(one, template, view));
  return found.every((one) => one !== undefined) && found.length > 0 ? found : undefined;
}

function namedFault(
  { error, parameter, wrong }: ExpectedError,
  template: EndpointPath,
  view: View,
): FaultyParameter | undefined {
  // §4.3 rule 2 specifies the message for an unlisted pair.
  if (wrong === 'unlisted pair' || parameter === undefined) return undefined;
  if (error !== 'invalid' && !isValidation(error)) return undefined;
  if (!isNamedIn(template, parameter, view)) return undefined;
  return { name: parameter, missing: error === 'missingParameter' };
}

/** Whether a refusal of this value must name the parameter. */
function isNamedIn(template: EndpointPath, name: string, { query }: View): boolean {
  const { path, query: parameters } = endpoint(template);
  if (Object.hasOwn(path, name)) return name === 'currency_id';
  const facts = parameters[name];
  if (facts === undefined || name === 'project_id' || name === 'exchange') return false;
  // A later page is no invalid value: a service that refuses it may mean another parameter.
  if (name === 'page' && Number(query.get(name)) > 1) return false;
  const ranged = facts.type === 'timestamp' || facts.type === 'date';
  return !ranged || !isTime(query.get(name) ?? '');
}

/** A readable time is refused for its age, not its format. */
const isTime = (value: string): boolean =>
  /^\s*-?\d+\s*$/.test(value) || !Number.isNaN(Date.parse(value));

/** Whether a text contains the parameter name as a word: `page_size`, `pageSize`, `page size`. */
function holdsName(text: unknown, name: string): boolean {
  if (typeof text !== 'string') return false;
  const words = name.split('_').join('[ _-]?');
  return new RegExp(String.raw`(?<![a-z0-9_])${words}(?![a-z0-9_])`, 'i').test(text);
}
