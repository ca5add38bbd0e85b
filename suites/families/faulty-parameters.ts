import { endpoint, type EndpointPath } from '../../src/spec/endpoints.ts';
import type { Context } from '../../src/judge/context.ts';
import { expectationOf, isValidation, type ExpectedError } from '../../src/judge/expectation.ts';
import type { View } from '../../src/judge/view.ts';

/** A parameter that may have caused a validation failure. */
export interface FaultyParameter {
  readonly name: string;
  /** Not sent, or sent empty, which may count as not sent. */
  readonly missing: boolean;
}

/**
 * Parameters that a 400 may name, or undefined if its message is not judged (ruling 10): endpoints with unspecified
 * parameters, unknown identifiers other than currency_id, ranges that may reach beyond the window, parameters not in
 * §4, and other causes of refusal.
 */
export function faultyParameters(
  view: View,
  context: Context,
): readonly FaultyParameter[] | undefined {
  const template = view.exchange.endpoint;
  if (template === null || view.endpoint?.response.kind === 'unstated') return undefined;
  const expectation = expectationOf(view, context);
  if (expectation.kind === 'success') return undefined;
  if (expectation.kind === 'open') {
    if (!expectation.parameters.every((name) => isNamedIn(template, name, view))) return undefined;
    return expectation.parameters.map((name) => ({ name, missing: false }));
  }
  const found = expectation.errors.map((one) => faultOf(one, template, view));
  return found.every((one) => one !== undefined) && found.length > 0 ? found : undefined;
}

function faultOf(
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
  const ranged = facts.type === 'timestamp' || facts.type === 'date';
  return !ranged || !isTime(query.get(name) ?? '');
}

/** A readable time is refused for its age, not its format. */
const isTime = (value: string): boolean =>
  /^\s*-?\d+\s*$/.test(value) || !Number.isNaN(Date.parse(value));

/** Whether a text contains the parameter name as a word: `page_size`, `pageSize`, `page size`. */
export function holdsName(text: unknown, name: string): boolean {
  if (typeof text !== 'string') return false;
  const words = name.split('_').join('[ _-]?');
  return new RegExp(String.raw`(?<![a-z0-9_])${words}(?![a-z0-9_])`, 'i').test(text);
}
