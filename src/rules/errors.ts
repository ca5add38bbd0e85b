import { READINGS } from '../contract/readings.ts';
import { codeForm, ERRORS, errorNamed } from '../contract/error-codes.ts';
import { expectationOf, GENERIC_CODE, sendsEmptyKey } from './expectation.ts';
import type { Facts } from './facts.ts';
import { mayBeFirewall } from './hostile.ts';
import { show, type Rule } from './judgement.ts';
import { place } from './transport.ts';
import { isObject, type View } from './view.ts';
import { criteria } from './criterion.ts';

/** What this file decides. */
export const ERROR_BODY = criteria('errorShape', 'statusAgrees', 'codeListed', 'codeForm');

const isErrorStatus = (view: View): boolean => view.status >= 400 && view.status < 600;
const isGet = (view: View): boolean => view.exchange.request.method === 'GET';

/** §7: code, message and details of every error body. */
const errorShape: Rule = {
  name: 'error-shape',
  judges: [ERROR_BODY.errorShape],
  each(view, _context, into) {
    // A gateway's own 502 or 504 page is not the service's error body.
    if (!isErrorStatus(view) || !isGet(view) || !view.isJson || mayBeFirewall(view)) return;
    const { body } = view;
    if (!isObject(body)) {
      into.found(ERROR_BODY.errorShape, view, {
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
      into.expect(ERROR_BODY.errorShape, view, holds, () => ({
        message: `${name} of the error body of ${place(view)} is not ${expected}`,
        expected,
        actual: show(body[name]),
        pointer: `/${name}`,
      }));
    }
  },
};

/** True for an object that has the members of an error body and none besides them. */
function isErrorBody(body: unknown): boolean {
  if (!isObject(body) || typeof body['message'] !== 'string') return false;
  return Object.keys(body).every((key) => ['code', 'message', 'details', 'data'].includes(key));
}

/** True for a success that carries an error body: it is one with the wrong status. */
export function isMislabelled(view: View): boolean {
  return view.ok && errorNamed(codeOf(view) ?? 0) !== undefined && isErrorBody(view.body);
}

/** §7: status and code belong together; the code is one of the table. */
const codes: Rule = {
  name: 'error-codes',
  judges: [ERROR_BODY.statusAgrees, ERROR_BODY.codeListed, ERROR_BODY.codeForm],
  each(view, context, into) {
    const code = codeOf(view);
    if (!isGet(view) || code === undefined || mayBeFirewall(view)) return;
    const name = errorNamed(code);
    // Any other code in a success is data.
    if (!isErrorStatus(view) && !isMislabelled(view)) return;
    // Which code a missing key and a used-up quota have is open (rulings 7, 15).
    const open = isMissingKey(view) || view.exchange.role === 'nearQuota';
    if (name === undefined && open) return;
    into.expect(ERROR_BODY.codeListed, view, name !== undefined, () => ({
      message: `${place(view)} answered with a code that §7 does not list`,
      expected: 'a code of the table, in the six-digit or five-digit form',
      actual: String(code),
      pointer: '/code',
    }));
    if (name === undefined) return;
    into.read(READINGS.codeForm.question, codeForm(code), view, ERROR_BODY.codeForm);
    // Without a key 401 is due whatever the code.
    if (isMissingKey(view)) return;
    if (code === GENERIC_CODE && isFreeRefusal(view, context)) return;
    into.expect(ERROR_BODY.statusAgrees, view, ERRORS[name].status === view.status, () => ({
      message: `${place(view)} answered code ${code} with another status than §7 gives for it`,
      expected: `status ${ERRORS[name].status}`,
      actual: `status ${view.status}`,
      pointer: '/code',
    }));
  },
};

/**
 * True for a refusal whose status is left open, as that of a range beyond the recent window (ruling 5): the generic code
 * belongs to no status then. A refusal about the key or the limiter is none of these.
 */
function isFreeRefusal(view: View, facts: Facts): boolean {
  const { status, exchange } = view;
  const { kind } = expectationOf(view, facts);
  return exchange.role === 'valid' && kind === 'open' && [403, 404, 409, 416, 422].includes(status);
}

const isMissingKey = ({ exchange, status }: View): boolean =>
  exchange.role === 'none' && status === 401;

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

export const ERROR_RULES: readonly Rule[] = [errorShape, codes];
