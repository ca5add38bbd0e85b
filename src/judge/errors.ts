import { errorNamed } from '../spec/error-codes.ts';
import { sendsEmptyKey } from './expectation.ts';
import { isObject, type View } from './view.ts';

/** True for an object that has the members of an error body and none besides them. */
function isErrorBody(body: unknown): boolean {
  if (!isObject(body) || typeof body['message'] !== 'string') return false;
  return Object.keys(body).every((key) => ['code', 'message', 'details', 'data'].includes(key));
}

/** True for a success that carries an error body: it is one with the wrong status. */
export function isMislabelled(view: View): boolean {
  return view.ok && errorNamed(codeOf(view) ?? 0) !== undefined && isErrorBody(view.body);
}

/**
 * The code of an error body. A code that is written as a string breaks the shape of errors and is read all the same: it
 * still says which error it is.
 */
export function codeOf(view: View): number | undefined {
  const code = isObject(view.body) ? view.body['code'] : undefined;
  if (typeof code === 'string' && /^\d{5,6}$/.test(code)) return Number(code);
  return typeof code === 'number' ? code : undefined;
}

/** The details of an error body; empty when it has none. */
export function detailsOf(view: View): Readonly<Record<string, unknown>> {
  const details = isObject(view.body) ? view.body['details'] : undefined;
  return isObject(details) ? details : {};
}

/** The message of an error body, whatever it is. */
export function messageOf(view: View): unknown {
  return isObject(view.body) ? view.body['message'] : undefined;
}

/** The parameter that the message `Invalid parameter: <name>` names; what follows the name is free (ruling 10). */
export function namedParameter(view: View): string | undefined {
  const message = messageOf(view);
  return typeof message === 'string' ? /^Invalid parameter: (\w+)/.exec(message)?.[1] : undefined;
}

/** Whether an error body is about a parameter, by its message or by details.field. */
export function isAbout(view: View, parameter: string): boolean {
  return detailsOf(view)['field'] === parameter || namedParameter(view) === parameter;
}

/** What was wrong with the request, as the beginning of a sentence. */
export function because(view: View): string {
  const { role, request } = view.exchange;
  if (role === 'none') return sendsEmptyKey(view) ? 'with an empty key ' : 'without a key ';
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
