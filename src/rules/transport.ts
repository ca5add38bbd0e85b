import { STATUS } from '../contract/finding.ts';
import { errorNamed } from '../contract/error-codes.ts';
import { isJudgeable } from './context.ts';
import { mayBeFirewall } from './hostile.ts';
import { show, type Rule } from './judgement.ts';
import { BYTE_ORDER_MARK } from '../text/json-value.ts';
import { isObject, type View } from './view.ts';
import { criteria } from './criterion.ts';

/** What this file decides. */
export const TRANSPORT = criteria('jsonBody', 'contentType', 'no5xx', 'bareBody');

/** §1, §4: every answer of the service is JSON and says so. */
export const jsonBody: Rule = {
  name: 'json-body',
  judges: [TRANSPORT.jsonBody, TRANSPORT.contentType],
  each(view, _context, into) {
    if (view.exchange.request.method !== 'GET' || view.status >= 500) return;
    if (view.status >= 300 && view.status < 400) return;
    if (isBlank(view) || mayBeFirewall(view)) return;
    const fault = bodyFault(view);
    into.expect(TRANSPORT.jsonBody, view, fault === null, () => ({
      message: `${place(view)} answered ${view.status} with ${fault?.what ?? ''}`,
      expected: fault?.expected ?? '',
      actual: fault?.actual ?? show(view.response.text.slice(0, 80)),
      ...(fault?.header === undefined ? {} : { header: fault.header }),
    }));
    if (!view.isJson) return;
    const type = view.response.headers['content-type'] ?? '';
    into.expect(TRANSPORT.contentType, view, /^[\w.-]+\/[^;]*\bjson\b/i.test(type), () => ({
      message: `${place(view)} answered JSON without saying so`,
      expected: 'content-type: application/json',
      actual: type === '' ? 'no content-type' : `content-type: ${type}`,
      header: 'content-type',
    }));
  },
};

/** Codings that clients decode before they parse. Most ignore a name that they do not know. */
const CODINGS = /^(?:x-)?(?:gzip|br|deflate|zstd|compress)$/i;

/** What keeps a client from reading the body as JSON; null when nothing does. */
export function bodyFault({ isJson, response, exchange }: View): {
  readonly what: string;
  readonly expected: string;
  readonly actual?: string;
  readonly header?: string;
} | null {
  if (!isJson) return { what: 'a body that is not JSON', expected: 'a JSON body' };
  if (response.text.startsWith(BYTE_ORDER_MARK)) {
    return {
      what: 'a byte order mark before JSON',
      expected: 'JSON without a byte order mark (RFC 8259, section 8.1)',
    };
  }
  const coding = response.headers['content-encoding'] ?? '';
  if (exchange.oddities?.includes('mislabelled') !== true || !CODINGS.test(coding)) return null;
  return {
    what: 'plain JSON that Content-Encoding calls compressed',
    expected: `a body with the coding ${coding}, or no Content-Encoding`,
    actual: `content-encoding: ${coding}, before ${show(response.text.slice(0, 40))}`,
    header: 'content-encoding',
  };
}

/**
 * True for a success that holds nothing at all. It is JSON and no server error, but it is no answer of the service
 * either: a server that answers everything so would keep every requirement that only asks for that.
 */
export function isBlank(view: View): boolean {
  const { body } = view;
  if (!view.ok || !view.isJson) return false;
  return typeof body !== 'object' || body === null || (isObject(body) && isEmpty(body));
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

/**
 * Ruling 20: no 5xx; the documented 503 of maintenance (§7) is not judged here, the client asks again. Only an answer
 * of the service shows that there is none: not a page of HTML, a blank body, or the word of the limiter.
 */
export const noServerError: Rule = {
  name: 'no-server-error',
  judges: [TRANSPORT.no5xx],
  each(view, context, into) {
    const { method } = view.exchange.request;
    if (method !== 'GET' || isMaintenance(view)) return;
    if (view.status < 500 && (!isJudgeable(view, context) || !view.isJson || isBlank(view))) return;
    into.expect(TRANSPORT.no5xx, view, view.status < 500, () => ({
      message: `${place(view)} answered with a server error`,
      expected: 'an answer below 500',
      actual: `status ${view.status}`,
      header: STATUS,
    }));
  },
};

/** The 503 that §7 lists for maintenance, in the error shape or from a gateway in front. */
export function isMaintenance(view: View): boolean {
  if (view.status !== 503) return false;
  const code = isObject(view.body) ? view.body['code'] : undefined;
  return typeof code !== 'number' || errorNamed(code) === 'unavailable';
}

/** Ruling 21: the bare body is specified. */
export const bareBody: Rule = {
  name: 'bare-body',
  judges: [TRANSPORT.bareBody],
  each(view, context, into) {
    if (!view.ok || !view.isJson || view.endpoint === null || isBlank(view)) return;
    if (view.endpoint.response.kind === 'unstated' || context.envelope !== null) return;
    into.expect(TRANSPORT.bareBody, view, !view.wrapped, () => ({
      message: `${place(view)} wraps its body in an envelope`,
      expected: 'the object or array of §2 itself; set `envelope: data` to judge the inside',
      actual: `an object with the keys ${Object.keys(view.body as object).join(', ')}`,
    }));
  },
};

/** `GET /path` of an exchange, for messages. */
export function place(view: View): string {
  const { endpoint, request } = view.exchange;
  return `${request.method} ${endpoint ?? request.path}`;
}

export const TRANSPORT_RULES: readonly Rule[] = [jsonBody, noServerError, bareBody];
