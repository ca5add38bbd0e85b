import { errorNamed, type ErrorName } from '../spec/error-codes.ts';
import { KEY_VARIATIONS } from '../spec/near-keys.ts';
import { sendsEmptyKey } from './expectation.ts';
import { isObject, type View } from './view.ts';

/** A 2xx answer with an error body. */
export function isMislabelled(view: View): boolean {
  const { body } = view;
  if (!view.ok || errorNameOf(view) === undefined) return false;
  if (!isObject(body) || typeof body['message'] !== 'string') return false;
  return Object.keys(body).every((key) => ['code', 'message', 'details', 'data'].includes(key));
}

/** The code of an error body. String codes are read too: they break the error shape but still name the error. */
export function codeOf(view: View): number | undefined {
  const code = isObject(view.body) ? view.body['code'] : undefined;
  if (typeof code === 'string' && /^\d{5,6}$/.test(code)) return Number(code);
  return typeof code === 'number' ? code : undefined;
}

/** The error of §7 that a body names, in either form of its code. */
export const errorNameOf = (view: View): ErrorName | undefined => errorNamed(codeOf(view) ?? 0);

export const isNotFound = (view: View): boolean =>
  view.status === 404 && errorNameOf(view) === 'notFound';

/** `details` of an error body as it was sent; undefined without any. */
export const sentDetails = ({ body }: View): unknown =>
  isObject(body) ? body['details'] : undefined;

/** `details` of an error body, or an empty object. */
export function detailsOf(view: View): Readonly<Record<string, unknown>> {
  const details = sentDetails(view);
  return isObject(details) ? details : {};
}

export function messageOf(view: View): unknown {
  return isObject(view.body) ? view.body['message'] : undefined;
}

/** The parameter in `Invalid parameter: <name>`; any text may follow the name (ruling 10). */
export function namedParameter(view: View): string | undefined {
  const message = messageOf(view);
  return typeof message === 'string' ? /^Invalid parameter: (\w+)/.exec(message)?.[1] : undefined;
}

/** Whether a body has the three members of an error. */
export const hasErrorShape = ({ body }: View): boolean =>
  isObject(body) &&
  typeof body['code'] === 'number' &&
  typeof body['message'] === 'string' &&
  isObject(body['details']);

/** Whether an error names this parameter in its message or in details.field. */
export function isAbout(view: View, parameter: string): boolean {
  return detailsOf(view)['field'] === parameter || namedParameter(view) === parameter;
}

/** What was wrong with the request, as a sentence prefix; the restricted key only where that is about its access. */
export function because(view: View, isOfKey = view.exchange.role !== 'restricted'): string {
  const { role, variation, request } = view.exchange;
  if (role === 'none') return sendsEmptyKey(view) ? 'with an empty key ' : 'without a key ';
  if (variation !== undefined) return `with ${KEY_VARIATIONS[variation]} `;
  if (isOfKey && role !== 'valid' && role !== 'nearQuota') return `with the ${role} key `;
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
