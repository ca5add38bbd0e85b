import { endpoint, type EndpointPath } from '../../src/spec/endpoints.ts';
import type { Context } from '../../src/judge/context.ts';
import { expectationOf, isValidation, type ExpectedError } from '../../src/judge/expectation.ts';
import type { View } from '../../src/judge/view.ts';

/** A parameter that a validation failure of a request may be about. */
export interface FaultyParameter {
  readonly name: string;
  /** True when it was not sent, or sent empty, which may be read as not sent. */
  readonly missing: boolean;
}

/**
 * The parameters that a refusal of this request with status 400 may be about; undefined where no message is judged
 * (ruling 10): for endpoints whose parameters are not shown, unknown identifiers other than currency_id, ranges that
 * may reach beyond the window, parameters that §4 does not have, and refusals for another cause.
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
  // An unlisted pair is no parameter: §4.3 rule 2 gives its message.
  if (wrong === 'unlisted pair' || parameter === undefined) return undefined;
  if (error !== 'invalid' && !isValidation(error)) return undefined;
  if (!isNamedIn(template, parameter, view)) return undefined;
  return { name: parameter, missing: error === 'missingParameter' };
}

/** Whether a refusal of this value of the parameter has to name the parameter. */
function isNamedIn(template: EndpointPath, name: string, { query }: View): boolean {
  const { path, query: parameters } = endpoint(template);
  if (Object.hasOwn(path, name)) return name === 'currency_id';
  const facts = parameters[name];
  if (facts === undefined || name === 'project_id' || name === 'exchange') return false;
  const ranged = facts.type === 'timestamp' || facts.type === 'date';
  return !ranged || !isTime(query.get(name) ?? '');
}

/** A value that stands for some time: if it is refused, then for where it lies, not for what it is. */
const isTime = (value: string): boolean =>
  /^\s*-?\d+\s*$/.test(value) || !Number.isNaN(Date.parse(value));

/** Whether a text has the name of a parameter as a word, in any letter case: `page_size`, `pageSize`, `page size`. */
export function holdsName(text: unknown, name: string): boolean {
  if (typeof text !== 'string') return false;
  const words = name.split('_').join('[ _-]?');
  return new RegExp(String.raw`(?<![a-z0-9_])${words}(?![a-z0-9_])`, 'i').test(text);
}
